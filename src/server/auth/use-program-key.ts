import { required } from '#core/assert.ts'
import { checkKeyLimits, type KeyRights } from '#core/auth/program-key.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { readKeyToken } from './program-key.ts'
import {
  findKey,
  findKeyUse,
  insertKeyBot,
  lockKey,
  touchKey,
  type FoundKey,
} from './program-key-store.ts'

export type KeyInUse = FoundKey

/** The key that a program sent, if it is valid. */
export async function lookUpKey(
  { reads, config }: Context,
  text: string,
): Promise<KeyInUse | undefined> {
  const token = readKeyToken(text)
  return token && findKey(reads, token, config)
}

/** Written rarely: a write for each request would cost more than the request. */
export async function noteUse(sql: Queries, key: KeyInUse): Promise<void> {
  if (key.isUsedLongAgo) await touchKey(sql, key)
}

/** Refuses a key that was revoked since its request began. The lock orders uses of one key. */
export async function refuseRevoked(tx: Queries, key: KeyRights): Promise<void> {
  if (!(await lockKey(tx, key))) throw new Refusal('key-invalid')
}

/**
 * Counts a bot that a key made, in the bot's transaction. Refuses beyond the key's limits. Threat:
 * of two creations at once, each would count only its own bot. So the lock comes first.
 */
export async function chargeKey(
  tx: Queries,
  key: KeyRights,
  { botId, amount }: { botId: string; amount: Units },
): Promise<void> {
  await refuseRevoked(tx, key)
  await insertKeyBot(tx, { ...key, botId, amount })
  const used = required(await findKeyUse(tx, key), 'a sum has its row')
  checkKeyLimits(required(key.limits, 'a key that makes bots has limits'), used)
}
