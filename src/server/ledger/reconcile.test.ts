import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { atomically } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { columnsOf } from '#server/ops/backup.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/small-book.ts'
import type { World } from '../../../test/world.ts'
import { CHECKS } from './reconcile-checks.ts'
import { reconcile } from './reconcile.ts'

const TABLES = [
  'users', 'venue_orders', 'ledger_accounts', 'ledger_transfers', 'ledger_entries', 'payment_intents', 'withdrawal_requests', 'payout_batches', 'payout_batch_lines', 'transactions', 'trading_bots',
  'bot_positions', 'engine_blocks', 'bot_trades', 'platform_fees',
] as const

let world: World
let sql: Sql
/** Of each table, those that the database does not compute. */
const columns: Record<string, string[]> = {}
beforeAll(async () => {
  world = await createRisingWorld()
  sql = world.context.sql
  await fillSmallBook(world)
  await sql`create schema kept`
  for (const table of TABLES) {
    await sql`create table ${sql(`kept.${table}`)} as table ${sql(table)}`
    columns[table] = await columnsOf(sql, table)
  }
})
afterAll(() => world.close())

/** Past all triggers, as somebody with the superuser's rights could. */
async function tamper(statement: string): Promise<string[]> {
  return atomically(sql, async (tx) => {
    await tx`set local session_replication_role = replica`
    const rows = await tx.unsafe<{ subject: string }[]>(statement)
    return rows.map(({ subject }) => subject)
  })
}

const OVERDRAFT = 'constraint ledger_accounts_no_overdraft'

async function mend(): Promise<void> {
  await atomically(sql, async (tx) => {
    await tx`set local session_replication_role = replica`
    for (const table of TABLES) {
      await tx`delete from ${tx(table)}`
      await tx`insert into ${tx(table)} (${tx(columns[table] ?? [])}) overriding system value select ${tx(columns[table] ?? [])} from ${tx(`kept.${table}`)}`
    }
    await tx.unsafe(`alter table ledger_accounts drop ${OVERDRAFT.replace('constraint', 'constraint if exists')}`)
    await tx.unsafe(`alter table ledger_accounts add ${OVERDRAFT} check (may_be_negative or balance >= 0)`)
  })
}

test('a book with a row of every kind is in order', async () => {
  // A paper book sends no orders.
  for (const table of TABLES.filter((name) => name !== 'venue_orders')) expect([table, (await sql`select from ${sql(table)} limit 1`).length]).toEqual([table, 1])
  const states = await sql`select distinct state from withdrawal_requests`
  expect(states).toHaveLength(9)
  expect(await reconcile(sql)).toEqual([])
})

