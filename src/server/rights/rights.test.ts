import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { DISOWN_DAYS } from '#core/notices/notice.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { settleDeposit } from '#server/deposits/settle-deposit.ts'
import { EXPORTED_TABLES } from './exported-tables.ts'
import { PERSONAL } from './store.ts'
import { eraseByTime } from './erase-by-time.ts'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import { createMailWorld, FROM_SITE, type MailWorld } from '../../../test/notices/mail-world.ts'
import {
  BANK_ACCOUNT,
  cookieOf,
  PASSWORD,
  TEST_CARD,
  type TestUser,
} from '../../../test/world/world.ts'

let offsetMs = 0
let world: MailWorld

beforeAll(async () => {
  world = await createMailWorld({
    config: { WITHDRAWAL_HOLD_HOURS: 0 },
    context: { now: () => new Date(Date.now() + offsetMs) },
  })
})
afterAll(() => world.close())

const get = (url: string, cookie = '') =>
  world.app.inject({ url, headers: { ...FROM_SITE, cookie } })
const signIn = (username: string, password = PASSWORD) =>
  world.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password },
    headers: FROM_SITE,
  })

/** Lines of every row in the database that carries the user's id. */
async function rowsAbout({ id }: TestUser): Promise<Record<string, string[]>> {
  const { sql } = world.context
  const found: Record<string, string[]> = {}
  for (const table of await tablesOfUsers()) {
    const rows = await sql<{ line: string }[]>`select to_jsonb(t)::text as line from ${sql(table)} t
      where ${sql(table === 'users' ? 'id' : 'user_id')} = ${id}`
    // Sorted, because a table has no order: an updated row moves.
    if (rows.length > 0) found[table] = rows.map(({ line }) => line).toSorted()
  }
  return found
}

async function tablesOfUsers(): Promise<string[]> {
  const rows = await world.context.sql<{ name: string }[]>`
    select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
       and c.relkind = 'r'
       and (c.relname = 'users' or exists (select from pg_attribute where attrelid = c.oid
           and attname = 'user_id' and not attisdropped)) order by 1`
  return rows.map(({ name }) => name)
}

/** A user with something in most tables, and no money left. */
async function formerInvestor(email: string): Promise<TestUser> {
  const user = await world.verified(email)
  await user.deposit('100')
  const bot = await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '20',
    },
  })
  await world.serve()
  await user.call('deleteBot', { params: { id: bot.id } })
  await world.hours(2)
  await user.addBankAccount()
  await user.call('addPushDevice', {
    body: {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      p256dh: KEY,
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
  })
  await user.call('addWebhook', {
    body: { address: 'https://hooks.bots-receiver.com/x', topics: ['deposits'] },
  })
  await user.call('updateNoticeSettings', {
    body: { choice: { topic: 'deposits', channel: 'mail', isOn: false }, pushAmounts: true },
  })
  const { availableBalance: amount } = await user.call('getUser')
  await user.call('requestWithdrawal', { body: { amount } })
  for (let round = 0; round < 3; round += 1) await world.payOut()
  return user
}

/** A point of the curve that browsers use for push messages. */
const KEY =
  'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'

const exportOf = async (
  user: TestUser,
): Promise<{ text: string; data: Record<string, Record<string, unknown>[]> }> => {
  const { body } = await get((await user.call('exportData')).path, user.cookie)
  return { text: body, data: JSON.parse(body) as Record<string, Record<string, unknown>[]> }
}

