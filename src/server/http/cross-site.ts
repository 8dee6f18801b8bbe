import type { FastifyRequest, FastifyReply } from 'fastify'
import { plainRoutes } from '#contract/plain-routes.ts'
import { Refusal } from '#core/refusal.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'
import { t } from '#words/words.ts'
import type { Config } from '#server/settings/config.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Paths called by other machines, without a cookie, authenticated by signature. */
export const SIGNED_PATHS: ReadonlySet<string | undefined> = new Set([
  CARD_WEBHOOK,
  plainRoutes.unsubscribe,
])

/**
 * Threat: another site makes the user's browser send a request with the user's cookie. Browsers
 * send the request's origin in Sec-Fetch-Site, older ones in Origin; an unsafe request must have
 * our own, with or without a body. A user's GET that writes is refused if the browser reports
 * another site; older browsers send no Origin with a GET.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const {
    url: path,
    config: { call },
  } = request.routeOptions
  const isSafe = SAFE_METHODS.has(request.method)
  if (SIGNED_PATHS.has(path) || (isSafe && !(call?.writes === true && call.access === 'user')))
    return
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  if (
    site === undefined &&
    (isSafe
      ? request.headers.origin === undefined || originMatches(request)
      : originMatches(request))
  )
    return
  throw new Refusal('cross-site')
}

function originMatches(request: FastifyRequest): boolean {
  const { origin } = request.headers
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).host === request.host
}

/** IP addresses and localhost: no name server resolves them. */
const UNNAMED = /^(localhost|[\d.]+|\[[\da-f:.]+\])$/

/**
 * Threat: a site has its own name resolved to this machine (DNS rebinding), so that a browser takes
 * us for that site. Programs send no Origin. Source: MCP, transports, security.
 */
export function refuseOtherOrigins(
  request: FastifyRequest,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): void {
  const { origin } = request.headers
  if (origin === undefined) return
  const isOurs =
    originMatches(request) && (PUBLIC_URL !== undefined || UNNAMED.test(new URL(origin).hostname))
  if (!isOurs) throw new Refusal('cross-site')
}

/**
 * Pages for monitors, which may address the machine by any name. They do not depend on the host.
 */
const FOR_MONITORS: ReadonlySet<string | undefined> = new Set(['/health', '/metrics'])

/**
 * A name or an IP address with an optional port: nothing that a URL parser would read as user or
 * path.
 */
const HOST = /^[\w.:[\]-]+$/

/**
 * Threat: a request may name any host, and one that names two may mean another one to a proxy than
 * to us. Then a text that depends on the host, such as the message that a wallet signs, would be
 * for another site. So if PUBLIC_URL is set, other hosts are refused.
 */
export function refuseOtherHosts(
  request: FastifyRequest,
  reply: FastifyReply,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): void {
  const names = request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  )
  if (names.length === 0 && request.raw.httpVersion === '1.1') refuseWithoutHost(reply)
  if (names.length > 1) throw new Refusal('wrong-host')
  if (PUBLIC_URL === undefined || FOR_MONITORS.has(request.routeOptions.url)) return
  const own = new URL(PUBLIC_URL)
  const requested = `${own.protocol}//${request.host}`
  if (!HOST.test(request.host) || !URL.canParse(requested) || new URL(requested).host !== own.host)
    throw new Refusal('wrong-host')
}

/** Source: RFC 9112, 3.2. Node's own refusal has no body. */
function refuseWithoutHost(reply: FastifyReply): never {
  void reply.header('connection', 'close')
  throw new Refusal('invalid-input', { field: 'Host', sentence: t('The request names no host.') })
}