const one = (table: string, key: string, where: string) => `${key} = (select ${key} from ${table} where ${where} order by ${key} limit 1)`
const ofKind = (kind: string) => `(select id from ledger_transfers where kind = '${kind}' order by id limit 1)`

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** What is done to the data, and the check that must name the row that the statement answers. */
const DAMAGES: [deed: string, check: string, statement: string][] = [
  ['an entry is raised by a unit', 'entries of every transfer sum to zero in every asset',
    `update ledger_entries set amount = amount + 1 where transfer_id = ${ofKind('deposit')} and amount > 0 returning transfer_id as subject`],
  ['the entries of a transfer vanish', 'every transfer has entries',
    `delete from ledger_entries where transfer_id = ${ofKind('bot-funded')} returning transfer_id as subject`],
  ['a transfer vanishes', 'every entry has its transfer and its account',
    `delete from ledger_transfers where id = ${ofKind('withdrawal-hold')} returning id as subject`],
  ['an account vanishes', 'every entry has its transfer and its account',
    `delete from ledger_accounts where code = 'fees:income' returning (select transfer_id from ledger_entries where account_id = id limit 1) as subject`],
  ['a user is given a cent', 'every balance is the sum of its entries',
    `update ledger_accounts set balance = balance + 1000000 where ${one('ledger_accounts', 'id', "code = 'customer:cash'")} returning id::text as subject`],
  ['an account is overdrawn', 'no account is overdrawn',
    `update ledger_accounts set balance = -1 where code = 'rounding' and asset = 'BTC' returning id::text as subject`],
  ['a user loses an account', 'every user has cash, hold and receivable accounts',
    `delete from ledger_accounts where ${one('ledger_accounts', 'owner', "code = 'customer:receivable'")} and code = 'customer:receivable' returning owner as subject`],
  ['an open withdrawal grows', 'holds equal open withdrawals',
    `update withdrawal_requests set amount = amount + 1 where ${one('withdrawal_requests', 'id', "state = 'pending'")} returning user_id as subject`],
  ['a submitted withdrawal is forgotten', 'payouts on their way equal submitted withdrawals',
    `update withdrawal_requests set state = 'canceled' where ${one('withdrawal_requests', 'id', "state = 'submitted'")} returning 'payout:clearing' as subject`],
  ['a paid withdrawal is called failed', 'paid withdrawals, and what was sent to the venue, equal what left the bank',
    `update withdrawal_requests set state = 'failed' where ${one('withdrawal_requests', 'id', "state = 'paid'")} returning 'bank' as subject`],
  ['an exchange executed an order that no block knows of', 'what an exchange executed is what its block was filled with',
    `insert into venue_orders (id, block_id, quantity, limit_price, state, sent_at, executed)
     select '${NOBODY}', id, 1, 1, 'done', now(), 1 from engine_blocks where ${one('engine_blocks', 'id', "state = 'allocated'")} returning block_id as subject`],
  ['a batch is said to be larger', 'a batch for the bank is the sum of its payouts',
    "update payout_batches set total = total + 1 returning number::text as subject"],
  ['a line of a batch vanishes', 'a batch for the bank is the sum of its payouts',
    `delete from payout_batch_lines where position = 1 returning batch::text as subject`],
  ['a line of a batch is raised', 'what is in a batch was handed to the bank as it was asked for',
    `update payout_batch_lines set amount = amount + 1 where position = 1 returning withdrawal_id::text as subject`],
  ['a payment is said to have brought more', 'deposits equal succeeded payment intents',
    `update payment_intents set received = received + 1 where ${one('payment_intents', 'id', "status = 'succeeded'")} returning id as subject`],
  ['a payment vanishes', 'deposits equal succeeded payment intents',
    `delete from payment_intents where ${one('payment_intents', 'id', "status = 'succeeded'")} returning 'deposit:' || id as subject`],
  ['a refund is said to have been larger', 'refunds and disputes equal what was taken back of payments',
    `update payment_intents set refunded = refunded + 1 where ${one('payment_intents', 'id', 'refunded > 0')} returning id as subject`],
  ['a dispute is forgotten', 'refunds and disputes equal what was taken back of payments',
    `update payment_intents set disputed = 0 where ${one('payment_intents', 'id', 'disputed > 0')} returning id as subject`],
  ['a payment and its refund vanish together', 'card payments to come are what was received, less what was taken back',
    `delete from payment_intents where ${one('payment_intents', 'id', 'refunded > 0')} returning 'card:clearing' as subject`],
  ['a dispute vanishes from the history', 'every refund, dispute and repayment has one row in the history',
    `delete from transactions where type = 'dispute' returning transfer_id as subject`],
  ['a repayment is shown larger', 'every refund, dispute and repayment has one row in the history',
    `update transactions set amount = amount - 1 where description like 'Repaid%' returning transfer_id as subject`],
  ['a deposit vanishes from the history', 'every deposit has one row in the history',
    `delete from transactions where ${one('transactions', 'payment_intent_id', "type = 'deposit'")} returning payment_intent_id as subject`],
  ['a row of the history is changed', 'history equals ledger: the rows of a user sum to the cash',
    `update transactions set amount = amount - 1 where ${one('transactions', 'id', "type = 'transfer'")} returning user_id as subject`],
  ['a failed withdrawal is shown as completed', 'the history shows every withdrawal in its state',
    `update transactions set status = 'completed' where ${one('transactions', 'id', "type = 'withdrawal' and status = 'failed'")} returning withdrawal_id as subject`],
  ['a bot is given money', 'bot positions equal the control accounts', `update bot_positions set cash = cash + 1 where pair = 'BTC/USDT' returning 'USD' as subject`],
  ['a bot is given coins', 'bot positions equal the control accounts', `update bot_positions set base = base + 1 where pair = 'XRP/USDT' returning 'XRP' as subject`],
  ['a gain is invented', 'a position is what its trades made of it',
    `update bot_positions set realised = realised + 1 where ${one('bot_positions', 'bot_id', 'true')} returning bot_id || ' ' || pair as subject`],
  ['a mark is lowered', 'the cash of a bot is its investment, its trades and its fees',
    `update bot_positions set mark = 0 where ${one('bot_positions', 'bot_id', 'mark > 0')} returning bot_id as subject`],
  ['a fee paid is forgotten', 'the cash of a bot is its investment, its trades and its fees',
    `update bot_positions set fees_paid = 0 where ${one('bot_positions', 'bot_id', 'fees_paid > 0')} returning bot_id as subject`],
  ['an investment is changed', 'every bot was funded with its investment',
    `update trading_bots set invested = invested + 1 where ${one('trading_bots', 'id', 'true')} returning id as subject`],
  ['a closed bot owns something', 'a closed bot owns nothing',
    `update bot_positions set cash = 1 where ${one('trading_bots', 'id', "status = 'closed'").replace('id =', 'bot_id =')} returning bot_id as subject`],
  ['a sleeve takes another risk', 'a sleeve trades as its bot does',
    `update bot_positions set risk_level = case risk_level when 'moderate' then 'aggressive' else 'moderate' end returning bot_id || ' ' || pair as subject`],
  ['a bot that is not paused is left out', 'a sleeve trades as its bot does',
    `update bot_positions set engine_status = null where engine_status = 'following' returning bot_id || ' ' || pair as subject`],
  ['a block vanishes', 'every trade belongs to a block', `delete from engine_blocks where ${one('engine_blocks', 'id', 'true')} returning id as subject`],
  ['a trade changes its bot', 'every trade belongs to a position',
    `update bot_trades set bot_id = '${NOBODY}' where ${one('bot_trades', 'ctid', 'true')} returning bot_id || ' ' || block_id as subject`],
  ['the sale of a fee vanishes', 'every fee belongs to a sale',
    `delete from bot_trades where (block_id, bot_id) = (select block_id, bot_id from platform_fees order by block_id limit 1) returning block_id || ' ' || bot_id as subject`],
  ['a trade is enlarged', 'the trades of a block equal what the ledger allocated',
    `update bot_trades set quantity = quantity + 1 where ${one('bot_trades', 'block_id', 'true')} returning block_id as subject`],
  ['a trade vanishes', 'the trades of a block equal what the ledger allocated',
    `delete from bot_trades where ${one('bot_trades', 'block_id', 'true')} returning block_id as subject`],
  ['something stays in clearing', 'nothing stays in clearing once its blocks are allocated',
    `update ledger_accounts set balance = 7 where code = 'trade:clearing' and asset = 'USD' returning asset as subject`],
  ['a fee is not booked', 'platform fees equal the fee income', `delete from platform_fees where ${one('platform_fees', 'block_id', 'true')} returning 'fees:income' as subject`],
  ['a fee is a unit too high', 'a fee is its share of the profit, floored',
    `update platform_fees set fee_amount = fee_amount + 1 where ${one('platform_fees', 'block_id', 'true')} returning block_id || ' ' || bot_id as subject`],
]

