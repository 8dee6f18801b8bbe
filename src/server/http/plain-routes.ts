import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { plainRoutes } from '#contract/routes.ts'
import { ExportQuery } from '#contract/transactions.ts'
import { Refusal } from '#core/refusal.ts'
import { sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { statementCsv } from '#server/transactions/statement.ts'
import { tradesCsv } from '#server/transactions/trades-csv.ts'
import { openApiDocument } from './open-api.ts'
import { checkInput } from './problems.ts'

/** Routes that answer with something other than the contract's JSON. */
export function registerPlainRoutes(app: FastifyInstance, context: Context): void {
  const document = openApiDocument()
  app.get(plainRoutes.loginRedirect, (_request, reply) => reply.redirect('/login', 303))
  app.get(plainRoutes.openApi, (_request, reply) => reply.send(document))
  app.get(plainRoutes.statement, async (request, reply) => {
    const userId = await signedIn(context, request)
    return sendCsv(reply, { name: 'statement.csv', lines: statementCsv(context.sql, { ...checkInput(ExportQuery, request.query), userId }) })
  })
  app.get(plainRoutes.trades, async (request, reply) => {
    const userId = await signedIn(context, request)
    return sendCsv(reply, { name: 'trades.csv', lines: await tradesCsv(context.sql, { ...checkInput(ExportQuery, request.query), userId }) })
  })
}

async function signedIn(context: Context, request: FastifyRequest): Promise<string> {
  const userId = await sessionUser(context, request)
  if (userId === undefined) throw new Refusal('not-signed-in')
  return userId
}

function sendCsv(reply: FastifyReply, { name, lines }: { name: string; lines: AsyncGenerator<string> }): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(lines))
}
