import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HOUSE } from '#core/ledger/account.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { KEPT_TABLES, keepBook, type KeptBook } from '../../../test/world/kept-book.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/world/small-book.ts'
import type { World } from '../../../test/world/world.ts'
import { LEDGER } from './reconcile-ledger.ts'
import { RAILS } from './reconcile-rails.ts'
import { reconcile } from './reconcile.ts'

let world: World
let sql: Sql
let book: KeptBook

beforeAll(async () => {
  world = await createRisingWorld()
  sql = world.context.sql
  await fillSmallBook(world)
  book = await keepBook(sql)
})
afterAll(() => world.close())

/**
 * Tables that stay empty here: a paper book sends no orders, its payouts have no references, its
 * cash earns nothing, no user gave an email or linked a wallet, and no bot has a plan.
 */
const EMPTY: ReadonlySet<string> = new Set([
  'emails',
  'venue_orders',
  'payout_references',
  'connected_wallets',
  'crypto_wallets',
  'cash_yields',
  'bot_plan_runs',
])

test('a book with a row of every kind reconciles', async () => {
  for (const table of KEPT_TABLES.filter((name) => !EMPTY.has(name)))
    expect([table, (await sql`select from ${sql(table)} limit 1`).length]).toEqual([table, 1])
  const states = await sql`select distinct state from withdrawal_requests`
  expect(states).toHaveLength(9)
  expect(await reconcile(world.context)).toEqual([])
})

const one = (table: string, key: string, where: string) =>
  `${key} = (select ${key} from ${table} where ${where} order by ${key} limit 1)`
const ofKind = (kind: string) =>
  `(select id from ledger_transfers where kind = '${kind}' order by id limit 1)`

const NOBODY = '00000000-0000-7000-8000-000000000000'