describe('reconcile', () => {
  afterEach(mend)

  test.each(DAMAGES)('names the row when %s', async (_deed, check, statement) => {
    await sql.unsafe(`alter table ledger_accounts drop ${OVERDRAFT}`)
    const subjects = await tamper(statement)
    expect(subjects.length).toBeGreaterThan(0)
    const named = (await reconcile(sql)).filter((difference) => difference.check === check).map(({ subject }) => subject)
    expect(named).toEqual(expect.arrayContaining([...new Set(subjects)].slice(0, 1)))
    await mend()
    expect(await reconcile(sql)).toEqual([])
  })

  test('has a check for each of its promises, and each was broken here', () => {
    expect(new Set(DAMAGES.map(([, check]) => check))).toEqual(new Set(CHECKS.map(({ name }) => name)))
  })
})

/** What PostgreSQL itself refuses, whoever asks, and the constraint that says no. */
const CASH = "(select id from ledger_accounts where code = 'customer:cash' order by id limit 1)"
const CARD = "(select id from ledger_accounts where code = 'card:clearing')"
const NEW = '00000000-0000-7000-8000-000000000001'
const transfer = `insert into ledger_transfers (id, kind, dedup_key, body_hash, event_time) values ('${NEW}', 'deposit', 'test', '', now());`
const entries = (...lines: [account: string, amount: string][]) =>
  `insert into ledger_entries (transfer_id, account_id, asset, amount) values ${lines.map(([account, amount]) => `('${NEW}', ${account}, 'USD', ${amount})`).join(', ')}`

