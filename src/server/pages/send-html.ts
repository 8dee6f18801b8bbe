import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(brotliCompress)

/** A page is compressed for one reader: a millisecond's work, within a tenth of the best. */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * Sends a page made for this request, compressed where the browser takes it; nobody else may keep it.
 * A page holds no secret that its size could betray: the session is in a cookie alone, and nothing of the address is written into it.
 */
export async function sendHtml(html: string, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store').header('vary', 'accept-encoding').type('text/html; charset=utf-8')
  const takesBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (!takesBrotli) return reply.send(html)
  return reply.header('content-encoding', 'br').send(await compress(html, PAGE_QUALITY))
}