/** A manipulation of the data, and the check that must name the row that its statement returns. */
const DAMAGES: [deed: string, check: string, statement: string][] = [
  [
    'an entry is raised by a unit',
    'entries of every transfer sum to zero in every asset',
    `update ledger_entries set amount = amount + 1 where transfer_id = ${ofKind('deposit')}
      and amount > 0 returning transfer_id as subject`,
  ],
  [
    'the entries of a transfer vanish',
    'every transfer has entries',
    `delete from ledger_entries where transfer_id = ${ofKind('bot-funded')}
      returning transfer_id as subject`,
  ],
  [
    'a transfer vanishes',
    'every entry has its transfer and its account',
    `delete from ledger_transfers where id = ${ofKind('withdrawal-hold')} returning id as subject`,
  ],
  [
    'an account vanishes',
    'every entry has its transfer and its account',
    `delete from ledger_accounts where ${one('ledger_accounts', 'id', "code = 'fees:income'")}
      and code = 'fees:income'
     returning (select transfer_id from ledger_entries e where e.user_id = ledger_accounts.user_id
               and account_id = id limit 1) as subject`,
  ],
  [
    'a user is given a cent',
    'every balance is the sum of its entries',
    `update ledger_accounts set balance = balance + 1000000
      where ${one('ledger_accounts', 'id', "code = 'customer:cash'")}
      returning id::text as subject`,
  ],
  [
    'an account is overdrawn',
    'no account is overdrawn',
    `update ledger_accounts set balance = -1 where code = 'rounding' and asset = 'BTC'
      returning id::text as subject`,
  ],
  [
    'a user loses an account',
    'every user has cash, hold and receivable accounts',
    `delete from ledger_accounts
      where ${one('ledger_accounts', 'user_id', "code = 'customer:receivable'")}
      and code = 'customer:receivable' returning user_id as subject`,
  ],
  [
    'an account is given to nobody',
    'every account and transfer is of a user or of the house',
    `update ledger_accounts set user_id = '${NOBODY}'
      where ${one('ledger_accounts', 'id', "code = 'fees:income'")} and code = 'fees:income'
      returning user_id as subject`,
  ],
  [
    'a transfer is given to nobody',
    'every account and transfer is of a user or of the house',
    `update ledger_transfers set user_id = '${NOBODY}' where id = ${ofKind('deposit')}
      returning user_id as subject`,
  ],
  [
    'a name is forgotten',
    'names, emails and wallets are listed under the user who has them',
    `delete from usernames where ${one('usernames', 'username_key', 'true')}
      returning user_id as subject`,
  ],
  [
    'a name leads to somebody else',
    'names, emails and wallets are listed under the user who has them',
    `update usernames set user_id = (select max(user_id::text)::uuid from usernames)
      where user_id = (select min(user_id::text)::uuid from usernames)
      returning user_id as subject`,
  ],
  [
    'an email is listed that nobody has',
    'names, emails and wallets are listed under the user who has them',
    `insert into emails values ('ada@example.com', '${NOBODY}') returning user_id as subject`,
  ],
  [
    'a wallet is listed that nobody connected',
    'names, emails and wallets are listed under the user who has them',
    `insert into connected_wallets select '0x' || repeat('a', 40), id from users limit 1
      returning user_id as subject`,
  ],
  [
    'an open withdrawal grows',
    'holds equal open withdrawals',
    `update withdrawal_requests set amount = amount + 1
      where ${one('withdrawal_requests', 'id', "state = 'pending'")} returning user_id as subject`,
  ],
  [
    'a submitted withdrawal is forgotten',
    'payouts on their way equal submitted withdrawals',
    `update withdrawal_requests set state = 'canceled'
      where ${one('withdrawal_requests', 'id', "state = 'submitted'")}
      returning user_id as subject`,
  ],
  [
    'a paid withdrawal is called failed',
    'paid withdrawals, and what was sent to the venue less interest received and paid for dead ' +
      'pairs, equal what left the bank',
    `update withdrawal_requests set state = 'failed'
      where ${one('withdrawal_requests', 'id', "state = 'paid'")} returning user_id as subject`,
  ],
  [
    'money for the venue that nobody sent',
    'paid withdrawals, and what was sent to the venue less interest received and paid for dead ' +
      'pairs, equal what left the bank',
    `update ledger_accounts set balance = balance + 1
      where code = 'bank' and asset = 'USD' and user_id = '${HOUSE}' returning user_id as subject`,
  ],
  [
    'coins for a fee that no order paid',
    'coins of the operator are those of dead pairs, less fees that the exchange took in them',
    `update ledger_accounts set balance = balance - 1 where code = 'bank' and asset = 'BNB'
      returning asset as subject`,
  ],
  [
    'an exchange executed an order that no block knows of',
    'what an exchange executed is what its block was filled with',
    `insert into venue_orders (id, block_id, quantity, limit_price, state, sent_at, executed)
     select '${NOBODY}', id, 1, 1, 'done', now(), 1 from engine_blocks
      where ${one('engine_blocks', 'id', "state = 'settled'")} returning block_id as subject`,
  ],
  [
    'a batch is said to be larger',
    'a batch for the bank is the sum of its payouts',
    'update payout_batches set total = total + 1 returning number::text as subject',
  ],
  [
    'a line of a batch vanishes',
    'a batch for the bank is the sum of its payouts',
    `delete from payout_batch_lines where position = 1 returning batch::text as subject`,
  ],
  [
    'two lines of a batch stand in one place',
    'a batch for the bank is the sum of its payouts',
    `update payout_batch_lines set position = 2 where position = 1
      returning batch::text as subject`,
  ],
  [
    'a payout is called as the provider calls another',
    'what a provider calls a payout is listed under its withdrawal',
    `with listed as (insert into payout_references select 'po_1', user_id, id
      from withdrawal_requests where state = 'paid' order by id limit 1)
     update withdrawal_requests set provider_reference = 'po_1'
      where ${one('withdrawal_requests', 'id', "state = 'submitted'")} returning id as subject`,
  ],
  [
    'a line of a batch is raised',
    'what is in a batch was handed to the bank as it was asked for',
    `update payout_batch_lines set amount = amount + 1 where position = 1
      returning withdrawal_id::text as subject`,
  ],
  [
    'a payment is said to have brought more',
    'deposits equal succeeded payment intents',
    `update payment_intents set received = received + 1
      where ${one('payment_intents', 'id', "status = 'succeeded'")} returning id as subject`,
  ],
  [
    'a payment vanishes',
    'deposits equal succeeded payment intents',
    `delete from payment_intents where ${one('payment_intents', 'id', "status = 'succeeded'")}
      returning 'deposit:' || id as subject`,
  ],
  [
    "a payment is two users'",
    "a payment is one user's",
    `insert into payment_intents (user_id, id, provider, amount) select u.id, i.id, i.provider,
      i.amount from payment_intents i join users u on u.id <> i.user_id
      where i.${one('payment_intents', 'id', "status = 'open'")} limit 1 returning id as subject`,
  ],
  [
    'a refund is said to have been larger',
    'refunds and disputes equal what was taken back of payments',
    `update payment_intents set refunded = refunded + 1
      where ${one('payment_intents', 'id', 'refunded > 0')} returning id as subject`,
  ],
  [
    'a dispute is forgotten',
    'refunds and disputes equal what was taken back of payments',
    `update payment_intents set disputed = 0 where ${one('payment_intents', 'id', 'disputed > 0')}
      returning id as subject`,
  ],
  [
    'a payment and its refund vanish together',
    'card payments to come are what was received, less what was taken back',
    `delete from payment_intents where ${one('payment_intents', 'id', 'refunded > 0')}
      returning user_id as subject`,
  ],
  [
    'a dispute vanishes from the history',
    'every refund, dispute and repayment has one row in the history',
    `delete from transactions where type = 'dispute' returning transfer_id as subject`,
  ],
  [
    'a repayment is shown larger',
    'every refund, dispute and repayment has one row in the history',
    `update transactions set amount = amount - 1 where description ->> 'code' = 'repaid'
      returning transfer_id as subject`,
  ],
  [
    'a deposit vanishes from the history',
    'every deposit has one row in the history',
    `delete from transactions where ${one('transactions', 'payment_intent_id', "type = 'deposit'")}
      returning payment_intent_id as subject`,
  ],
  [
    'a row of the history is changed',
    'history equals ledger: the rows of a user sum to the cash',
    `update transactions set amount = amount - 1
      where ${one('transactions', 'id', "type = 'transfer'")} returning user_id as subject`,
  ],
  [
    'a failed withdrawal is shown as completed',
    'the history shows every withdrawal in its state',
    `update transactions set status = 'completed'
      where ${one('transactions', 'id', "type = 'withdrawal' and status = 'failed'")}
      returning withdrawal_id as subject`,
  ],
]

