import type { KeyLimits } from '#core/auth/program-key.ts'
import { checkCount } from '#core/count-limits.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Call, Handler } from '#server/action.ts'
import { notify } from '#server/notices/notify.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import { auditUser } from '#server/security/audit.ts'
import { checkNetworks, keyHashOf, keyTokenText, newKeyToken } from './program-key.ts'
import { findKeys, insertKey } from './program-key-store.ts'

/** No other answer contains the secret: the table stores only its hash. */
export const makeKey: Handler<'makeKey'> = async (context, { userId, body, proof }) => {
  const { name, scope, days, networks } = body
  checkNetworks(networks)
  const limits = readLimits(body)
  const token = newKeyToken({ userId, id: context.newId() })
  const expiresAt = new Date(context.now().getTime() + days * DAY_MS)
  const rights = { userId, id: token.id, scope, networks, limits, expiresAt }
  // Waits for "This was not me" and a password reset: they end the session, and with it the proof.
  await changeAccount(context, userId, async (tx) => {
    checkCount('too-many-keys', (await findKeys(tx.sql, userId)).length)
    await proof.spend(tx)
    const hash = keyHashOf(rights, token.secret, context.config)
    await insertKey(tx.sql, { ...rights, name, hash })
    const event = `key:${token.id}`
    await notify(tx.sql, { userId, kind: 'key-made', event, details: { key: name } })
    const details = { key: token.id, scope }
    await auditUser(context, tx, { userId, action: 'key.make', details })
  })
  return { id: token.id, secret: keyTokenText(token) }
}

function readLimits({
  scope,
  mostBots,
  dailyAmount,
}: Call<'makeKey'>['body']): KeyLimits | undefined {
  const given = { mostBots, dailyAmount }
  for (const [field, value] of Object.entries(given))
    if ((value === undefined) === (scope === 'bots'))
      throw new Refusal(scope === 'bots' ? 'required' : 'invalid-input', { field })
  if (mostBots === undefined || dailyAmount === undefined) return undefined
  const amount = decimalToUnits(dailyAmount)
  if (amount <= 0n) throw new Refusal('key-limit-invalid', { field: 'dailyAmount' })
  return { mostBots, dailyAmount: amount }
}
