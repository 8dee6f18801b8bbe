import type { FastifyInstance } from 'fastify'
import { plainRoutes } from '#contract/routes.ts'

/** Of a request, what decides whether its sender may read figures. */
const DECISIVE = ['authorization', 'forwarded', 'x-forwarded-for'] as const

/**
 * Health, metrics and the description of the API on the operators' port too: where a proxy
 * publishes the users' server, monitors inside need not go through it. The users' server answers,
 * with the same rules of who may read what.
 */
export function registerFigures(app: FastifyInstance, product: FastifyInstance): void {
  for (const url of ['/health', '/metrics', plainRoutes.openApi]) {
    app.get(url, async (request, reply) => {
      const headers = Object.fromEntries(
        DECISIVE.flatMap((name) =>
          request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
        ),
      )
      const { remoteAddress } = request.socket
      const answer = await product.inject({
        url,
        headers: { ...headers, host: '127.0.0.1' },
        ...(remoteAddress !== undefined && { remoteAddress }),
      })
      return reply
        .code(answer.statusCode)
        .type(String(answer.headers['content-type']))
        .send(answer.rawPayload)
    })
  }
}
