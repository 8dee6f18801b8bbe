import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { sessionUser } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { readUser } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { showConfig } from './get-config.ts'
import { withData, type InitialData } from './initial-data.ts'
import { openLanding, PRERENDER_FILE } from './landing.ts'
import { sendHtml } from './send-html.ts'

/** The app's files, and its one page for every path that is a screen. */
export async function registerPages(app: FastifyInstance, context: Context, { directory }: { directory: string }): Promise<void> {
  const file = join(directory, 'index.html')
  const page = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: false,
    globIgnore: [PRERENDER_FILE, '**/*.br'],
    preCompressed: true,
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
  if (page === undefined) return
  const landing = openLanding(context, { directory, page })
  app.get('/', async (request, reply) => {
    const isSignedIn = (await sessionUser(context, request)) !== undefined
    if (!isSignedIn && (await landing(request, reply))) return reply
    return sendPage(context, { page, request, reply })
  })
}

/** The page carries the screen's first data, so that nothing waits for a second round trip. It is the user's own: never cached. */
async function sendPage(context: Context, { page, request, reply }: { page: string; request: FastifyRequest; reply: FastifyReply }): Promise<FastifyReply> {
  const data = await initialData(context, request)
  return sendHtml(withData(page, { data }), { request, reply })
}

async function initialData(context: Context, request: FastifyRequest): Promise<InitialData> {
  const userId = await sessionUser(context, request)
  const prices = context.market.prices()
  const shared = { getConfig: showConfig(context), ...(Object.keys(prices).length > 0 && { getPrices: prices }), ...evidenceFor(context, request) }
  if (userId === undefined) return { ...shared, getUser: null }
  const [user, bots] = await Promise.all([readUser(context.sql, userId), readBots(context.sql, userId)])
  return { ...shared, getUser: user, listBots: bots }
}

/** For the page that shows it, and only where it is known already. */
function evidenceFor({ evidence }: Context, { url }: FastifyRequest): InitialData {
  if (url !== '/evidence') return {}
  const known = evidence.now()
  return known.state === 'computing' ? {} : { getEvidence: known }
}
