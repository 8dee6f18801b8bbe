import { expect } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Journal } from './load.ts'

/** Everything that was acknowledged is booked exactly once, nothing else is, and the book is in order. Nothing may be under way. */
export async function accountFor(sql: Sql, journal: Journal): Promise<void> {
  expect(journal.complaints).toEqual([])
  expect(await reconcile(sql)).toEqual([])
  expect(await cashMoved(sql, 'deposit:%'), 'deposits').toEqual(expected(journal.deposits, (id) => `deposit:${id}`))
  expect(await cashMoved(sql, 'bot:%:fund'), 'investments').toEqual(expected(journal.bots, (id) => `bot:${id}:fund`, -1n))
  expect(await cashMoved(sql, 'withdrawal:%:hold'), 'withdrawals').toEqual(expected(journal.withdrawals, (id) => `withdrawal:${id}:hold`, -1n))
  await accountForCancels(sql, journal)
  await accountForBots(sql, journal)
  await executedOnce(sql)
}

/** What transfers of a kind moved on customers' cash, by their occasion. */
async function cashMoved(sql: Sql, occasions: string): Promise<Map<string, bigint>> {
  const rows = await sql<{ dedupKey: string; amount: bigint }[]>`
    select t.dedup_key, e.amount from ledger_transfers t
      join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id and a.code = 'customer:cash'
     where t.dedup_key like ${occasions}`
  return new Map(rows.map(({ dedupKey, amount }) => [dedupKey, amount]))
}

function expected(amounts: ReadonlyMap<string, string>, occasion: (id: string) => string, sign = 1n): Map<string, bigint> {
  return new Map([...amounts].map(([id, amount]) => [occasion(id), sign * decimalToUnits(amount)]))
}

async function accountForCancels(sql: Sql, { cancels, perhapsCanceled }: Journal): Promise<void> {
  const rows = await sql<{ id: string; events: number }[]>`
    select w.id, (select count(*)::integer from audit_events where subject = w.id::text and action = 'withdrawal.cancel') as events
      from withdrawal_requests w where w.state = 'canceled'`
  const canceled = new Set(rows.map(({ id }) => id))
  expect(rows.filter(({ events }) => events !== 1), 'each canceled once').toEqual([])
  expect([...cancels].filter((id) => !canceled.has(id)), 'acknowledged and not canceled').toEqual([])
  expect([...canceled].filter((id) => !cancels.has(id) && !perhapsCanceled.has(id)), 'canceled by nobody').toEqual([])
}

async function accountForBots(sql: Sql, { bots, closed, isActive }: Journal): Promise<void> {
  const rows = await sql<{ id: string; status: string }[]>`select id, status from trading_bots`
  expect(new Set(rows.map(({ id }) => id)), 'bots').toEqual(new Set(bots.keys()))
  const wrong = rows.filter(({ id, status }) => {
    if (closed.has(id)) return status !== 'closing' && status !== 'closed'
    return (status === 'paused') !== (isActive.get(id) === false) || status === 'closing' || status === 'closed'
  })
  expect(wrong, 'bots that are not as their users were told').toEqual([])
}

/** A block has one fill and each of its slices once; and no bot trades twice on a pair in an hour of the strategy. */
async function executedOnce(sql: Sql): Promise<void> {
  const blocks = await sql`
    with booked as (
      select split_part(dedup_key, ':', 2) as id, count(*) filter (where dedup_key like '%:fill') as fills,
             count(*) filter (where dedup_key like '%:slice:%') as slices, count(distinct dedup_key) as occasions, count(*) as transfers
        from ledger_transfers where dedup_key like 'block:%' group by 1)
    select k.id, k.state, k.slices, b.* from engine_blocks k full join booked b on b.id = k.id::text
     where (k.id is null or b.transfers <> b.occasions or b.fills <> 1 or (k.state = 'allocated' and b.slices <> k.slices))
       and k.state is distinct from 'planned'`
  expect(blocks, 'blocks that were not executed exactly once').toEqual([])
  const trades = await sql`
    select t.bot_id, k.pair, k.market_time, count(*) from bot_trades t join engine_blocks k on k.id = t.block_id
     where k.kind = 'strategy' group by 1, 2, 3 having count(*) > 1`
  expect(trades, 'bots that traded twice in one hour of the strategy').toEqual([])
}
