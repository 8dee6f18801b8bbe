import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { schemas, type RouteSchemas } from '#contract/schemas.ts'
import { Nothing } from '#contract/wire.ts'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Call, Handler } from '#server/action.ts'
import { sessionControl, sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { isId } from '#server/ids.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { handlers } from './handlers.ts'
import { checkInput } from './problems.ts'
import { sendEvents } from './send-events.ts'

/** Keys are chosen by clients: printable, at most 200 characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/

/** Registers every route of the contract: session, checks, handler, checked response. */
export function registerRoutes(app: FastifyInstance, context: Context): void {
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path, access }: Route = routes[name]
    const shapes: RouteSchemas = schemas[name]
    const handler = handlers[name] as Handler<RouteName>
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const userId = await callerOf(context, { access, request })
        const input = { ...checkRequest(shapes, request), userId, idempotencyKey: idempotencyKey(request) }
        const call = { ...input, client: clientOf(request), session: sessionControl(context, { request, reply }) }
        const answer = await handler(context, call as Parameters<typeof handler>[1])
        return typeof answer === 'function' ? sendEvents(reply, { schema: shapes.response, stream: answer }) : sendAnswer(request, reply, { shapes, answer })
      },
    })
  }
}

export function clientOf(request: FastifyRequest): Call<RouteName>['client'] {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '', origin: `${request.protocol}://${request.host}` }
}

async function callerOf(context: Context, { access, request }: { access: Route['access']; request: FastifyRequest }): Promise<string | undefined> {
  if (access === 'public' || access === 'session') return undefined
  const userId = await sessionUser(context, request)
  if (userId === undefined && access === 'user') throw new Refusal('not-signed-in')
  return userId
}

function checkRequest({ params, query, body }: RouteSchemas, request: FastifyRequest) {
  const checkedParams = params && checkInput(params, request.params)
  const { url } = request.routeOptions
  // The id of a market is a name, which its action looks up.
  if (url !== routes.getMarket.path) refuseMalformedId(checkedParams, { isPair: url === routes.getTransaction.path })
  const given = request.body === undefined ? {} : request.body
  const checkedBody = body ? checkInput(body, given) : void checkInput(Nothing, given)
  return { params: checkedParams, query: checkInput(query ?? Nothing, request.query), body: checkedBody }
}

/** A malformed id is answered like an unknown one. Only a receipt's id may consist of two, `change.bot`: that of a trade. */
function refuseMalformedId(params: unknown, { isPair }: { isPair: boolean }): void {
  const id = typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : undefined
  const parts = id?.split('.', 3) ?? []
  if (parts.length > (isPair ? 2 : 1) || !parts.every(isId)) throw new Refusal('not-found')
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new Refusal('invalid-input', { field: 'Idempotency-Key', sentence: t('An Idempotency-Key has 1 to 200 printable characters.') })
  }
  return key
}

const compress = promisify(gzip)

/** Below this many characters, a compressed answer is hardly smaller on the wire. */
const WORTH_COMPRESSING = 1_400

type Answered = { shapes: RouteSchemas; answer: unknown }

/**
 * Sends exactly what the contract describes: an unexpected field is our bug, but never leaks. Long answers are compressed. No answer carries
 * a secret beside text that somebody else chose, so their length reveals nothing.
 */
async function sendAnswer(request: FastifyRequest, reply: FastifyReply, { shapes, answer }: Answered): Promise<FastifyReply> {
  const text = JSON.stringify(shapes.response.parse(answer))
  const isCompressed = text.length >= WORTH_COMPRESSING && acceptsGzip(request)
  void reply
    .code(shapes.status ?? 200)
    .type('application/json; charset=utf-8')
    .headers({ 'cache-control': 'no-store', vary: 'accept-encoding', ...(isCompressed && { 'content-encoding': 'gzip' }) })
  return reply.send(isCompressed ? await compress(text) : text)
}
