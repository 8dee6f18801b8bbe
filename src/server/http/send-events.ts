import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { EventStream } from '#server/action.ts'

/**
 * Streams events, each checked against the contract. Source: server-sent events, the HTML standard,
 * 9.2.
 */
export function sendEvents(
  reply: FastifyReply,
  { schema, stream }: { schema: z.ZodType; stream: EventStream<unknown> },
): FastifyReply {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(linesOf(stream(gone.signal), schema)))
}

async function* linesOf(events: AsyncIterable<unknown>, schema: z.ZodType): AsyncGenerator<string> {
  // A comment line makes proxies and the client see at once that the response has started.
  yield ': one moment\n\n'
  for await (const event of events) yield `data: ${JSON.stringify(schema.parse(event))}\n\n`
}
