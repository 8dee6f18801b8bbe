import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { answerError } from './problems.ts'

/** If the database hangs, requests are answered with a retryable refusal after this time. */
const ANSWER_WITHIN_MS = 10_000

/** Grace period for in-flight requests during shutdown. */
const STOP_WITHIN_MS = 5_000
const POLL_MS = 10

/** Tracks the requests of `app` that have no response yet. */
export function trackInFlight(app: FastifyInstance): { drained: () => Promise<void> } {
  const open = new Set<ServerResponse>()
  app.addHook('onRequest', (request, reply, done) => {
    const late = setTimeout(() => refuseLate(request, reply), ANSWER_WITHIN_MS)
    open.add(reply.raw)
    reply.raw.once('close', () => {
      clearTimeout(late)
      open.delete(reply.raw)
    })
    done()
  })
  return {
    drained: async () => {
      for (let waitedMs = 0; open.size > 0 && waitedMs < STOP_WITHIN_MS; waitedMs += POLL_MS) await delay(POLL_MS)
    },
  }
}

/** An event stream or a statement that has started counts as a response. */
function refuseLate(request: FastifyRequest, reply: FastifyReply): void {
  // Its body may still be on its way: the connection ends with the answer.
  if (!reply.sent && !reply.raw.headersSent) answerError(new Refusal('temporarily-unavailable'), request, reply.header('connection', 'close'))
}
