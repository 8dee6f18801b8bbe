import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { CARD_WEBHOOK, receiveWebhook } from '#server/deposits/receive-webhook.ts'

/**
 * Routes for other machines. A signature covers the bytes of the body, so only these routes check
 * it before any parsing.
 */
export async function registerWebhooks(app: FastifyInstance, context: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(CARD_WEBHOOK, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await receiveWebhook(context, {
        body,
        signature: String(request.headers['stripe-signature'] ?? ''),
      })
      return reply.header('cache-control', 'no-store').send({ received: true })
    })
  })
}
