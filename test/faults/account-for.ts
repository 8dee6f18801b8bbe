import { expect } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import type { Journal } from './load.ts'

/**
 * Checks that everything acknowledged is booked exactly once, nothing else is, and the book is in
 * order. Requires that nothing is in progress.
 */
export async function accountFor(sql: Sql, journal: Journal): Promise<void> {
  expect(journal.complaints).toEqual([])
  expect(await atOneMoment(sql, recompute)).toEqual([])
  expect(await cashMoved(sql, 'deposit:%'), 'deposits').toEqual(
    expected(journal.deposits, (id) => `deposit:${id}`),
  )
  expect(await cashMoved(sql, 'bot:%:fund'), 'investments').toEqual(
    expected(journal.bots, (id) => `bot:${id}:fund`, -1n),
  )
  expect(await cashMoved(sql, 'withdrawal:%:hold'), 'withdrawals').toEqual(
    expected(journal.withdrawals, (id) => `withdrawal:${id}:hold`, -1n),
  )
  await accountForCancels(sql, journal)
  await accountForBots(sql, journal)
  await executedOnce(sql)
}

/** Changes of customers' cash by transfers of a kind, keyed by occasion. */
async function cashMoved(sql: Sql, occasions: string): Promise<Map<string, bigint>> {
  const rows = await sql<{ dedupKey: string; amount: bigint }[]>`
    select t.dedup_key, e.amount from ledger_transfers t
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
       and a.code = 'customer:cash'
     where t.dedup_key like ${occasions}`
  return new Map(rows.map(({ dedupKey, amount }) => [dedupKey, amount]))
}

function expected(
  amounts: ReadonlyMap<string, string>,
  occasion: (id: string) => string,
  sign = 1n,
): Map<string, bigint> {
  return new Map([...amounts].map(([id, amount]) => [occasion(id), sign * decimalToUnits(amount)]))
}

async function accountForCancels(sql: Sql, { cancels, perhapsCanceled }: Journal): Promise<void> {
  const rows = await sql<{ id: string; events: number }[]>`
    select w.id, (select count(*)::integer from audit_events where subject = w.id::text
           and action = 'withdrawal.cancel') as events
      from withdrawal_requests w where w.state = 'canceled'`
  const canceled = new Set(rows.map(({ id }) => id))
  expect(
    rows.filter(({ events }) => events !== 1),
    'each canceled once',
  ).toEqual([])
  expect(
    [...cancels].filter((id) => !canceled.has(id)),
    'acknowledged and not canceled',
  ).toEqual([])
  expect(
    [...canceled].filter((id) => !cancels.has(id) && !perhapsCanceled.has(id)),
    'canceled by nobody',
  ).toEqual([])
}

async function accountForBots(sql: Sql, { bots, closed, isActive }: Journal): Promise<void> {
  const rows = await sql<{ id: string; status: string }[]>`select id, status from trading_bots`
  expect(new Set(rows.map(({ id }) => id)), 'bots').toEqual(new Set(bots.keys()))
  const wrong = rows.filter(({ id, status }) => {
    if (closed.has(id)) return status !== 'closing' && status !== 'closed'
    return (
      (status === 'paused') !== (isActive.get(id) === false) ||
      status === 'closing' ||
      status === 'closed'
    )
  })
  expect(wrong, 'bots in another state than their users were shown').toEqual([])
}

/**
 * Each settled block is booked once, no block is left unsettled, and no pool trades twice in an
 * hour of its strategy.
 */
async function executedOnce(sql: Sql): Promise<void> {
  const blocks = await sql`
    with booked as (select dedup_key, count(*) as transfers from ledger_transfers
         where dedup_key like 'block:%' group by 1)
    select k.id, k.state, b.transfers from engine_blocks k full join booked b
           on b.dedup_key = 'block:' || k.id
     where k.id is null or b.transfers > 1 or (b.transfers is null and k.fill_quantity > 0)
        or (b.transfers = 1 and k.state <> 'settled')`
  expect(blocks, 'blocks that were not executed exactly once').toEqual([])
  expect(await tradedTwice(sql), 'pools that traded twice in one hour of their strategy').toEqual(
    [],
  )
}

/**
 * Trades of one pool at one whole hour of the market. A pool that was emptied and founded again in
 * between counts as another pool.
 */
export async function tradedTwice(
  sql: Sql,
): Promise<{ pool: number; marketTime: Date; numbers: bigint[] }[]> {
  return sql<{ pool: number; marketTime: Date; numbers: bigint[] }[]>`
    select a.pool, a.market_time, array[a.number, b.number] as numbers
      from pool_changes a join pool_changes b on b.pool = a.pool and b.number > a.number
       and b.market_time = a.market_time and b.kind = 'trade'
     where a.kind = 'trade' and a.market_time = date_trunc('hour', a.market_time)
       and not exists (select from pool_changes c where c.pool = a.pool
           and c.number between a.number and b.number and c.units_after = 0)`
}
