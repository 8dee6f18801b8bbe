import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { PROBLEMS, sentenceOf } from '#contract/problem.ts'
import { mayDo } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import { refuseCrossSite } from '#server/http/cross-site.ts'
import { callOf, openRefusalLog, type RefusalLog } from '#server/http/refusal-log.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { serverOptions } from '#server/http/server-options.ts'
import { isId } from '#server/kernel/ids.ts'
import { signIn, signOut } from '#server/operators/sign-in.ts'
import { html, type Html } from '#server/kernel/html.ts'
import { pageOf, PLACES, type Place, factsOf } from './page.ts'
import { checkForm, dropToken, keepToken, tokenOf, visitOf, type Visit } from './session.ts'
import { actOnUser, usersPage } from './users-page.ts'
import { decide, withdrawalsPage, timeText } from './withdrawals-page.ts'
import { readAudit } from '#server/operators/operator.ts'
import { plainRoutes } from '#contract/plain-routes.ts'

const STYLE = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')

/** No scripts, nothing from other hosts, no forms to other hosts. */
const CONTENT_SECURITY =
  "default-src 'none';style-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'"

const BODY_LIMIT = 8 * 1_024

const DONE = {
  approved: 'The withdrawal is approved.',
  'first-approval': 'Your approval counts. A second person must approve this withdrawal too.',
  rejected: 'The withdrawal is rejected, and the money is back.',
  frozen: 'The user is frozen.',
  unfrozen: 'The user is no longer frozen.',
  'holds-released': 'Withdrawals of the user no longer wait, but for a delay that the user chose.',
  'first-release':
    'Your release counts. A second person must release these holds too; until then ' +
    'withdrawals wait.',
  'sessions-ended': 'All sessions of the user are ended.',
} as const

/**
 * The operators' pages, served on a port of their own; not listening yet. `product`: the users'
 * server, whose health and metrics are served here too.
 */
export async function openConsole(
  context: Context,
  product: FastifyInstance,
): Promise<FastifyInstance> {
  const app = fastify({
    ...serverOptions(context),
    bodyLimit: BODY_LIMIT,
  })
  const headers = {
    ...securityHeaders(context.config),
    'content-security-policy': CONTENT_SECURITY,
    'cache-control': 'no-store',
  }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    refuseCrossSite(request)
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    refuseNul(request)
    done()
  })
  await app.register(cookie)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  const refusals = openRefusalLog(context)
  app.addHook('onClose', async () => refusals.close())
  app.setErrorHandler((error: Error, request, reply) =>
    showRefusal({ ...context, refusals }, { error, request, reply }),
  )
  app.setNotFoundHandler(() => {
    throw new Refusal('not-found')
  })
  registerFigures(app, product)
  registerSession(app, context)
  registerPages(app, context)
  registerActs(app, context)
  return app
}

function registerSession(app: FastifyInstance, context: Context): void {
  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
  app.get('/sign-in', (_request, reply) =>
    send(reply, pageOf({ title: 'Sign in', body: signInForm() })),
  )
  app.post('/sign-in', async (request, reply) => {
    const [name, password, code] = ['name', 'password', 'code'].map((field) =>
      fieldOf(request, field),
    ) as [string, string, string]
    const { token } = await signIn(context, { name, password, code, address: request.ip })
    keepToken(request, reply, token)
    return reply.redirect('/', 303)
  })
  app.post('/sign-out', async (request, reply) => {
    const visit = await visitOf(context, request)
    if (visit) checkForm(visit, fieldOf(request, 'token'))
    await signOut(context, tokenOf(request) ?? '')
    dropToken(request, reply)
    return reply.redirect('/sign-in', 303)
  })
}

const signInForm = (): Html => html`<form class="narrow card" method="post" action="/sign-in">
<label>Name<input name="name" required autocomplete="username"></label>
<label>Password<input name="password" type="password" required
autocomplete="current-password"></label>
<label>Code of your authenticator app<input name="code" required inputmode="numeric"
autocomplete="one-time-code"></label>
<button>Sign in</button>
</form>`

const BODIES: Record<Place, (visit: Visit, query: URLSearchParams) => Promise<Html>> = {
  withdrawals: withdrawalsPage,
  users: (visit, query) => usersPage(visit, query.get('name') ?? ''),
  audit: (visit, query) => auditPage(visit, query.get('subject') ?? ''),
}

function registerPages(app: FastifyInstance, context: Context): void {
  const places = Object.keys(PLACES) as Place[]
  app.get('/', async (request, reply) => {
    const visit = await visitOf(context, request)
    const first =
      visit && places.find((place) => mayDo(visit.context.operator.roles, PLACES[place][1]))
    return reply.redirect(first === undefined ? '/sign-in' : `/${first}`, 303)
  })
  for (const place of places) {
    app.get(`/${place}`, async (request, reply) => {
      const visit = await visitOf(context, request)
      if (visit === undefined) return reply.redirect('/sign-in', 303)
      const query = new URL(request.url, 'http://console').searchParams
      const content = await BODIES[place](visit, query)
      const body = html`${doneLine(query.get('done') ?? '')}${content}`
      return send(reply, pageOf({ title: PLACES[place][0], viewer: viewerOf(visit), place, body }))
    })
  }
}

/**
 * The message named in the URL. Only known ones are shown, so that a URL cannot put text into the
 * page.
 */
function doneLine(name: string): Html | undefined {
  return Object.hasOwn(DONE, name)
    ? html`<p class="done" role="status">${DONE[name as keyof typeof DONE]}</p>`
    : undefined
}