describe('reconcile', () => {
  afterEach(() => book.mend())

  test.each(DAMAGES)('names the row when %s', async (_deed, check, statement) => {
    const subjects = await book.damage(statement)
    expect(subjects.length).toBeGreaterThan(0)
    const named = (await reconcile(world.context))
      .filter((difference) => difference.check === check)
      .map(({ subject }) => subject)
    expect(named).toEqual(expect.arrayContaining([...new Set(subjects)].slice(0, 1)))
    await book.mend()
    expect(await reconcile(world.context)).toEqual([])
  })

  test('each promise of the ledger and the rails has a check, and each was broken here', () => {
    expect(new Set(DAMAGES.map(([, check]) => check))).toEqual(
      new Set([...LEDGER, ...RAILS].map(({ name }) => name)),
    )
  })
})

/** Manipulations that PostgreSQL itself refuses, and the constraint that does. */
const USER =
  "(select user_id from ledger_accounts where code = 'card:clearing' order by user_id limit 1)"
const accountOf = (code: string) =>
  `(select id from ledger_accounts where code = '${code}' and user_id = ${USER})`
const [CASH, CARD] = [accountOf('customer:cash'), accountOf('card:clearing')]
const NEW = '00000000-0000-7000-8000-000000000001'
const transfer = `insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time)
  values (${USER}, '${NEW}', 'deposit', 'test', '', now());`
