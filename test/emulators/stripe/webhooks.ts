import { createHmac } from 'node:crypto'

/**
 * Signed by Stripe's scheme v1: HMAC-SHA256 over `<seconds>.<body>`. Source:
 * docs.stripe.com/webhooks, "verify manually".
 */
export function signatureOf(
  body: string,
  { secret, atSeconds }: { secret: string; atSeconds: number },
): string {
  const mark = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${mark}`
}
