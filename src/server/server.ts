import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { plainRoutes } from '#contract/plain-routes.ts'
import { Refusal } from '#core/refusal.ts'
import { keyTextOf } from './auth/program-key.ts'
import type { Context } from './context.ts'
import { refuseCrossSite, refuseOtherHosts, refuseOtherOrigins } from './http/cross-site.ts'
import { admitKeys } from './http/admit-keys.ts'
import { registerMcp } from './http/mcp.ts'
import { registerHealth } from './http/health.ts'
import { noteRefusal } from './http/note-refusal.ts'
import { registerPlainRoutes, registerWebhooks } from './http/plain-routes.ts'
import { answerError, toRefusal } from './http/problems.ts'
import { answerInReadersLanguage, inReadersLanguage } from './http/reader-language.ts'
import { openRefusalLog } from './http/refusal-log.ts'
import { registerRoutes } from './http/register-routes.ts'
import { contentSecurityOf, securityHeaders } from './http/security-headers.ts'
import { capSockets, capActions } from './http/caps.ts'
import { serverOptions } from './http/server-options.ts'
import { registerEvents } from './http/stream-events.ts'
import { trackInFlight } from './http/in-flight.ts'
import { answerBrokenMessage, refuseExpectations, forbiddenKeyOf } from './http/wire-faults.ts'
import { watchStorage } from './http/storage.ts'
import { registerPages } from './pages/register-pages.ts'

/** In bytes. */
const BODY_LIMIT = 64 * 1_024

/** Longer than any id, name or symbol in a path. */
const LONGEST_PARAM = 200

/** Threat: requests whose body never ends would keep their sockets. */
const REQUEST_WITHIN_MS = 15_000

type ServerOptions = { pages: string; requestWithinMs?: number; answerWithinMs?: number }

/** Opens a server with all routes and pages; it does not listen yet. */
export async function openServer(
  context: Context,
  { pages, requestWithinMs = REQUEST_WITHIN_MS, answerWithinMs }: ServerOptions,
): Promise<FastifyInstance> {
  const app = openFastify(context, requestWithinMs)
  refuseExpectations(app.server)
  const storage = watchStorage(context.config)
  answerErrors(app, context, storage)
  capSockets(app.server, context.config)
  const inFlight = trackInFlight(app, answerWithinMs)
  // Registered before the check of a request's origin, so that its refusals can be logged with the
  // user.
  await app.register(cookie)
  guardRequests(app, context)
  answerInReadersLanguage(app)
  admitKeys(app, context)
  capActions(app, context.config)
  acceptEmptyJson(app)
  registerHealth(app, context, storage)
  registerRoutes(app, context)
  registerPlainRoutes(app, context)
  registerMcp(app, context)
  await registerWebhooks(app, context)
  await registerEvents(app, context)
  app.addHook('preClose', async () => {
    context.evidence.stop()
    context.record.stop()
  })
  app.addHook('onClose', context.compute.stop)
  app.addHook('preClose', inFlight.drained)
  await registerPages(app, context, { directory: pages })
  return app
}

function openFastify(context: Context, requestWithinMs: number): FastifyInstance {
  const headers = securityHeaders(context.config)
  return fastify({
    ...serverOptions(context),
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestWithinMs,
    http: {
      headersTimeout: requestWithinMs,
      connectionsCheckingInterval: requestWithinMs / 5,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: LONGEST_PARAM },
    // Off, because `trackInFlight` refuses requests during shutdown.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenMessage,
    // For URLs that fail before the route look-up, for which no hooks run.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers)
      inReadersLanguage(request, () => answerError(error, request, reply))
    },
  })
}

type Storage = ReturnType<typeof watchStorage>

function answerErrors(app: FastifyInstance, context: Context, storage: Storage): void {
  const refusals = openRefusalLog(context)
  app.setErrorHandler(async (thrown: Error, request, reply) => {
    const error = isBrokenOff(request) ? new Refusal('invalid-input') : thrown
    storage.note(error)
    await noteRefusal(context, { error, request })
    refusals.note(toRefusal(error), request)
    return inReadersLanguage(request, () => answerError(error, request, reply))
  })
  app.addHook('onClose', async () => refusals.close())
}

function guardRequests(app: FastifyInstance, { config, payments }: Context): void {
  const headers = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(headers)
      .header('content-security-policy', contentSecurityOf(request.url, payments.provider))
    refuseOtherHosts(request, reply, config)
    if (request.routeOptions.url === plainRoutes.mcp) refuseOtherOrigins(request, config)
    // Browsers add no key by themselves, and no cookie counts beside one.
    else if (keyTextOf(request) === undefined) refuseCrossSite(request)
    done()
  })
}

/**
 * Whether the caller broke off the request. Threat: a flood of these would fill the log, because
 * bugs are logged with a stack and without limit.
 */
const isBrokenOff = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** A POST without a body may still declare JSON. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    parse(request, body as string, (error, value) =>
      done(error && (forbiddenKeyOf(body as string) ?? error), value),
    )
  })
}
