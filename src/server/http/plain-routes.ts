import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { plainRoutes } from '#contract/routes.ts'
import { Refusal } from '#core/refusal.ts'
import { sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { statementCsv } from '#server/transactions/statement.ts'
import { openApiDocument } from './open-api.ts'

/** What answers with something other than the contract's JSON. */
export function registerPlainRoutes(app: FastifyInstance, context: Context): void {
  const document = openApiDocument()
  app.get(plainRoutes.loginRedirect, (_request, reply) => reply.redirect('/login', 303))
  app.get(plainRoutes.openApi, (_request, reply) => reply.send(document))
  app.get(plainRoutes.statement, async (request, reply) => {
    const userId = await sessionUser(context, request)
    if (userId === undefined) throw new Refusal('not-signed-in')
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="statement.csv"')
      .send(Readable.from(statementCsv(context.sql, userId)))
  })
}