const entry = ([account, amount]: [account: string, amount: string]) =>
  `(${USER}, '${NEW}', ${account}, 'USD', ${amount})`
const entries = (...lines: [account: string, amount: string][]) =>
  `insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
    values ${lines.map(entry).join(', ')}`
const account = (code: string, { user = USER, asset = 'USD', pool = 'null' } = {}) =>
  `insert into ledger_accounts (user_id, code, asset, pool, may_be_negative)
    values (${user}, '${code}', '${asset}', ${pool}, true)`

const REFUSED: [deed: string, constraint: string, statement: string][] = [
  [
    'entries that do not sum to zero',
    'ledger_entries_balanced',
    transfer + entries([CASH, '5'], [CARD, '-4']),
  ],
  ['a single entry', 'ledger_entries_balanced', transfer + entries([CASH, '5'])],
  ['entries of nothing', 'ledger_entries_not_zero', transfer + entries([CASH, '0'], [CARD, '0'])],
  [
    'entries added to a transfer later',
    'ledger_entries_once',
    `${transfer + entries([CASH, '5'], [CARD, '-5'])}; ` +
      entries([accountOf('customer:hold'), '1'], [accountOf('bots'), '-1']),
  ],
  [
    'an entry of another asset than its account',
    'ledger_entries_account',
    transfer +
      entries([CASH, '5'], [CARD, '-5'])
        .replace("'USD', 5", "'BTC', 5")
        .replace("'USD', -5", "'BTC', -5"),
  ],
  [
    "an entry on somebody else's account",
    'ledger_entries_account',
    transfer +
      entries(
        ["(select max(id) from ledger_accounts where code = 'customer:cash')", '5'],
        [CARD, '-5'],
      ),
  ],
  [
    "an entry of somebody else's transfer",
    'ledger_entries_transfer',
    `insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
     select ${USER}, t.id, line.id, 'USD', line.amount
       from (values (${CASH}, 5), (${CARD}, -5)) as line (id, amount),
            (select id from ledger_transfers where user_id <> ${USER} order by id limit 1) t`,
  ],
  [
    "a customer's account of the house",
    'ledger_accounts_code',
    account('customer:cash', { user: `'${HOUSE}'` }),
  ],
  ['a venue of a user', 'ledger_accounts_code', account('venue')],
  ['an account that is in no chart', 'ledger_accounts_code', account('trade:clearing')],
  ["a user's account in coins", 'ledger_accounts_dollars', account('bots', { asset: 'BTC' })],
  [
    "a pool's account without a pool",
    'ledger_accounts_pool_code',
    account('pool', { user: `'${HOUSE}'` }),
  ],
  [
    'an account of a pool that is not one',
    'ledger_accounts_pool_code',
    account('bots', { pool: '1' }),
  ],
  ['a second account of a kind', 'ledger_accounts_unique', account('customer:cash')],
  [
    'a user who is the house',
    'users_not_the_house',
    `insert into users (id, username, password, first_name, last_name)
      values ('${HOUSE}', 'x', '', '', '')`,
  ],
  ['a transfer without entries', 'ledger_transfers_have_entries', transfer],
  [
    'an occasion booked twice',
    'ledger_transfers_dedup',
    `insert into ledger_transfers select user_id, gen_random_uuid(), kind, dedup_key, body_hash,
      event_time from ledger_transfers limit 1`,
  ],
  [
    'an overdraft',
    'ledger_accounts_no_overdraft',
    transfer + entries([CASH, '-900000000000'], [CARD, '900000000000']),
  ],
  [
    'a debt below nothing',
    'ledger_accounts_receivable_owed',
    transfer + entries([accountOf('customer:receivable'), '900000000000'], [CARD, '-900000000000']),
  ],
  [
    'a payment given back that never came',
    'payment_intents_taken_back',
    "update payment_intents set refunded = 1 where status = 'open'",
  ],
  [
    'a payout in a second batch',
    'payout_batch_lines_pkey',
    'insert into payout_batch_lines select user_id, withdrawal_id, batch, position + 100, ' +
      'bank_account_id, name, amount from payout_batch_lines',
  ],
  ['a changed batch', 'ledger_append_only', 'update payout_batches set total = total + 1'],
  ['a taken back approval', 'ledger_append_only', 'delete from withdrawal_approvals'],
  ['a changed entry', 'ledger_append_only', 'update ledger_entries set amount = amount + 1'],
  ['a deleted entry', 'ledger_append_only', 'delete from ledger_entries'],
  ['emptied entries', 'ledger_append_only', 'truncate ledger_entries'],
  ['a changed transfer', 'ledger_append_only', "update ledger_transfers set kind = 'gift'"],
  ['a deleted transfer', 'ledger_append_only', 'delete from ledger_transfers'],
  ['emptied transfers', 'ledger_append_only', 'truncate ledger_transfers cascade'],
  [
    'an edited balance',
    'ledger_balance_follows',
    "update ledger_accounts set balance = balance + 1 where code <> 'customer:receivable'",
  ],
  [
    'a deleted account',
    'ledger_append_only',
    "delete from ledger_accounts where code = 'rounding'",
  ],
  ['a changed audit', 'ledger_append_only', 'update audit_events set actor = actor'],
  [
    'a fee charged twice',
    'platform_fees_pkey',
    'insert into platform_fees select * from platform_fees limit 1',
  ],
  [
    'a second credit of a payment',
    'transactions_one_deposit_per_intent',
    'insert into transactions select user_id, gen_random_uuid(), type, amount, currency, ' +
      'status, description, metadata, payment_intent_id, null, null, transfer_id, now() from ' +
      "transactions where type = 'deposit' limit 1",
  ],
  [
    'a fee of a bot that is not there',
    'platform_fees_bot',
    `insert into platform_fees select user_id, '${NOBODY}', id, user_profit, fee_amount
      from platform_fees limit 1`,
  ],
  [
    "a fee of somebody else's bot",
    'platform_fees_bot',
    'insert into platform_fees select other.id, f.bot_id, f.id, f.user_profit, f.fee_amount ' +
      'from platform_fees f join users other on other.id <> f.user_id limit 1',
  ],
  ['a changed change of a pool', 'ledger_append_only', 'update pool_changes set total = total + 1'],
  ['a deleted change of a pool', 'ledger_append_only', 'delete from pool_changes'],
  ['a changed stay', 'ledger_append_only', 'update sleeve_stays set cash_out = cash_out + 1'],
  [
    'a second end of a stay',
    'sleeve_stays_pkey',
    `insert into sleeve_stays select user_id, bot_id, pool, joined, left_with + 1, 1, offered,
      redeemed, paid, paid_base, cash_out, base_out from sleeve_stays limit 1`,
  ],
  ['a changed fee', 'ledger_append_only', 'update platform_fees set fee_amount = fee_amount + 1'],
  ['a deleted bot', 'ledger_append_only', 'delete from trading_bots'],
  ['a deleted user', '', 'delete from users'],
]

test.each(REFUSED)('PostgreSQL refuses %s', async (_deed, constraint, statement) => {
  const refusal = await atomically(sql, async (tx) => {
    await tx.unsafe(statement)
  }).then(
    () => undefined,
    (error: unknown) => error as { code: string; constraint: string },
  )
  expect(refusal?.code).toMatch(/^23/)
  if (constraint !== '') expect(refusal?.constraint).toBe(constraint)
  expect(await reconcile(world.context)).toEqual([])
  expect(
    await sql`select from ledger_transfers where id = ${NEW} or id = ${randomUUID()}`,
  ).toHaveLength(0)
})
