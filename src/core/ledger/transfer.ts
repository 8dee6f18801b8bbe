import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { AccountRef } from './account.ts'

/** `amount`: signed units of the account's asset; positive credits it. */
export type Entry = { account: AccountRef; amount: Units }

/** Entries sum to zero in each asset. */
export type Movement = { kind: string; entries: Entry[] }

/** Drops entries of 0. Throws `AssertionFailed` if an asset does not balance. */
export function movement(kind: string, entries: Entry[]): Movement {
  const sums = new Map<string, Units>()
  for (const { account, amount } of entries)
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + amount)
  for (const [asset, sum] of sums)
    assert(sum === 0n, `${kind} does not balance in ${asset}: ${sum}`)
  return { kind, entries: entries.filter(({ amount }) => amount !== 0n) }
}
