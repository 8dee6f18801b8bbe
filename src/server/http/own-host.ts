import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Config } from '#server/config.ts'

/** Monitors ask the machine itself, by any name, and these pages do not depend on it. */
const FOR_MONITORS: ReadonlySet<string | undefined> = new Set(['/health', '/metrics'])

/**
 * A name or an address, with a port or without: nothing that an address would read as its user or
 * its path.
 */
const HOST = /^[\w.:[\]-]+$/

/**
 * Threat: a request may name any host, and one that names two may mean another one to a proxy than
 * to us. Whatever is made from the host, such as the message that a wallet signs, would then belong
 * to another site. So where PUBLIC_URL is set, only its host is answered.
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
  const asked = `${own.protocol}//${request.host}`
  if (!HOST.test(request.host) || !URL.canParse(asked) || new URL(asked).host !== own.host)
    throw new Refusal('wrong-host')
}

/** Source: RFC 9112, 3.2. Node would answer it without a body. */
function refuseWithoutHost(reply: FastifyReply): never {
  void reply.header('connection', 'close')
  throw new Refusal('invalid-input', { field: 'Host', sentence: t('The request names no host.') })
}
