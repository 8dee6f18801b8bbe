import { request, type Agent } from 'node:https'
import { isReachableContact, retryAfterMs } from '#core/notices/push-answer.ts'
import { plainAddress, PublicAgent } from '#server/kernel/public-network.ts'
import type { Webhook, WebhookAnswer } from '#server/ports/webhook.ts'

const TIMEOUT_MS = 12_000

/**
 * Follows no redirect and reads no body: only status and headers count. A failure has no reason,
 * because it could reveal what our network reaches.
 */
export function httpsWebhooks({
  agent = new PublicAgent(),
  timeoutMs = TIMEOUT_MS,
}: { agent?: Agent; timeoutMs?: number } = {}): Webhook {
  const addressOf: Webhook['addressOf'] = (typed) => {
    const address = plainAddress(typed)?.address
    return address !== undefined && isReachableContact(address) ? address : undefined
  }
  return {
    addressOf,
    send: async ({ address: stored, headers, body }) => {
      const address = addressOf(stored)
      if (address === undefined) return { status: null }
      return new Promise<WebhookAnswer>((resolve) => {
        const options = {
          agent,
          headers,
          method: 'POST',
          signal: AbortSignal.timeout(timeoutMs),
        }
        request(address, options, (response) => {
          const { statusCode = null, headers: answered } = response
          const nowMs = Date.parse(answered.date ?? '')
          resolve({
            status: statusCode,
            retryAfterMs: retryAfterMs(answered['retry-after'], nowMs),
          })
          response.destroy()
        })
          // Threat: a switch of protocols ends a request with neither a response nor an error.
          .on('upgrade', (_response, socket) => socket.destroy())
          .on('error', () => resolve({ status: null }))
          .on('close', () => resolve({ status: null }))
          .end(body)
      })
    },
  }
}
