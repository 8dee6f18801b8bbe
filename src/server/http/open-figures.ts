import fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { capSockets } from './cap-sockets.ts'
import { registerHealth } from './health.ts'
import { answerError } from './problems.ts'
import { securityHeaders } from './security-headers.ts'
import { serverOptions } from './server-options.ts'
import { watchStorage } from './storage.ts'

/**
 * `/health` and `/metrics` of a process that serves no users, not listening yet: what nobody can
 * ask, nobody can watch.
 */
export function openFigures(context: Context): FastifyInstance {
  const app = fastify(serverOptions(context))
  const headers = securityHeaders(context.config)
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
  capSockets(app.server, context.config)
  registerHealth(app, context, watchStorage(context.config))
  return app
}
