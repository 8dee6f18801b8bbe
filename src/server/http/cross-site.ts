import type { FastifyRequest } from 'fastify'
import { routes } from '#contract/routes.ts'
import { Refusal } from '#core/refusal.ts'
import { CARD_WEBHOOK } from '#server/deposits/receive-webhook.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Called by other machines, which have no cookie and authenticate by a signature. */
const SIGNED_PATHS: ReadonlySet<string | undefined> = new Set([CARD_WEBHOOK])

/** The specification gives these calls, which write, the method GET. */
const WRITING_PATHS: ReadonlySet<string | undefined> = new Set([
  routes.getWalletNonce.path,
  routes.getWalletBalance.path,
])

/**
 * Threat: another site makes the user's browser send a request with the user's cookie. Browsers say
 * where a request comes from in Sec-Fetch-Site, older ones in Origin; an unsafe request must prove
 * that it is our own, with or without a body. A GET that writes is refused if the browser says that
 * another site sent it; older browsers send no Origin with a GET.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const { url: path } = request.routeOptions
  const isSafe = SAFE_METHODS.has(request.method)
  if (SIGNED_PATHS.has(path) || (isSafe && !WRITING_PATHS.has(path))) return
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
