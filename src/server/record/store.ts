import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { PoolRecord } from '#core/record/track-record.ts'
import type { RecordedChange } from '#core/record/pool-life.ts'
import { groupBy } from '#core/group-by.ts'
import type { Side } from '#core/trading/fill.ts'
import { rows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'

/** Finds pools in the order of their ids, which is by pair. */
export async function findRecordedPools(
  sql: Queries,
): Promise<Pick<PoolRecord, 'id' | 'strategy' | 'pair'>[]> {
  return sql<
    { id: number; strategy: string; pair: Pair }[]
  >`select id, strategy, pair from pools order by id`
}

type ChangeRow = Record<'quantity' | 'total' | 'fee' | 'price' | 'cash' | 'base', Units> & {
  pool: number
  number: bigint
  side: Side | null
  interest: Units | null
  units: string
  marketTime: Date
}

/**
 * The changes on which the value per unit of these pools depends, after the change `after` of each
 * and before `until`: trades of their strategies, interest, foundings, and the departure of the
 * last members. The change `after` shows whether the pool was empty.
 */
export async function findRecordedChanges(
  sql: Queries,
  { pools, until }: { pools: readonly { id: number; after: bigint }[]; until: Date },
): Promise<Map<number, RecordedChange[]>> {
  const found = await sql<ChangeRow[]>`
    select c.pool, c.number, case when c.kind = 'trade' then c.side end as side, case
      when c.kind = 'yield' then c.total end as interest, c.quantity, c.total, c.fee,
           coalesce(b.price, 0) as price,
           c.cash_after as cash, c.base_after as base, c.units_after as units, c.market_time
      from (select all_changes.*, given.after,
           lag(units_after, 1, 0::numeric) over (partition by pool order by number) as units_before
              from ${rows(pools, { id: 'smallint', after: 'bigint' })}
              join pool_changes all_changes on all_changes.pool = given.id
               and all_changes.number >= given.after
             where all_changes.market_time < ${until}) c
      left join engine_blocks b on b.id = c.block_id
     where c.number > c.after and (c.kind in ('trade', 'yield') or c.units_after = 0
           or c.units_before = 0)
     order by c.pool, c.number`
  const changes = found.map(
    ({ marketTime, units, interest, ...row }): RecordedChange & { pool: number } => ({
      ...row,
      timeMs: marketTime.getTime(),
      units: BigInt(units),
      ...(interest !== null && { interest }),
    }),
  )
  return groupBy(changes, ({ pool }) => pool)
}