describe('a copy of all data', () => {
  test('each row of the database has a row, amounts as decimals, times in UTC', async () => {
    const user = await formerInvestor('copy@people.example')
    const { data } = await exportOf(user)
    const stored = await rowsAbout(user)
    for (const { table, name } of EXPORTED_TABLES)
      expect([name, data[name]?.length]).toEqual([name, stored[table]?.length ?? 0])
    expect(data['profile']).toMatchObject([
      { username: user.username, email: 'copy@people.example', firstName: 'Ada', closedAt: null },
    ])
    expect(data['deposits']).toMatchObject([
      { amount: '100.00000000', status: 'succeeded', provider: 'sandbox' },
    ])
    expect(data['bankAccounts']).toMatchObject([
      { bankName: 'First Bank', accountNumberLast4: '6789' },
    ])
    expect(data['bots']).toMatchObject([
      { name: 'Steady', status: 'closed', tradingPairs: ['BTC/USDT'] },
    ])
    expect(data['audit']?.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['withdrawal.request', 'data.export']),
    )
    expect(data['sessions']?.[0]?.['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(data['trades']?.length).toBe(
      ((await get(plainRoutes.trades, user.cookie)).body.match(/\n/g)?.length ?? 0) - 1,
    )
  })

  test('a copy has no credentials, no keys, and no data of other users', async () => {
    const [user, other] = [
      await formerInvestor('one@people.example'),
      await formerInvestor('two@people.example'),
    ]
    const { text } = await exportOf(user)
    const [{ password = '', sealed = '' } = {}] = await world.context.sql<
      { password: string; sealed: string }[]
    >`
      select u.password, b.account_number_sealed as sealed from users u join bank_accounts b
             on b.user_id = u.id where u.id = ${user.id}`
    for (const secret of [
      password,
      sealed,
      BANK_ACCOUNT.accountNumber,
      KEY,
      user.cookie.split('.').at(-1) ?? '',
      other.id,
      other.username,
      'two@people.example',
    ]) {
      expect(secret.length).toBeGreaterThan(3)
      expect(text).not.toContain(secret)
    }
  })

  test('reads tables of any length in portions, each row once', async () => {
    const user = await world.user()
    await world.context.sql`
      insert into notices (user_id, id, kind, event_key, details, in_inbox)
      select ${user.id}, gen_random_uuid(), 'deposit', n::text, '{}', true
        from generate_series(1, 1203) n`
    const ids = (await exportOf(user)).data['notices']?.map(({ id }) => id) ?? []
    expect([ids.length, new Set(ids).size]).toEqual([1_203, 1_203])
  })

  test('needs a proof of identity; the same session can download it for five minutes', async () => {
    const user = await world.user()
    const refused = await world.app.inject({
      method: 'POST',
      url: '/api/auth/data-exports',
      headers: { ...FROM_SITE, cookie: user.cookie },
    })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'proof-required'])
    const { path } = await user.call('exportData')
    const elsewhere = cookieOf((await signIn(user.username)).headers['set-cookie'])
    const stranger = await world.user()
    const statuses = [
      get(path),
      get(path, elsewhere),
      get(path, stranger.cookie),
      get(`${path}x`, user.cookie),
      get(path.replace('=', '=9'), user.cookie),
      get(plainRoutes.myData, user.cookie),
      get(path, user.cookie),
    ]
    expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([
      401, 410, 410, 410, 410, 400, 200,
    ])
    offsetMs = 301_000
    expect((await get(path, user.cookie)).statusCode).toBe(410)
    offsetMs = 0
  })
})

/** Columns that their user does not get, with the reason. */
const HELD_BACK: Record<string, Record<string, string>> = {
  users: {
    password: 'a hash that can be guessed against',
    frozen_reason: 'for operators alone: it may warn a thief',
  },
  sessions: { sid_hash: 'a hash' },
  program_keys: { key_hash: 'a hash' },
  passkeys: { credential_id: 'names a key', public_key: 'a key' },
  authenticators: { secret_sealed: 'a secret', last_step: 'of no meaning' },
  recovery_codes: { code_hash: 'a hash' },
  bank_accounts: { account_number_sealed: 'sealed' },
  payment_intents: { revision: 'of no meaning', asked_at: 'of no meaning' },
  withdrawal_requests: { asked_at: 'of no meaning', waits_for: 'a sentence for the operator' },
  withdrawal_approvals: { operator: "another person's name" },
  ledger_accounts: { pool: 'of the house alone', may_be_negative: 'of no meaning' },
  ledger_transfers: {
    dedup_key: 'of no meaning',
    body_hash: 'a hash',
    seal: 'proves who wrote the row',
    written_in: 'of no meaning',
  },
  trading_bots: {
    engine_status: 'of no meaning',
    engine_taking_bps: 'of no meaning',
    engine_changing: 'of no meaning',
    is_synced: 'of no meaning',
    first_trade_reported: 'of no meaning',
  },
  sleeves: { behind_bps: 'of no meaning' },
  bot_guards: { revision: 'of no meaning' },
  notices: { event_key: 'of no meaning' },
  deliveries: {
    notice_id: 'its notice has the same details',
    subscription_id: 'names a device',
    is_urgent: 'of no meaning',
    due_at: 'of no meaning',
  },
  webhooks: { secret_sealed: 'a secret', earlier_sealed: 'a secret' },
  push_subscriptions: { endpoint: 'works like a key', p256dh: 'a key', auth: 'a key' },
}

