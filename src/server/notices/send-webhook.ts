import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '#server/context.ts'
import { seal, unseal } from '#server/kernel/sealed.ts'
import { PushRefused } from '#server/ports/push.ts'
import { composeWebhook } from './compose.ts'
import { noteAnswer, type Delivery } from './delivery-store.ts'
import { notify } from './notify.ts'
import { noteFailure, noteTaken } from './webhook-store.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Source: Standard Webhooks 1.0.0, "Signature scheme". */
export function newWebhookSecret(
  { config }: Pick<Context, 'config'>,
  userId: string,
): { secret: string; secretSealed: string } {
  const secret = PREFIX + randomBytes(SECRET_BYTES).toString('base64')
  const sealing = { userId, secret: config.SESSION_SECRET, purpose: 'webhooks' } as const
  return { secret, secretSealed: seal({ text: secret, ...sealing }) }
}

type Endpoint = NonNullable<Delivery['webhook']>

/** False if it can never be sent: the webhook was removed or switched off. */
export async function sendWebhook(context: Context, delivery: Delivery): Promise<boolean> {
  const { userId, webhook } = delivery
  if (webhook === null || !context.webhook.send) return false
  const { status, retryAfterMs } = await context.webhook.send({
    address: webhook.address,
    ...signedMessage(context, { ...delivery, webhook }),
  })
  await noteAnswer(context.sql, delivery, status)
  if (status !== null && status >= 200 && status < 300) {
    if (webhook.isFailing) await noteTaken(context.sql, { userId, id: webhook.id })
    return true
  }
  const { host } = new URL(webhook.address)
  const isOff = await context.atomically(async ({ sql }) => {
    const isOff = await noteFailure(sql, { userId, id: webhook.id, isGone: status === 410 })
    const event = `webhook-off:${context.newId()}`
    if (isOff) await notify(sql, { userId, kind: 'webhook-off', event, details: { host } })
    return isOff
  })
  if (isOff) return false
  throw new PushRefused({
    meaning: 'later',
    answer: `${status ?? 'nothing'} of ${host}`,
    retryAfterMs,
  })
}

/** The id stays the same for each attempt, so that a receiver recognizes what it has. */
function signedMessage(
  { config, now }: Context,
  { userId, webhook, ...delivery }: Delivery & { webhook: Endpoint },
): { headers: Record<string, string>; body: string } {
  const body = composeWebhook({ userId, webhook, ...delivery })
  const id = `msg_${delivery.id.replaceAll('-', '')}`
  const timestamp = String(Math.floor(now().getTime() / 1_000))
  const signatures = webhook.secrets.map((sealed) => {
    const opened = unseal({ sealed, userId, secret: config.SESSION_SECRET, purpose: 'webhooks' })
    const key = Buffer.from(opened.slice(PREFIX.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
    return `v1,${signature.digest('base64')}`
  })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Trading-Bot-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  }
}