function registerActs(app: FastifyInstance, context: Context): void {
  for (const verb of ['approve', 'reject'] as const) {
    app.post<{ Params: { id: string } }>(`/withdrawals/:id/${verb}`, async (request, reply) => {
      const visit = await actingVisit(context, request)
      if (!isId(request.params.id)) throw new Refusal('not-found')
      const done = await decide(visit, { id: request.params.id, verb, note: noteOf(request) })
      return reply.redirect(`/withdrawals?done=${done}`, 303)
    })
  }
  for (const verb of ['freeze', 'unfreeze', 'end-sessions', 'release-holds'] as const) {
    app.post<{ Params: { name: string } }>(`/users/:name/${verb}`, async (request, reply) => {
      const visit = await actingVisit(context, request)
      const { name } = request.params
      const done = await actOnUser(visit, { name, verb, reason: fieldOf(request, 'reason') })
      return reply.redirect(`/users?name=${encodeURIComponent(name)}&done=${done}`, 303)
    })
  }
}

/** PostgreSQL cannot store NUL, so neither the URL nor a field may contain it. */
function refuseNul({ params, query, body }: FastifyRequest): void {
  const fields = body instanceof URLSearchParams ? [...body] : []
  if (JSON.stringify([params, query, fields]).includes('\\u0000'))
    throw new Refusal('invalid-input')
}

/** The operator who sends a form that changes something. */
async function actingVisit(context: Context, request: FastifyRequest): Promise<Visit> {
  const visit = await visitOf(context, request)
  if (visit === undefined) throw new Refusal('operator-signed-out')
  checkForm(visit, fieldOf(request, 'token'))
  return visit
}

/** In characters. */
const LONGEST_NOTE = 300

function noteOf(request: FastifyRequest): string {
  const note = fieldOf(request, 'note').trim()
  if (note.length > LONGEST_NOTE)
    throw new Refusal('text-too-long', { field: 'note', values: { maximum: String(LONGEST_NOTE) } })
  return note
}

const fieldOf = ({ body }: FastifyRequest, name: string): string =>
  body instanceof URLSearchParams ? (body.get(name) ?? '') : ''
const viewerOf = ({ context, formToken }: Visit) => ({ operator: context.operator, formToken })
const send = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page)

/** The page of a refusal. Details of internal errors are logged, never shown. */
async function showRefusal(
  context: Context & { refusals: RefusalLog },
  { error, request, reply }: { error: Error; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal(statusOf(error) < 500 ? 'invalid-input' : 'internal')
  if (refusal.code === 'internal')
    request.log.error({ err: error, ...callOf(request) }, 'request failed')
  else context.refusals.note(refusal, request)
  const visit = await visitOf(context, request).catch(() => undefined)
  if (visit)
    await auditCommand(visit.context, {
      action: 'page.refused',
      subject: 'page',
      details: {
        page: `${request.method} ${request.routeOptions.url ?? ''}`,
        ...askedOf(request),
        reason: sentenceOf(refusal),
      },
    })
  const next = visit === undefined ? signInForm() : html`<p><a href="/">Back</a></p>`
  const body = html`<p class="refused" role="alert">${sentenceOf(refusal)}</p>${next}`
  const title = visit === undefined ? 'Sign in' : 'Nothing was changed'
  return send(
    reply.code(PROBLEMS[refusal.code].status),
    pageOf({ title, viewer: visit && viewerOf(visit), body }),
  )
}

const ASKED = ['id', 'name', 'subject'] as const
const MOST_LETTERS = 100

/** The withdrawal, user or subject in the URL. */
function askedOf({ params, query }: FastifyRequest): Record<string, string> {
  const given = { ...(query as object), ...(params as object) } as Record<string, unknown>
  return Object.fromEntries(
    ASKED.flatMap((name) =>
      typeof given[name] === 'string'
        ? [[name, given[name].replaceAll('\0', '').slice(0, MOST_LETTERS)]]
        : [],
    ),
  )
}

const statusOf = (error: Error): number => ('statusCode' in error ? Number(error.statusCode) : 500)

/** The newest events, optionally of one subject. */
async function auditPage({ context }: Visit, subject: string): Promise<Html> {
  const rows = await readAudit(context, subject === '' ? undefined : subject)
  const list = rows.map(
    (row) => html`<li class="card">
<div class="line"><h2>${row.action}</h2><span class="quiet">${timeText(row.createdAt)}</span></div>
${factsOf([['By', row.actor], ['About', row.subject], ...Object.entries(row.details)])}
</li>`,
  )
  return html`<form class="narrow" method="get" action="/audit">
<label>Subject: an id or a name<input
name="subject" value="${subject}" autocomplete="off"></label><button>Show</button></form>
<p class="quiet">The newest ${rows.length} events.</p>
<ul>${list}</ul>`
}

/** Headers that decide whether the sender may read metrics. */
const DECISIVE = ['authorization', 'forwarded', 'x-forwarded-for'] as const

/**
 * Serves health, metrics and the API's description on the operators' port too, so that internal
 * monitors can bypass a proxy in front of the users' server. Access rules are the same.
 */
function registerFigures(app: FastifyInstance, product: FastifyInstance): void {
  for (const url of ['/health', '/metrics', plainRoutes.openApi]) {
    app.get(url, async (request, reply) => {
      const headers = Object.fromEntries(
        DECISIVE.flatMap((name) =>
          request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
        ),
      )
      const { remoteAddress } = request.socket
      const answer = await product.inject({
        url,
        headers: { ...headers, host: '127.0.0.1' },
        ...(remoteAddress !== undefined && { remoteAddress }),
      })
      return reply
        .code(answer.statusCode)
        .type(String(answer.headers['content-type']))
        .send(answer.rawPayload)
    })
  }
}
