import type { FastifyInstance } from 'fastify'
import { plainRoutes } from '#contract/routes.ts'
import { sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { listen, type AppEvent } from '#server/events/bus.ts'
import { openHub } from '#server/events/hub.ts'
import { tooManyAttempts } from '#server/throttle.ts'
import { acceptsGzip } from './accepts-gzip.ts'

/** A closed tab makes room for another. */
const STREAM_WAIT_SECONDS = 60

/** `GET /api/events`: one stream per browser tab, so that nothing polls. Prices carry what changed; other events only say what to refetch. */
export async function registerEvents(app: FastifyInstance, context: Context): Promise<void> {
  const hub = openHub()
  const stop = await listen(context.sql, (event) => {
    void relay(context, event).then(hub.send, (error: unknown) => context.log.warn({ err: error }, 'an event was not relayed'))
  })
  app.addHook('preClose', () => hub.close())
  app.addHook('onClose', stop)
  app.get(plainRoutes.events, async (request, reply) => {
    const userId = await sessionUser(context, request)
    const encoding = acceptsGzip(request) ? 'gzip' : 'text'
    if (!hub.add(reply.raw, { userId, encoding })) throw tooManyAttempts(STREAM_WAIT_SECONDS)
    reply.hijack()
    reply.raw.writeHead(200, { ...HEADERS, ...(encoding === 'gzip' && { 'content-encoding': encoding }) })
    hub.begin(reply.raw, sinceOf(request.query))
  })
}

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', vary: 'accept-encoding' }

/** When the client's page was rendered or its last stream ended, if given: ISO 8601. */
function sinceOf(query: unknown): number | undefined {
  const since = typeof query === 'object' && query !== null && 'since' in query ? Date.parse(String(query.since)) : Number.NaN
  return Number.isNaN(since) ? undefined : since
}

async function relay({ market }: Context, event: AppEvent): Promise<AppEvent> {
  if (event.name !== 'prices') return event
  await market.refresh()
  return { ...event, data: market.prices() }
}
