import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from '#server/http/by-quality.ts'

const compress = promisify(brotliCompress)

/**
 * Each page is compressed for a single response: quality 5 takes about a millisecond and comes
 * within 10 % of the best.
 */
const PAGE_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * Sends a page rendered for this request, compressed if the browser accepts it. No cache may store
 * it. Threat: the size of a compressed page could reveal a secret in it. A page holds none: the
 * session is only in a cookie, and nothing from the request's address is written into the page.
 */
export async function sendHtml(
  html: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const takesBrotli = accepts(request.headers['accept-encoding'], 'br', ['*'])
  // Before any header: while it waits for a thread, a plain refusal may be sent instead.
  const body = takesBrotli ? await compress(html, PAGE_QUALITY) : html
  void reply
    .header('cache-control', 'no-store')
    .header('vary', 'accept-encoding')
    .type('text/html; charset=utf-8')
  if (takesBrotli) void reply.header('content-encoding', 'br')
  return reply.send(body)
}
