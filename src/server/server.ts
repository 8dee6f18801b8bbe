import cookie from '@fastify/cookie'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { registerHealth } from './http/health.ts'
import { registerPlainRoutes } from './http/plain-routes.ts'
import { answerError } from './http/problems.ts'
import { answerInReadersLanguage, inReadersLanguage } from './http/reader-language.ts'
import { registerRoutes } from './http/register-routes.ts'
import { contentSecurityOf, SECURITY_HEADERS } from './http/security-headers.ts'
import { registerEvents } from './http/stream-events.ts'
import { trackInFlight } from './http/in-flight.ts'
import { registerWebhooks } from './http/webhooks.ts'
import { registerPages } from './pages/register-pages.ts'

/** Maximum request body, in bytes. */
const BODY_LIMIT = 64 * 1_024

/** Builds the HTTP server with all routes and pages, not listening yet. */
export async function openServer(context: Context, { pages }: { pages: string }): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: context.config.TRUST_PROXY,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  })
  app.setErrorHandler((error: Error, request, reply) => inReadersLanguage(request, () => answerError(error, request, reply)))
  const inFlight = trackInFlight(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('content-security-policy', contentSecurityOf(request.url, context.payments.provider))
    refuseCrossSite(request)
    done()
  })
  await app.register(cookie)
  answerInReadersLanguage(app)
  acceptEmptyJson(app)
  registerHealth(app, context)
  registerRoutes(app, context)
  registerPlainRoutes(app, context)
  await registerWebhooks(app, context)
  await registerEvents(app, context)
  app.addHook('preClose', async () => context.evidence.stop())
  app.addHook('preClose', inFlight.drained)
  await registerPages(app, context, { directory: pages })
  return app
}

/** A POST without a body may still declare JSON: it counts as no body, not as malformed JSON. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}
