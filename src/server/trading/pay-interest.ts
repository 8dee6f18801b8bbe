import { interestPaid } from '#core/ledger/movements.ts'
import { mayEarn } from '#core/pool/lot.ts'
import { earn } from '#core/pool/pool.ts'
import { sentence } from '#core/sentences.ts'
import { interestOf, midnightsBetween } from '#core/trading/cash-yield.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publishPools } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import {
  findEarningsSincePlan,
  findPools,
  nextOf,
  statesAfter,
  writeChanges,
  type PoolChange,
} from './store.ts'

/**
 * Pays interest on every pool's idle cash for each midnight from `fromMs` to `toMs`, in the
 * transaction that moves the clock, so that a crash neither loses nor repeats one. Several
 * midnights may have passed while a live market ran without an engine. A pool with a joining lot of
 * unknown outcome earns at most a hundredth of its cash, because the house pays what the lot then
 * lacks.
 */
export async function payInterest(
  context: Context,
  tx: BookWrite,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<void> {
  const { CASH_YIELD_BPS: rateBps, CASH_YIELD_SOURCE: source } = context.config
  if (rateBps === 0 || source === undefined) return
  for (const ms of midnightsBetween({ fromMs, toMs }))
    await payAtMidnight(context, tx, { midnight: new Date(ms), rateBps, source })
}

type Yield = { midnight: Date; rateBps: number; source: string }

async function payAtMidnight(
  { newId }: Context,
  tx: BookWrite,
  { midnight, rateBps, source }: Yield,
): Promise<void> {
  const earnings = await findEarningsSincePlan(tx.sql)
  const paid = (await findPools(tx.sql))
    .map((pool) => ({ pool, interest: interestOf(pool.cash, rateBps) }))
    .filter(({ pool, interest }) => {
      const earned = earnings.get(pool.id)
      return interest > 0n && (earned === undefined || mayEarn(pool, { earned, interest }))
    })
  const total = paid.reduce((sum, { interest }) => sum + interest, 0n)
  await tx.sql`
    insert into cash_yields (midnight, rate_bps, source, amount)
    values (${midnight}, ${rateBps}, ${source}, ${total})`
  if (paid.length === 0) return
  const changes = paid.map(({ pool, interest }): PoolChange => ({
    ...nextOf(pool),
    id: newId(),
    kind: 'yield',
    interest,
    weight: pool.units,
    members: 0,
    after: earn(pool, interest),
    reason: sentence('interest'),
    marketTime: midnight,
  }))
  await writeChanges(tx.sql, changes)
  await publishPools(tx.sql, statesAfter(changes))
  await post(tx, {
    id: newId(),
    dedupKey: `interest:${midnight.toISOString()}`,
    movement: interestPaid(paid.map(({ pool, interest }) => ({ pool: pool.id, amount: interest }))),
    eventTime: midnight,
  })
}
