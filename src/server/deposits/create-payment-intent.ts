import { checkDeposit } from '#core/deposits/deposit.ts'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import type { Handler } from '#server/http/handler.ts'
import { throttle } from '#server/auth/throttle.ts'
import { insertIntent } from './store.ts'

export const createPaymentIntent: Handler<'createPaymentIntent'> = async ({ sql, config, payments }, { userId, body }) => {
  const amount = decimalToUnits(body.amount)
  checkDeposit(amount, { minimum: BigInt(config.DEPOSIT_MINIMUM) * ONE, maximum: BigInt(config.DEPOSIT_MAXIMUM) * ONE })
  await throttle(sql, { key: `intent:${userId}`, limit: config.INTENTS_PER_HOUR, windowSeconds: 3_600 })
  const { id, clientSecret } = await payments.createIntent({ userId, amount })
  await insertIntent(sql, { id, userId, provider: payments.provider, amount })
  const { provider, publishableKey } = payments
  return { clientSecret, paymentIntentId: id, provider, ...(publishableKey && { publishableKey }), amount: unitsToDecimal(amount, 2) }
}
