import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { AccountRef } from './account.ts'

export type Entry = { account: AccountRef; amount: Units }

/** What a movement of money is made of: a kind and entries that sum to zero for each asset. */
export type Movement = { kind: string; entries: Entry[] }

/** A movement from balanced entries; entries of 0 are left out. Throws `AssertionFailed` where an asset does not balance. */
export function movement(kind: string, entries: Entry[]): Movement {
  const sums = new Map<string, Units>()
  for (const { account, amount } of entries) sums.set(account.asset, (sums.get(account.asset) ?? 0n) + amount)
  for (const [asset, sum] of sums) assert(sum === 0n, `${kind} does not balance in ${asset}: ${sum}`)
  return { kind, entries: entries.filter(({ amount }) => amount !== 0n) }
}