/** Tables of users that are not in the copy, with the reason. */
const NOT_EXPORTED: Record<string, string> = {
  account_seals: 'prove who wrote the rows',
  usernames: 'the username of the profile',
  emails: 'the address of the profile',
  connected_wallets: 'the addresses of the wallets',
  payout_references: 'the references of the withdrawals',
  idempotency_keys: 'answers to repeated requests, whose effects are in the copy',
  wallet_nonces: 'random numbers that expire in minutes',
  spent_challenges: 'hashes of random numbers',
  proofs: 'hashes that expire in minutes',
}

test('every column of every table of users is in the copy, or left out for a reason', async () => {
  const tables = await tablesOfUsers()
  expect(tables).toEqual(
    [...EXPORTED_TABLES.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)].toSorted(),
  )
  const columns = await world.context.sql<{ table: string; column: string }[]>`
    select table_name::text as table, column_name::text as column from information_schema.columns
     where table_schema = 'public'`
  for (const { table, owner, columns: exported } of EXPORTED_TABLES) {
    const wanted = columns
      .filter((one) => one.table === table && (one.column !== 'user_id' || owner !== 'user_id'))
      .map(({ column }) => column)
    expect([table, [...exported, ...Object.keys(HELD_BACK[table] ?? {})].toSorted()]).toEqual([
      table,
      wanted.toSorted(),
    ])
  }
})

/** Tables that stay when an account is closed: records of money, and what they refer to. */
const KEPT = [
  'users',
  'account_seals',
  'usernames',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'payment_intents',
  'bank_accounts',
  'withdrawal_requests',
  'payout_references',
  'withdrawal_approvals',
  'payout_batch_lines',
  'transactions',
  'trading_bots',
  'sleeves',
  'sleeve_stays',
  'platform_fees',
  'bot_plan_runs',
  'bot_guards',
  'bot_stops',
]

test('every table of users is erased with the account or is a record of money', async () => {
  expect(await tablesOfUsers()).toEqual([...PERSONAL, ...KEPT].toSorted())
})

