import { totalsSince, type AccountTotals, accountTotals } from '#core/notices/account-figures.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { notify, type NewNotice } from './notify.ts'
import { newRows } from '#server/db/rows.ts'
import { part } from '#server/db/statement.ts'
import { balancesOf, type Balances, shownTotal } from '#server/holdings/balances.ts'

/** Users per transaction. */
const BATCH = 200

/** Digests are written from Monday, 8:00 UTC, on. */
const HOURS_OF_MONDAY = 8

/** `since`: the day of the previous digest, or the day on which the user joined. */
type Due = LedgerRow & {
  userId: string
  since: string
  before: Record<keyof AccountTotals, string> | null
}

/**
 * Sends the weekly digest to every user who joined before the week and whose money ever moved. All
 * figures come from the ledger, and a user's weeks add up.
 */
export async function sendDigests({ atomically, now }: Context): Promise<void> {
  const week = { ...weekAt(now()), day: now().toISOString().slice(0, 10) }
  let after: string | undefined = FIRST
  while (after !== undefined) {
    const from: string = after
    after = await atomically((tx) => sendBatch(tx, { ...week, from }))
  }
}

/** Sorts before every user's id. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Returns the last user while more may follow. */
async function sendBatch(
  tx: BookWrite,
  { beginning, from, ...written }: Week & Written & { from: string },
): Promise<string | undefined> {
  const due = await tx.sql<Due[]>`
    select u.id as user_id, ${ledgerColumns},
           coalesce((select n.details ->> 'to' from notices n
                      where n.user_id = u.id and n.event_key = 'digest:' || d.week),
             coalesce(to_date(d.week, 'IYYY"-W"IW'), (u.created_at at time zone 'UTC')::date)::text)
           as since,
           case when d.user_id is not null then jsonb_build_object('deposited', d.deposited::text,
           'withdrawn', d.withdrawn::text, 'fees', d.fees::text, 'result', d.result::text) end
           as before
      from users u left join digest_totals d on d.user_id = u.id
     where u.id > ${from} and u.closed_at is null and u.created_at < ${beginning}
       and d.week is distinct from ${written.week} and exists (select 1 from ledger_transfers t
           where t.user_id = u.id)
     order by u.id limit ${BATCH}`
  const digests = due.map((user) => digestOf(user, written))
  await saveTotals(
    tx,
    digests.map(({ row }) => row),
  )
  await notify(tx.sql, ...digests.map(({ notice }) => notice))
  return due.length < BATCH ? undefined : due.at(-1)?.userId
}

type Row = AccountTotals & { userId: string; week: string }

/** The week, and the day on which its digest is written. */
type Written = { week: string; day: string }

function digestOf(
  { userId, before, since: from, ...ledger }: Due,
  { week, day }: Written,
): { row: Row; notice: NewNotice } {
  const { total, totals } = figuresOf(ledger)
  const since = totalsSince(totals, before ? readTotals(before) : undefined)
  const text = (amount: Units) => unitsToDecimal(amount, 2)
  const details = {
    week,
    from,
    to: day,
    balance: text(total),
    result: text(since.result),
    deposited: text(since.deposited),
    withdrawn: text(since.withdrawn),
    fees: text(since.fees),
  }
  return {
    row: { userId, week, ...totals },
    notice: { userId, kind: 'digest', event: `digest:${week}`, details },
  }
}

function readTotals({
  deposited,
  withdrawn,
  fees,
  result,
}: Record<keyof AccountTotals, string>): AccountTotals {
  return {
    deposited: BigInt(deposited),
    withdrawn: BigInt(withdrawn),
    fees: BigInt(fees),
    result: BigInt(result),
  }
}

async function saveTotals({ sql }: BookWrite, rows: readonly Row[]): Promise<void> {
  await sql`
    insert into digest_totals ${newRows(rows, {
      user_id: 'uuid',
      week: 'text',
      deposited: 'bigint',
      withdrawn: 'bigint',
      fees: 'bigint',
      result: 'bigint',
    })}
    on conflict on constraint digest_totals_pkey do update
      set week = excluded.week, deposited = excluded.deposited, withdrawn = excluded.withdrawn,
          fees = excluded.fees, result = excluded.result
      where digest_totals.week <> excluded.week`
}

type Week = { week: string; beginning: Date }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The week whose digest is due, such as '2026-W48', and its beginning. Source: ISO 8601, a week
 * belongs to the year of its Thursday.
 */
function weekAt(at: Date): Week {
  const shifted = new Date(at.getTime() - HOURS_OF_MONDAY * HOUR_MS)
  const monday = Date.UTC(
    shifted.getUTCFullYear(),
    shifted.getUTCMonth(),
    shifted.getUTCDate() - ((shifted.getUTCDay() + 6) % 7),
  )
  const year = new Date(monday + 3 * DAY_MS).getUTCFullYear()
  const number = Math.floor((monday + 3 * DAY_MS - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1
  return {
    week: `${year}-W${String(number).padStart(2, '0')}`,
    beginning: new Date(monday + HOURS_OF_MONDAY * HOUR_MS),
  }
}

export type LedgerRow = Balances & { owed: Units; deposited: Units; withdrawn: Units; fees: Units }

/**
 * Columns for statements in which `u` is a user: balances of the ledger's accounts, and bots at the
 * last price.
 */
export const ledgerColumns = part`
  ${balancesOf(part`u.id`)},
  coalesce((select -balance from ledger_accounts where user_id = u.id
  and code = 'customer:receivable'), 0)::bigint as owed,
  coalesce((select -balance from ledger_accounts where user_id = u.id and code = 'card:clearing'),
  0)::bigint as deposited,
  coalesce((select sum(balance) from ledger_accounts where user_id = u.id
  and code in ('payout:clearing', 'bank')), 0)::bigint as withdrawn,
  coalesce((select balance from ledger_accounts where user_id = u.id and code = 'fees:income'),
  0)::bigint as fees`

/** The balance as shown, and all that went in and out. */
export function figuresOf(row: LedgerRow): { total: Units; totals: AccountTotals } {
  const total = shownTotal(row)
  return { total, totals: accountTotals({ ...row, total }) }
}
