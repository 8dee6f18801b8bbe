import { sentence } from '#core/sentences.ts'
import { interestPaid } from '#core/ledger/movements.ts'
import { earn } from '#core/pool/pool.ts'
import { interestOf, midnightsBetween } from '#core/trading/cash-yield.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import { publishPools } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { findPools, statesAfter, writeChanges, type PoolChange, type StoredPool } from './store.ts'

/**
 * Pays the interest on every pool's idle cash for each midnight that the market's clock passes from
 * `fromMs` to `toMs`, in the transaction that moves the clock: the clock is what is remembered of
 * it, so a crash can neither lose a midnight nor repeat one. A live market that went on while no
 * engine ran has passed several; the cash was the same at all of them.
 */
export async function payInterest(
  context: Context,
  tx: Transaction,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<void> {
  const { CASH_YIELD_BPS: rateBps, CASH_YIELD_SOURCE: source } = context.config
  if (rateBps === 0 || source === undefined) return
  const midnights = midnightsBetween({ fromMs, toMs })
  if (midnights.length === 0) return
  let pools = await findPools(tx.sql)
  for (const midnightMs of midnights) {
    const midnight = new Date(midnightMs)
    const earned = pools.map((pool): Earned => earnedBy(pool, rateBps))
    const paid = earned.filter(({ interest }) => interest > 0n)
    await tx.sql`insert into cash_yields (midnight, rate_bps, source, amount)
      values (${midnight}, ${rateBps}, ${source},
      ${paid.reduce((sum, { interest }) => sum + interest, 0n)})`
    if (paid.length > 0) {
      const changes = paid.map((one) => changeOf(one, { id: context.newId(), midnight }))
      await writeChanges(tx.sql, changes)
      await publishPools(tx.sql, statesAfter(changes))
      const movement = interestPaid(
        paid.map(({ pool, interest }) => ({ pool: pool.id, amount: interest })),
      )
      await post(tx, {
        id: context.newId(),
        dedupKey: `interest:${midnight.toISOString()}`,
        movement,
        eventTime: midnight,
      })
    }
    pools = earned.map(({ pool }) => pool)
  }
}

/** A pool after its interest. */
type Earned = { pool: StoredPool; interest: bigint }

function earnedBy(pool: StoredPool, rateBps: number): Earned {
  const interest = interestOf(pool.cash, rateBps)
  return interest === 0n
    ? { pool, interest }
    : { pool: { ...pool, ...earn(pool, interest), changes: pool.changes + 1n }, interest }
}

function changeOf(
  { pool, interest }: Earned,
  { id, midnight }: { id: string; midnight: Date },
): PoolChange {
  const { cash, base, units, appliedBps } = pool
  return {
    pool: pool.id,
    number: pool.changes,
    id,
    kind: 'yield',
    interest,
    weight: units,
    members: 0,
    after: { cash, base, units, appliedBps },
    reason: sentence('interest'),
    marketTime: midnight,
  }
}
