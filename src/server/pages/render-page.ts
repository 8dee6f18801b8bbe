import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FirstAnswers, PageFacts } from '#contract/page-data.ts'
import { isScreen } from '#contract/screens.ts'
import { language } from '#words/language.ts'
import type { Context } from '#server/context.ts'
import { momentNow, momentText } from '#server/events/moment.ts'
import { cookieName } from '#server/own-address.ts'
import { readFirstAnswers } from './first-answers.ts'
import { pageFacts } from './page-facts.ts'
import { openShell } from './page-shell.ts'
import { sendHtml } from './send-html.ts'

/** Written by the build for the server; not served. */
export const PRERENDER_FILE = 'prerender.js'

type Rendered = { markup: string; title: string | undefined; redirectTo?: string }
type Prerender = (path: string, data: FirstAnswers & { page: PageFacts }) => Promise<Rendered>

/** Answers a request for any screen, from anybody. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Every page is readable before its scripts run, and without them: the screen is rendered for this
 * one request, with the answers to its first queries. If the build has no renderer, or rendering
 * fails, the browser renders the app from the same answers.
 */
export function openPages(
  context: Context,
  { directory, page }: { directory: string; page: string },
): SendPage {
  const shell = openShell(page, directory)
  const file = join(directory, PRERENDER_FILE)
  const loading = existsSync(file) ? loadPrerender(file) : undefined
  return async (request, reply) => {
    const facts = pageFacts(request, { at: context.now(), since: await sinceOf(context, request) })
    const [path = '/'] = request.url.split('?', 1)
    const begunMs = performance.now()
    const answers = await readFirstAnswers({ context, request, reply }, path)
    const readMs = performance.now()
    const prerender = await loading
    const { redirectTo, ...rendered } = await (
      prerender?.(request.url, { page: facts, ...answers }) ?? UNRENDERED
    ).catch((error: unknown) => {
      context.log.error(error, 'a page could not be rendered')
      return UNRENDERED
    })
    if (redirectTo !== undefined)
      return reply.header('cache-control', 'no-store').redirect(redirectTo)
    const html = shell.around({ page: facts, answers, ...rendered })
    if (shell.scriptHash !== undefined) allowScript(reply, shell.scriptHash)
    void reply.header(
      'server-timing',
      `read;dur=${(readMs - begunMs).toFixed(1)}, ` +
        `render;dur=${(performance.now() - readMs).toFixed(1)}`,
    )
    return sendHtml(html, { request, reply: isScreen(path) ? reply : reply.code(404) })
  }
}

/** Signed-out visitors miss nothing but prices, which come again. */
async function sinceOf({ config, reads }: Context, { cookies }: FastifyRequest): Promise<string> {
  if (cookies[cookieName(config, 'sid')] === undefined) return ''
  return momentNow(reads).then(
    ({ past }) => momentText(past),
    () => '',
  )
}

const UNRENDERED = Promise.resolve<Rendered>({ markup: '', title: undefined })

async function loadPrerender(file: string): Promise<Prerender> {
  const {
    prerender,
    readWith,
  }: { prerender: Prerender; readWith: (find: typeof language) => void } = await import(
    pathToFileURL(file).href
  )
  readWith(language)
  return prerender
}

function allowScript(reply: FastifyReply, hash: string): void {
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header(
    'content-security-policy',
    policy.replace("script-src 'self'", `script-src 'self' ${hash}`),
  )
}
