import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { plainRoutes } from '#contract/plain-routes.ts'
import { screens } from '#contract/screens.ts'
import { DownloadQuery } from '#contract/auth.ts'
import { TaxExportQuery, YearQuery } from '#contract/statement.ts'
import { ExportQuery } from '#contract/transactions.ts'
import { Nothing } from '#contract/wire.ts'
import { CSV_STYLES } from '#core/csv-cell.ts'
import { language } from '#words/language.ts'
import { Refusal } from '#core/refusal.ts'
import { sessionControl, sessionOf } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { readUnsubscribe } from '#server/notices/link.ts'
import { unsubscribe } from '#server/notices/update-notice-settings.ts'
import { exportJson } from '#server/rights/export-json.ts'
import { isTicket } from '#server/rights/export-data.ts'
import { throttle } from '#server/security/throttle.ts'
import { taxCsv, yearCsv } from '#server/statement/csv.ts'
import { readStatement } from '#server/statement/get-statement.ts'
import { statementCsv } from '#server/transactions/history-csv.ts'
import { tradesCsv } from '#server/transactions/trades-csv.ts'
import { accepts } from './by-quality.ts'
import { openApiDocument } from './open-api.ts'
import { descriptionPage } from './open-api-page.ts'
import { checkInput } from './problems.ts'
import { CARD_WEBHOOK, receiveWebhook } from '#server/deposits/receive-webhook.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { type Settings, supportOf } from '#server/settings/settings.ts'

/** Routes with other answers than the contract's JSON. */
export function registerPlainRoutes(app: FastifyInstance, context: Context): void {
  const describe = descriptions(context.config)
  app.get(plainRoutes.loginRedirect, (_request, reply) => reply.redirect('/login', 303))
  app.get(plainRoutes.openApi, (request, reply) => {
    checkInput(Nothing, request.query)
    void reply.header('vary', 'accept')
    return accepts(request.headers.accept, 'text/html')
      ? reply.type('text/html; charset=utf-8').send(describe().page)
      : reply.send(describe().document)
  })
  app.get<Unsubscribing>(plainRoutes.unsubscribe, (request, reply) => {
    readUnsubscribe(request.params.token, context.config.SESSION_SECRET)
    return reply.redirect(screens.noticeSettings.path, 303)
  })
  app.get(SECURITY_TXT, (_request, reply) => {
    const text = securityTxt(context.config, context.now())
    if (text === undefined) throw new Refusal('not-found')
    return reply.type('text/plain; charset=utf-8').send(text)
  })
  for (const [name, csvOf] of Object.entries({ statement: statementCsv, trades: tradesCsv }))
    app.get(plainRoutes[name as 'statement' | 'trades'], async (request, reply) => {
      const userId = await signedIn(context, request)
      const wanted = checkInput(ExportQuery, request.query)
      return sendFile(reply, {
        name: `${name}.csv`,
        type: 'text/csv; charset=utf-8',
        parts: await csvOf(context.reads, { ...wanted, userId, style: CSV_STYLES[language()] }),
      })
    })
  registerTaxFiles(app, context)
  registerDataDownload(app, context)
}

/** Generated at the first request, because most processes never get one. */
function descriptions(settings: Pick<Settings, 'PUBLIC_URL'>) {
  let made: { document: ReturnType<typeof openApiDocument>; page: string } | undefined
  return () => {
    if (made) return made
    const document = openApiDocument(settings)
    return (made = { document, page: descriptionPage(document) })
  }
}

function registerTaxFiles(app: FastifyInstance, context: Context): void {
  const { BOOK: book } = context.config
  const type = 'text/csv; charset=utf-8'
  // Paper money is also in the file name, because a file may be imported long after its download.
  const mark = book === 'paper' ? '-paper-money' : ''
  app.get(plainRoutes.year, async (request, reply) => {
    const userId = await signedIn(context, request)
    const { year } = checkInput(YearQuery, request.query)
    const read = await readStatement({ ...context, sql: context.reads }, { userId, year })
    const text = yearCsv(read, { style: CSV_STYLES[language()], book })
    return sendFile(reply, { name: `year-${read.year}${mark}.csv`, type, parts: [text] })
  })
  const call = { access: 'user', writes: true } as const
  app.get(plainRoutes.tax, { config: { call } }, async (request, reply) => {
    const userId = await signedIn(context, request)
    const { format } = checkInput(TaxExportQuery, request.query)
    await throttle(context.sql, { key: `tax:${userId}`, limit: 20, windowSeconds: 60 })
    const parts = await taxCsv(context.reads, { userId, format, book })
    return sendFile(reply, { name: `${format}${mark}.csv`, type, parts })
  })
}

type Unsubscribing = { Params: { token: string } }

function registerDataDownload(app: FastifyInstance, context: Context): void {
  app.get(plainRoutes.myData, async (request, reply) => {
    const userId = await signedIn(context, request)
    const sessionId = (await sessionControl(context, { request, reply }).id()) ?? ''
    const { ticket } = checkInput(DownloadQuery, request.query)
    const now = context.now()
    if (!isTicket(ticket, { userId, sessionId, secret: context.config.SESSION_SECRET, now }))
      throw new Refusal('download-invalid')
    return sendFile(reply, {
      name: 'my-data.json',
      type: 'application/json; charset=utf-8',
      parts: exportJson(context.reads, { userId, madeAt: now }),
    })
  })
}

async function signedIn(context: Context, request: FastifyRequest): Promise<string> {
  const session = await sessionOf(context, request)
  if (session === undefined) throw new Refusal('not-signed-in')
  return session.userId
}

function sendFile(
  reply: FastifyReply,
  {
    name,
    type,
    parts,
  }: { name: string; type: string; parts: Iterable<string> | AsyncIterable<string> },
): FastifyReply {
  return reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(parts))
}

/**
 * Routes for other machines, authenticated by signature. The card provider's signature covers the
 * bytes of the body, so it is checked before parsing; that of mail programs is in the address.
 */
export async function registerWebhooks(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<Unsubscribing>(plainRoutes.unsubscribe, async (request, reply) => {
      await unsubscribe(context, { token: request.params.token, body: bytesOf(request) })
      return reply.header('cache-control', 'no-store').send({})
    })
    scope.post(CARD_WEBHOOK, async (request, reply) => {
      await receiveWebhook(context, {
        body: bytesOf(request),
        signature: String(request.headers['stripe-signature'] ?? ''),
      })
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}

const bytesOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** Contact for reports of vulnerabilities (RFC 9116). */
export const SECURITY_TXT = '/.well-known/security.txt'

/** RFC 9116 recommends an expiry less than a year ahead. */
const VALID_DAYS = 180

type Contacts = Pick<Settings, 'SECURITY_CONTACT' | 'SUPPORT' | 'PUBLIC_URL'>

/** Undefined without a contact. */
export function securityTxt(settings: Contacts, now: Date): string | undefined {
  const contact = settings.SECURITY_CONTACT ?? supportOf(settings)?.href
  if (contact === undefined) return undefined
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en, de',
    ...(settings.PUBLIC_URL === undefined
      ? []
      : [`Canonical: ${new URL(SECURITY_TXT, settings.PUBLIC_URL).href}`]),
  ]
  return `${lines.join('\n')}\n`
}
