import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { registerEvents } from '#server/events/stream-events.ts'
import { refuseCrossSite } from './cross-site.ts'
import { registerHealth } from './health.ts'
import { registerPages } from './pages.ts'
import { registerPlainRoutes } from './plain-routes.ts'
import { answerError } from './problems.ts'
import { registerRoutes } from './register-routes.ts'
import { watchRequests } from './under-way.ts'

/** Bytes of a request's body at most. */
const BODY_LIMIT = 64 * 1_024

/** Everything that answers over HTTP. Not listening yet. */
export async function openServer(context: Context, { pages }: { pages: string }): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: context.config.TRUST_PROXY,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  })
  app.setErrorHandler(answerError)
  const underWay = watchRequests(app)
  app.addHook('onRequest', async (request) => refuseCrossSite(request))
  await app.register(cookie)
  await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY }, ...CROSS_ORIGIN })
  acceptEmptyJson(app)
  registerHealth(app, context)
  registerRoutes(app, context)
  registerPlainRoutes(app, context)
  await registerEvents(app, context)
  app.addHook('preClose', async () => context.evidence.stop())
  app.addHook('preClose', underWay.settled)
  await registerPages(app, context, { directory: pages })
  return app
}

/** Nothing third-party, no inline script, no framing. Styles may be inline: the accessible dialogs set them. */
const CONTENT_SECURITY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const CROSS_ORIGIN = { referrerPolicy: { policy: 'same-origin' }, crossOriginEmbedderPolicy: false, strictTransportSecurity: false } as const

/** A body-less POST may still name JSON as its type: that is no body, not a broken one. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
