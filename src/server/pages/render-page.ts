import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FirstAnswers, PageFacts } from '#contract/page-data.ts'
import { isScreen } from '#contract/screens.ts'
import { language } from '#words/language.ts'
import type { Context } from '#server/context.ts'
import { momentNow, eventPositionText } from '#server/events/moment.ts'
import { cookieName, deviceCookie } from '#server/settings/own-address.ts'
import { readFirstAnswers } from './first-answers.ts'
import { openShell } from './page-shell.ts'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { accepts } from '#server/http/by-quality.ts'

/** Written by the build for the server; not served. */
export const PRERENDER_FILE = 'prerender.js'

type Rendered = { markup: string; title: string | undefined; redirectTo?: string }
type Prerender = (path: string, data: FirstAnswers & { page: PageFacts }) => Promise<Rendered>

type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Every page is readable before its scripts run, and without them: the screen is rendered with the
 * answers to its first queries. If rendering fails, or the build has no renderer, the browser
 * renders the app from the same answers.
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
    const answers = await readFirstAnswers(
      { context, request, reply },
      { path, isDesk: facts.isDesk },
    )
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

/** Empty for signed-out visitors: they can miss only prices, and new ones follow soon. */
async function sinceOf({ config, reads }: Context, { cookies }: FastifyRequest): Promise<string> {
  if (cookies[cookieName(config, 'sid')] === undefined) return ''
  return momentNow(reads).then(
    ({ past }) => eventPositionText(past),
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

function pageFacts(
  { cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>,
  { at, since }: { at: Date; since: string },
): PageFacts {
  const theme = deviceCookie(cookies, 'theme')
  return {
    at: at.toISOString(),
    since,
    timeZone: knownZone(deviceCookie(cookies, 'time-zone')),
    language: language(),
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    hidesBalance: deviceCookie(cookies, 'hide-balance') === 'yes',
    hidesFirstSteps: deviceCookie(cookies, 'first-steps') === 'hidden',
    isDesk: !headers['user-agent']?.includes('Mobi'),
    hasFont: deviceCookie(cookies, 'font') === 'fetched',
  }
}

/**
 * The zone's canonical name; null on a first visit and for an unknown name, such as the
 * 'Etc/Unknown' of some browsers.
 */
function knownZone(name: string | undefined): string | null {
  if (name === undefined || name === '') return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const compress = promisify(brotliCompress)

/** Ten packets, which a server sends before it waits for the browser, less 1 kB of headers. */
const FIRST_FLIGHT_BYTES = 13_600

/**
 * Quality 7 takes two milliseconds. Quality 10 makes a page a tenth smaller and takes thirty, less
 * than the round trip that it saves if the page then fits into the first flight.
 */
async function compressed(html: string): Promise<Buffer> {
  const page = await compress(html, qualityOf(7))
  const mayFit = page.length > FIRST_FLIGHT_BYTES && page.length * 0.93 < FIRST_FLIGHT_BYTES
  return mayFit ? compress(html, qualityOf(10)) : page
}

const qualityOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

/**
 * Compressed if the browser accepts it. No cache may store it. Threat: the size of a compressed
 * page could reveal a secret in it. Pages contain none: the session is only in a cookie, and
 * nothing from the URL is written into the page.
 */
export async function sendHtml(
  html: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const takesBrotli = accepts(request.headers['accept-encoding'], 'br', ['*'])
  // The page is compressed before any header is set: while it waits for a thread, a plain refusal
  // may be sent instead.
  const body = takesBrotli ? await compressed(html) : html
  void reply
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8')
  if (takesBrotli) void reply.header('content-encoding', 'br')
  return reply.send(body)
}
