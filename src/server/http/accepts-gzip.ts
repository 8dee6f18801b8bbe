import type { FastifyRequest } from 'fastify'

/** Whether the client reads gzip: `gzip;q=0` refuses it, and `identity` alone does not name it. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers['accept-encoding'] ?? '')
}