const REFUSED: [deed: string, constraint: string, statement: string][] = [
  ['entries that do not sum to zero', 'ledger_entries_balanced', transfer + entries([CASH, '5'], [CARD, '-4'])],
  ['a single entry', 'ledger_entries_balanced', transfer + entries([CASH, '5'])],
  ['entries of nothing', 'ledger_entries_not_zero', transfer + entries([CASH, '0'], [CARD, '0'])],
  ['entries added to a transfer later', 'ledger_entries_once',
    `${transfer + entries([CASH, '5'], [CARD, '-5'])}; ${entries(["(select id from ledger_accounts where code = 'bank')", '1'], ["(select id from ledger_accounts where code = 'rounding' and asset = 'USD')", '-1'])}`],
  ['an entry of another asset than its account', 'ledger_entries_account', transfer + entries([CASH, '5'], [CARD, '-5']).replace("'USD', 5", "'BTC', 5").replace("'USD', -5", "'BTC', -5")],
  ['a transfer without entries', 'ledger_transfers_have_entries', transfer],
  ['an occasion booked twice', 'ledger_transfers_dedup', `insert into ledger_transfers select gen_random_uuid(), kind, dedup_key, body_hash, user_id, event_time from ledger_transfers limit 1`],
  ['an overdraft', 'ledger_accounts_no_overdraft', transfer + entries([CASH, '-900000000000'], [CARD, '900000000000'])],
  ['a debt below nothing', 'ledger_accounts_receivable_owed',
    transfer + entries(["(select id from ledger_accounts where code = 'customer:receivable' order by balance desc limit 1)", '5'], [CARD, '-5'])],
  ['a payment given back that never came', 'payment_intents_taken_back', "update payment_intents set refunded = 1 where status = 'open'"],
  ['a payout in a second batch', 'payout_batch_lines_pkey', 'insert into payout_batch_lines select withdrawal_id, batch, position + 100, user_id, bank_account_id, name, amount from payout_batch_lines'],
  ['a changed batch', 'ledger_append_only', 'update payout_batches set total = total + 1'],
  ['a taken back approval', 'ledger_append_only', 'delete from withdrawal_approvals'],
  ['a changed entry', 'ledger_append_only', 'update ledger_entries set amount = amount + 1'],
  ['a deleted entry', 'ledger_append_only', 'delete from ledger_entries'],
  ['emptied entries', 'ledger_append_only', 'truncate ledger_entries'],
  ['a changed transfer', 'ledger_append_only', "update ledger_transfers set kind = 'gift'"],
  ['a deleted transfer', 'ledger_append_only', 'delete from ledger_transfers'],
  ['emptied transfers', 'ledger_append_only', 'truncate ledger_transfers cascade'],
  ['an edited balance', 'ledger_balance_follows', "update ledger_accounts set balance = balance + 1 where code <> 'customer:receivable'"],
  ['a deleted account', 'ledger_append_only', "delete from ledger_accounts where code = 'rounding'"],
  ['a changed audit', 'ledger_append_only', 'update audit_events set actor = actor'],
  ['a second share of a block', 'bot_trades_pkey', 'insert into bot_trades select * from bot_trades limit 1'],
  ['a second fee on a trade', 'platform_fees_pkey', 'insert into platform_fees select * from platform_fees limit 1'],
  ['a second credit of a payment', 'transactions_one_deposit_per_intent',
    "insert into transactions select gen_random_uuid(), user_id, type, amount, currency, status, description, metadata, payment_intent_id, null, null, transfer_id, now() from transactions where type = 'deposit' limit 1"],
  ['a trade of a bot that is not there', 'bot_trades_bot',
    `insert into bot_trades select user_id, block_id, '${NOBODY}', quantity, total, fee, profit from bot_trades limit 1`],
  ['a trade of somebody else\'s bot', 'bot_trades_bot',
    'insert into bot_trades select other.id, t.block_id, t.bot_id, t.quantity, t.total, t.fee, t.profit from bot_trades t join users other on other.id <> t.user_id limit 1'],
  ['a fee without a trade', 'platform_fees_trade', `insert into platform_fees select user_id, block_id, '${NOBODY}', user_profit, fee_amount from platform_fees limit 1`],
  ['a changed trade', 'ledger_append_only', 'update bot_trades set total = total + 1'],
  ['a deleted trade', 'ledger_append_only', 'delete from bot_trades'],
  ['a changed fee', 'ledger_append_only', 'update platform_fees set fee_amount = fee_amount + 1'],
  ['a deleted bot', 'ledger_append_only', 'delete from trading_bots'],
  ['a deleted user', '', 'delete from users'],
]

test.each(REFUSED)('PostgreSQL refuses %s', async (_deed, constraint, statement) => {
  const refusal = await atomically(sql, async (tx) => {
    await tx.unsafe(statement)
  }).then(() => undefined, (error: unknown) => error as { code: string; constraint_name: string })
  expect(refusal?.code).toMatch(/^23/)
  if (constraint !== '') expect(refusal?.constraint_name).toBe(constraint)
  expect(await reconcile(sql)).toEqual([])
  expect(await sql`select from ledger_transfers where id = ${NEW} or id = ${randomUUID()}`).toHaveLength(0)
})
