import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteName } from '#contract/routes.ts'
import { Refusal } from '#core/refusal.ts'
import { sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { readUser } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { showConfig } from './get-config.ts'

/** Where the app begins; its first data stands right before it. */
const ROOT = '<div id="root">'

/** The app's files, and its one page for every path that is a screen. */
export async function registerPages(app: FastifyInstance, context: Context, { directory }: { directory: string }): Promise<void> {
  const file = join(directory, 'index.html')
  const page = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: false,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/')
      response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && !request.url.startsWith('/api/') && (request.headers.accept ?? '').includes('text/html')
    if (!wantsPage || page === undefined) throw new Refusal('not-found')
    return sendPage(context, { page, request, reply })
  })
  if (page !== undefined) app.get('/', (request, reply) => sendPage(context, { page, request, reply }))
}

/** The page carries the screen's first data, so that nothing waits for a second round trip. It is the user's own: never cached. */
async function sendPage(context: Context, { page, request, reply }: { page: string; request: FastifyRequest; reply: FastifyReply }): Promise<FastifyReply> {
  const data = await initialData(context, request)
  const block = `<script type="application/json" id="initial-data">${escapeJson(data)}</script>`
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page.replace(ROOT, () => block + ROOT))
}

async function initialData(context: Context, request: FastifyRequest): Promise<Partial<Record<RouteName, unknown>>> {
  const userId = await sessionUser(context, request)
  const prices = context.market.prices()
  const shared = { getConfig: showConfig(context), ...(Object.keys(prices).length > 0 && { getPrices: prices }) }
  if (userId === undefined) return { ...shared, getUser: null }
  const [user, bots] = await Promise.all([readUser(context.sql, userId), readBots(context.sql, userId)])
  return { ...shared, getUser: user, listBots: bots }
}

/** Threat: data that closes the script element would become markup. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
