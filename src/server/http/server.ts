import cookie from '@fastify/cookie'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { registerEvents } from '#server/events/stream-events.ts'
import { refuseCrossSite } from './cross-site.ts'
import { registerHealth } from './health.ts'
import { registerPages } from './pages.ts'
import { registerPlainRoutes } from './plain-routes.ts'
import { answerError } from './problems.ts'
import { registerRoutes } from './register-routes.ts'
import { contentSecurityOf, SECURITY_HEADERS } from './security-headers.ts'
import { watchRequests } from './under-way.ts'
import { registerWebhooks } from './webhooks.ts'

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
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('content-security-policy', contentSecurityOf(request.url, context.payments.provider))
    refuseCrossSite(request)
    done()
  })
  await app.register(cookie)
  acceptEmptyJson(app)
  registerHealth(app, context)
  registerRoutes(app, context)
  registerPlainRoutes(app, context)
  await registerWebhooks(app, context)
  await registerEvents(app, context)
  app.addHook('preClose', async () => context.evidence.stop())
  app.addHook('preClose', underWay.settled)
  await registerPages(app, context, { directory: pages })
  return app
}

/** A body-less POST may still name JSON as its type: that is no body, not a broken one. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