describe('an account can be closed', () => {
  const close = (user: TestUser) => user.ask('closeAccount')

  test.each<[string, (user: TestUser) => Promise<unknown>, string[]]>([
    ['with cash', (user) => user.deposit('50'), ['cash']],
    [
      'with a bot',
      async (user) => {
        await user.deposit('20')
        await user.call('createBot', {
          body: {
            name: 'One',
            riskLevel: 'moderate',
            tradingPairs: ['BTC/USDT'],
            investmentAmount: '20',
          },
        })
      },
      ['bots'],
    ],
    [
      'with a withdrawal under way',
      async (user) => {
        await user.deposit('20')
        await user.addBankAccount()
        await user.call('requestWithdrawal', { body: { amount: '20' } })
      },
      ['withdrawals'],
    ],
    [
      'with less than can be withdrawn',
      async (user) => {
        await user.deposit('20')
        await user.addBankAccount()
        await user.call('requestWithdrawal', { body: { amount: '15' } })
        for (let round = 0; round < 3; round += 1) await world.payOut()
      },
      ['rest'],
    ],
    [
      'with a debt',
      async (user) => {
        const { clientSecret, paymentIntentId } = await user.call('createPaymentIntent', {
          body: { amount: '20' },
        })
        await user.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
        await user.call('confirmDeposit', { body: { paymentIntentId, amount: '20' } })
        await user.addBankAccount()
        await user.call('requestWithdrawal', { body: { amount: '20' } })
        for (let round = 0; round < 3; round += 1) await world.payOut()
        await world.context
          .sql`update sandbox_payments set refunded = amount where id = ${paymentIntentId}`
        await settleDeposit(world.context, paymentIntentId)
      },
      ['debt'],
    ],
  ])(
    'never %s: each obstacle is listed, and nothing changes',
    async (_state, prepare, obstacles) => {
      const user = await world.user()
      await prepare(user)
      expect((await user.call('getClosing')).obstacles).toEqual(obstacles)
      const before = await rowsAbout(user)
      expect((await close(user)).body).toMatchObject({ code: 'account-not-empty' })
      expect(await rowsAbout(user)).toEqual(before)
    },
  )

  test('only with a proof of identity', async () => {
    const user = await world.user()
    const answer = await world.app.inject({
      method: 'POST',
      url: '/api/auth/close-account',
      headers: { ...FROM_SITE, cookie: user.cookie },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'proof-required'])
    expect((await user.ask('getUser')).status).toBe(200)
  })

  test('nobody signs in afterwards, the username stays taken, the address is free', async () => {
    const user = await formerInvestor('gone@people.example')
    const elsewhere = cookieOf((await signIn(user.username)).headers['set-cookie'])
    await user.call('closeAccount')
    await world.deliver()
    expect((await get('/api/auth/user', user.cookie)).statusCode).toBe(401)
    expect((await get('/api/auth/user', elsewhere)).statusCode).toBe(401)
    expect((await signIn(user.username)).json()).toMatchObject({ code: 'wrong-credentials' })
    const body = {
      username: user.username.toUpperCase(),
      password: PASSWORD,
      firstName: 'Eve',
      lastName: 'Else',
    }
    expect((await world.stranger().ask('signup', { body })).body).toMatchObject({
      code: 'username-taken',
    })
    await world.verified('gone@people.example')
  })

  test('identifying data is erased, while records of money are kept', async () => {
    const user = await formerInvestor('erase@people.example')
    const before = await rowsAbout(user)
    await user.call('closeAccount')
    await world.deliver()
    const after = await rowsAbout(user)
    const kept = [
      'bank_accounts',
      'ledger_accounts',
      'ledger_entries',
      'ledger_transfers',
      'payment_intents',
      'sleeves',
      'trading_bots',
      'transactions',
      'users',
      'withdrawal_requests',
    ]
    expect(
      Object.keys(after)
        .filter(
          (table) =>
            ![
              'sleeve_stays',
              'platform_fees',
              'deliveries',
              'notices',
              'payout_references',
            ].includes(table),
        )
        .toSorted(),
    ).toEqual([...kept, 'account_seals', 'usernames'].toSorted())
    for (const table of [
      'ledger_entries',
      'transactions',
      'withdrawal_requests',
      'payment_intents',
    ])
      expect(after[table]).toEqual(before[table])
    const texts = Object.entries(after)
      .filter(([table]) => !['usernames', 'deliveries', 'notices'].includes(table))
      .flatMap(([, lines]) => lines)
      .join('\n')
    for (const word of [
      'Lovelace',
      'erase@people.example',
      `"${user.username}"`,
      'argon2',
      'https://fcm',
    ]) {
      if (word !== 'argon2') expect(texts).not.toContain(word)
      expect(Object.values(before).flat().join('\n')).toContain(word)
    }
    const { sql } = world.context
    const audit = await sql<
      { action: string }[]
    >`select action from audit_events where subject = ${user.id} order by id desc limit 1`
    expect(audit).toMatchObject([{ action: 'account.close' }])
  })

  test('the last message goes to the verified address, without a link back in', async () => {
    const user = await formerInvestor('last@people.example')
    await world.deliver()
    await user.call('closeAccount')
    const mails = await world.deliver()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['last@people.example', 'Account closed'],
    ])
    expect(mails[0]?.text).toContain(`@${user.username}`)
    expect(mails[0]?.text).not.toContain('http')
  })

  test('an unfinished card payment can never be paid after the account is closed', async () => {
    const user = await world.user()
    const { clientSecret, paymentIntentId } = await user.call('createPaymentIntent', {
      body: { amount: '20' },
    })
    expect((await close(user)).status).toBe(200)
    const [intent] = await world.context.sql<
      { status: string }[]
    >`select status from payment_intents where user_id = ${user.id} and id = ${paymentIntentId}`
    expect([
      intent?.status,
      (await user.ask('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })).status,
    ]).toEqual(['abandoned', 401])
  })

  test('its account number is erased at once, or 90 days after a payout', async () => {
    const { sql } = world.context
    const [fresh, paid] = [await world.user(), await formerInvestor('paid@people.example')]
    await fresh.addBankAccount()
    for (const user of [fresh, paid]) await user.call('closeAccount')
    const numbersOf = async ({ id }: TestUser) =>
      sql`select account_number_sealed <> '' as sealed, routing_number <> '' as routed,
        account_number_last4 as last4 from bank_accounts where user_id = ${id}`
    expect(await numbersOf(fresh)).toMatchObject([{ sealed: false, routed: false, last4: '6789' }])
    expect(await numbersOf(paid)).toMatchObject([{ sealed: true, routed: true }])
    await sql`update withdrawal_requests set updated_at = now() - interval '91 days'
      where user_id = ${paid.id}`
    await eraseByTime(world.context)
    expect(await numbersOf(paid)).toMatchObject([{ sealed: false, routed: false, last4: '6789' }])
  })

  test('three days later, its last message and rows written meanwhile are erased', async () => {
    const { sql } = world.context
    const user = await world.verified('moment@people.example')
    await user.call('closeAccount')
    await sql`insert into passkeys (user_id, id, credential_id, public_key, counter, transports,
      name) values (${user.id}, gen_random_uuid(), 'AAAA', '\\x00', 0, '{}', 'Phone')`
    await eraseByTime(world.context)
    expect(Object.keys(await rowsAbout(user))).toEqual(
      expect.arrayContaining(['deliveries', 'passkeys']),
    )
    await sql`update users set closed_at = now() - interval '4 days' where id = ${user.id}`
    await eraseByTime(world.context)
    expect(Object.keys(await rowsAbout(user))).toEqual([
      'account_seals',
      'ledger_accounts',
      'usernames',
      'users',
    ])
  })
})

