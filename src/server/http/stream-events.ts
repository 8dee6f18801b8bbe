import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { plainRoutes } from '#contract/plain-routes.ts'
import { endedOf, sessionOf } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { listen, type AppEvent } from '#server/events/bus.ts'
import { Hub } from '#server/events/hub.ts'
import { MOMENT, readMoment } from '#server/events/moment.ts'
import { tooManyAttempts } from '#server/security/throttle.ts'
import { accepts } from './by-quality.ts'
import { networkOf } from './caps.ts'
import { checkInput } from './problems.ts'

/** Maximum time for which a stream may outlive its session. */
const CHECK_INTERVAL_MS = 60_000

/** Wait stated by the refusal of one stream too many. Closing a tab makes room at once. */
const STREAM_WAIT_SECONDS = 60

/**
 * `GET /api/events`: one stream per browser tab instead of polling. Prices carry what changed;
 * other events only name what to refetch.
 */
export async function registerEvents(app: FastifyInstance, context: Context): Promise<void> {
  const hub = new Hub(context.events.isConnected)
  const onEvent = (event: AppEvent) => {
    if (event.name !== 'prices') return hub.send(event)
    void withPrices(context, event).then(
      (priced) => hub.send(priced),
      (error: unknown) => context.log.warn({ err: error }, 'prices were not relayed'),
    )
  }
  const stop = await listen(context.events, {
    onEvent,
    onListening: (moments) => hub.listenFrom(moments),
  })
  const checking = setInterval(() => {
    void endOutlived(context, hub).catch((error: unknown) =>
      context.log.warn({ err: error }, 'the sessions of streams were not checked'),
    )
  }, CHECK_INTERVAL_MS)
  checking.unref()
  app.addHook('preClose', async () => clearInterval(checking))
  app.addHook('preClose', () => hub.close())
  app.addHook('onClose', stop)
  app.get(plainRoutes.events, async (request, reply) => {
    const { since } = checkInput(EventsQuery, request.query)
    const session = await sessionOf(context, request)
    // Nothing more to send if the late answer was sent meanwhile.
    if (reply.sent) return
    const encoding = accepts(request.headers['accept-encoding'], 'gzip', ['*']) ? 'gzip' : 'text'
    if (!hub.add(reply.raw, { session, address: networkOf(request.ip), encoding }))
      throw tooManyAttempts(STREAM_WAIT_SECONDS)
    reply.hijack()
    reply.raw.writeHead(200, {
      ...definedOf(reply.getHeaders()),
      ...HEADERS,
      ...(encoding === 'gzip' && { 'content-encoding': encoding }),
    })
    hub.begin(reply.raw, since)
  })
}

/** Ends streams whose session ended without an event, for example by expiry. */
export async function endOutlived(
  context: Context,
  hub: Pick<Hub, 'sessions' | 'end'>,
): Promise<void> {
  const sessions = hub.sessions()
  if (sessions.length > 0) hub.end(await endedOf(context, sessions))
}

const definedOf = (headers: Record<string, OutgoingHttpHeader | undefined>): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  vary: 'accept-encoding',
}

/**
 * `since`: when the client's page was read or its last stream ended; empty if it missed nothing.
 */
export const EventsQuery = z.strictObject({
  since: z.string().regex(MOMENT).or(z.literal('')).transform(readMoment).optional(),
})

async function withPrices({ market }: Context, event: AppEvent): Promise<AppEvent> {
  await market.refresh()
  return { ...event, data: market.prices() }
}
