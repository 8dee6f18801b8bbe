import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/**
 * Whether the caller may read the figures of this installation: from this machine, or with
 * MONITOR_TOKEN. Threat: counts of each route and of failures, and whether orders are halted, help
 * nobody but operators and attackers. A proxy on this machine passes on what others ask; it says so
 * in X-Forwarded-For.
 */
export function isMonitor(
  request: FastifyRequest,
  { TRUST_PROXY, MONITOR_TOKEN }: Pick<Config, 'TRUST_PROXY' | 'MONITOR_TOKEN'>,
): boolean {
  const isForwarded =
    TRUST_PROXY === undefined &&
    (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined)
  if (LOOPBACK.test(request.ip) && !isForwarded) return true
  const [scheme, token = ''] = request.headers.authorization?.split(' ', 2) ?? []
  return (
    MONITOR_TOKEN !== undefined &&
    scheme === 'Bearer' &&
    timingSafeEqual(hashOf(token), hashOf(MONITOR_TOKEN))
  )
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
