import { createHash } from 'node:crypto'
import { checkDeposit } from '#core/deposits/deposit.ts'
import { unitsOfDollars } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { insertIntent } from './store.ts'

export const createPaymentIntent: Handler<'createPaymentIntent'> = async (
  { sql, config, payments, newId },
  { userId, body, idempotencyKey },
) => {
  const amount = decimalToUnits(body.amount)
  checkDeposit(amount, {
    minimum: unitsOfDollars(config.DEPOSIT_MINIMUM),
    maximum: unitsOfDollars(config.DEPOSIT_MAXIMUM),
  })
  await throttle(sql, {
    key: `intent:${userId}`,
    limit: config.INTENTS_PER_HOUR,
    windowSeconds: 3_600,
  })
  const { provider, publishableKey } = payments
  if (provider === 'none') throw new Refusal('payment-unavailable')
  const attempt = createHash('sha256')
    .update(idempotencyKey ?? newId())
    .digest('hex')
  const { id, clientSecret } = await payments.createIntent({ userId, amount, attempt })
  await insertIntent(sql, { id, userId, provider, amount })
  return {
    clientSecret,
    paymentIntentId: id,
    provider,
    ...(publishableKey && { publishableKey }),
    amount: unitsToDecimal(amount, 2),
  }
}
