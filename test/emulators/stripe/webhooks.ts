import { createHmac } from 'node:crypto'
import type { StripeEvent } from './objects.ts'

/** Signed by Stripe's scheme v1: HMAC-SHA256 over `<seconds>.<body>`. Source: docs.stripe.com/webhooks, "verify manually". */
export function signatureOf(body: string, { secret, atSeconds }: { secret: string; atSeconds: number }): string {
  const mark = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${mark}`
}

/** Sends an event as Stripe does and answers the status it was received with. */
export async function deliver(event: StripeEvent, { url, secret, now }: { url: string; secret: string; now: Date }): Promise<number> {
  const body = JSON.stringify(event, null, 2)
  const signature = signatureOf(body, { secret, atSeconds: Math.floor(now.getTime() / 1_000) })
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature, 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' },
  })
  await answer.arrayBuffer()
  return answer.status
}