test('data no longer needed is erased at the ages in the privacy article', async () => {
  const { sql } = world.context
  const user = await formerInvestor('time@people.example')
  await world.deliver()
  await sql`insert into crypto_wallets (user_id, id, wallet_address, wallet_type, chain_id,
    chain_name, is_connected, connected_at, disconnected_at)
    values (${user.id}, gen_random_uuid(), ${`0x${'a'.repeat(40)}`}, 'metamask', 1, 'Ethereum',
           false, now(), now())`
  await sql`insert into wallet_nonces (user_id, nonce, issued_at, expires_at)
    values (${user.id}, 'n', now(), now())`
  await sql`insert into withdrawal_holds (user_id, id, reason, until)
    values (${user.id}, gen_random_uuid(), 'password-reset', now())`
  await sql`insert into recovery_codes (user_id, code_hash) values (${user.id}, 'c')`
  await sql`insert into withdrawal_protection_changes (user_id, delay_hours, allowed_only)
    values (${user.id}, 0, false)`
  await sql`insert into idempotency_keys (user_id, key, action, body_hash, response)
    values (${user.id}, 'k', 'a', 'h', '{}')`
  await sealAccount(world.context, user.id)
  const AGES = [
    ['deliveries', 'created_at', 90],
    ['notices', 'created_at', 365],
    ['idempotency_keys', 'created_at', 30],
    ['wallet_nonces', 'expires_at', 1],
    ['crypto_wallets', 'disconnected_at', 365],
    ['withdrawal_holds', 'until', 365],
    ['emails', 'released_at', DISOWN_DAYS + 1],
    ['verified_emails', 'released_at', DISOWN_DAYS + 1],
    ['recovery_codes', 'replaced_at', DISOWN_DAYS + 1],
    ['push_subscriptions', 'ended_at', DISOWN_DAYS + 1],
    ['withdrawal_protection_changes', 'changed_at', DISOWN_DAYS + 1],
  ] as const
  const store = await readFile(new URL('./store.ts', import.meta.url), 'utf8')
  expect(AGES.map(([table]) => table).toSorted()).toEqual(
    [
      ...store.matchAll(
        /delete from (\w+)\s+(?:\w\s+)?where \S*_at\b|delete from (\w+)\s+where coalesce/g,
      ),
    ]
      .map(([, table, other]) => table ?? other)
      .toSorted(),
  )
  for (const [table, column, days] of AGES) {
    const age = async (by: number) => {
      await sql`update ${sql(table)}
        set ${sql(column)} = now() - ${by * 24 + (by === days ? 30 : -30)} * interval '1 hour'
        where user_id = ${user.id}`
      await sealAccount(world.context, user.id)
      await eraseByTime(world.context)
      return (await rowsAbout(user))[table]?.length ?? 0
    }
    await eraseByTime(world.context)
    expect([table, ((await rowsAbout(user))[table]?.length ?? 0) > 0]).toEqual([table, true])
    expect([table, await age(days)]).toEqual([table, 0])
  }
})

test('closed and erased accounts: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
