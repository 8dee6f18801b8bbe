import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAccount, readAccount } from '#server/security/account-seal.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { operatorOfToken } from '#server/operators/sign-in.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { actingAs, signInAs } from '../world/operators.ts'
import { FORGERIES } from './forgeries.ts'
import { openScene, resetByMail, signIn, THIEFS_ADDRESS } from './scene.ts'
import { codeOf } from '../takeover/authenticator.ts'
import {
  BANK_ACCOUNT,
  cookieOf,
  createWorld,
  PASSWORD,
  proofRequest,
  type TestUser,
  type World,
} from '../world/world.ts'

/**
 * The thief has the password of the app's database role and an account in the product, but not the
 * installation's secret.
 */
let world: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-role-'))
  world = await createWorld({
    asApp: true,
    config: {
      PAYOUTS: 'bank-file',
      WITHDRAWAL_HOLD_HOURS: 24,
      DEPOSIT_HOLD_HOURS: 0,
      LOGIN_ATTEMPTS: 100_000,
    },
  })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const HERS = { 'sec-fetch-site': 'same-origin' }

test('a session inserted into the table signs in nobody, neither user nor operator', async () => {
  const { sql } = world.context
  const [ada, { operator }] = [
    await world.user(),
    (await signInAs(world.context, { name: 'Paula', roles: ['payouts'] })).context,
  ]
  const [secret, token] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ]
  const plain = (text: string) => createHash('sha256').update(text).digest()
  for (const text of [secret, `session ${ada.id} ${secret}`]) {
    await sql`insert into sessions (user_id, sid_hash, id, user_agent, expires_at)
      values (${ada.id}, ${plain(text)}, ${world.context.newId()}, '', now() + interval '1 day')`
  }
  for (const text of [token, `operator session ${token}`])
    await sql`insert into operator_sessions (token_hash, operator_id, expires_at)
      values (${plain(text)}, ${operator.id}, now() + interval '1 day')`
  expect(
    (
      await world.app.inject({
        url: '/api/auth/user',
        headers: { cookie: `sid=${ada.id}.${secret}` },
      })
    ).statusCode,
  ).toBe(401)
  expect(await operatorOfToken(world.context, token)).toBeUndefined()
})

/** Statements that restore the rows of an account's holds, as if nothing had happened. */
const COVER: readonly [string, string][] = [
  ['deletes the holds', 'delete from withdrawal_holds where user_id = $1'],
  ['lifts the holds', 'update withdrawal_holds set lifted_at = now() where user_id = $1'],
  [
    'replaces the holds by some that are over',
    'with gone as (delete from withdrawal_holds where user_id = $1 returning id) insert into ' +
      "withdrawal_holds (user_id, id, reason, until) select $1, id, 'password-changed', now() " +
      'from gone',
  ],
]

/** Further rows that such a thief deletes. */
const TRACES = [
  'deliveries',
  'notices',
  'push_subscriptions',
  'notice_settings',
  'notice_preferences',
]

test.each(COVER)(
  'a thief who adds a bank account and %s gets no money, and operators see a broken seal',
  async (_deed, cover) => {
    const { sql } = world.context
    const ada = await world.user()
    await ada.deposit('1000')
    const password = PASSWORD
    const cookie = cookieOf(
      (
        await world.app.inject({
          method: 'POST',
          url: '/api/auth/login',
          headers: HERS,
          payload: { username: ada.username, password },
        })
      ).headers['set-cookie'],
    )
    await sendAsThief(
      { ada, cookie, password },
      { action: 'addBankAccount', url: '/api/bank-accounts', body: BANK_ACCOUNT },
    )
    const { id } = await sendAsThief(
      { ada, cookie, password },
      { action: 'requestWithdrawal', url: '/api/withdrawal-requests', body: { amount: '900' } },
    )
    await sql.unsafe(cover.replaceAll('$1', `'${ada.id}'`))
    for (const table of TRACES) await sql`delete from ${sql(table)} where user_id = ${ada.id}`
    await approveWithdrawal(world.context, {
      id,
      operator: actingAs(world.context, 'Grace').operator,
    })
    const { lines } = await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])
    expect(lines).toEqual([
      'No batch was created.',
      expect.stringContaining(
        `${id} waits: This payout is not proven: the account was changed, and a hold of its ` +
          'withdrawals is gone',
      ),
    ])
    expect((await world.app.inject({ url: '/health' })).json()).toMatchObject({ seals: 'broken' })
    await sql`update withdrawal_requests set state = 'canceled' where id = ${id}`
  },
)

type AsThief = { ada: TestUser; cookie: string; password: string }

async function sendAsThief(
  { cookie, password }: AsThief,
  { action, url, body }: { action: string; url: string; body: object },
): Promise<{ id: string }> {
  const made = await world.app.inject({
    method: 'POST',
    url: '/api/auth/proofs',
    headers: { ...HERS, cookie },
    payload: proofRequest({ action, body, password }),
  })
  const answer = await world.app.inject({
    method: 'POST',
    url,
    headers: { ...HERS, cookie, proof: made.json<{ id: string }>().id },
    payload: body,
  })
  expect([url, answer.statusCode]).toEqual([url, 201])
  return answer.json()
}

test.each(['until', 'created_at', 'reason', 'user_id', 'id'])(
  'the app’s role cannot change %s of a hold',
  async (column) => {
    await expect(
      world.context.sql.unsafe(`update withdrawal_holds set ${column} = ${column}`),
    ).rejects.toThrow('permission denied')
  },
)

test('the app’s role cannot insert a hold with another time', async () => {
  const { sql, newId } = world.context
  const ada = await world.user()
  const insert = sql`insert into withdrawal_holds (user_id, id, reason, until, created_at)
    values (${ada.id}, ${newId()}, 'password-changed', now(), now() - interval '1 hour')`
  await expect(insert).rejects.toThrow('permission denied')
})

test('an expired hold stays expired when WITHDRAWAL_HOLD_HOURS grows', async () => {
  const { config } = world.context
  const ada = await world.user()
  await ada.deposit('100')
  config.WITHDRAWAL_HOLD_HOURS = 0
  await ada.addBankAccount()
  config.WITHDRAWAL_HOLD_HOURS = 24
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '50' } })
  await approveWithdrawal(world.context, {
    id,
    operator: actingAs(world.context, 'Grace').operator,
  })
  const { lines } = await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])
  expect(lines[0]).toMatch(/^Batch \d+: 1 payouts, \$50\.00\.$/)
})

/**
 * Copies the rows that open an account or protect its money. `putBack`: writes them again, as a
 * thief would to hide the change.
 */
async function keepRows(id: string): Promise<{ putBack: () => Promise<void> }> {
  const { sql } = world.context
  const tables = [
    'passkeys',
    'authenticators',
    'recovery_codes',
    'verified_emails',
    'withdrawal_protections',
  ]
  const read = async (table: string, key: string) =>
    (
      await sql.unsafe<{ rows: string }[]>(
        `select coalesce(jsonb_agg(t), '[]')::text as rows from ${table} t
          where t.${key} = '${id}'`,
      )
    )[0]?.rows ?? ''
  const [users, kept] = [
    await read('users', 'id'),
    await Promise.all(tables.map((table) => read(table, 'user_id'))),
  ]
  return {
    putBack: async () => {
      await sql`
        update users u set (username, password, email, email_verified_at, pending_email)
               = (k.username, k.password, k.email, k.email_verified_at, k.pending_email)
          from jsonb_populate_recordset(null::users, ${users}::text::jsonb) k where u.id = k.id`
      for (const [index, table] of tables.entries()) {
        await sql`delete from ${sql(table)} where user_id = ${id}`
        await sql`insert into ${sql(table)} select *
          from jsonb_populate_recordset(null::${sql(table)}, ${kept[index] ?? ''}::text::jsonb)`
      }
    },
  }
}

const health = async () =>
  (await world.app.inject({ url: '/health' })).json<{ seals: string }>().seals
const sessionsOf = async ({ id }: TestUser) =>
  (
    await world.context.sql<
      { id: string }[]
    >`select id from sessions where user_id = ${id} order by id`
  ).map((row) => row.id)
const whole = () => world.context.sql`delete from broken_seal`

test.each(FORGERIES)(
  'a thief who $deed gets no session; the owner signs in once the rows are back',
  async ({ statement, enter }) => {
    const scene = await openScene(world)
    const { ada, mallory, app } = scene
    const [rows, sessions] = [await keepRows(ada.id), await sessionsOf(ada)]
    await whole()
    const text = typeof statement === 'string' ? statement : await statement()
    await world.context.sql.unsafe(
      text.replaceAll(':victim', `'${ada.id}'`).replaceAll(':thief', `'${mallory.id}'`),
    )
    expect(await enter(scene)).toBeUndefined()
    expect([await sessionsOf(ada), await health()]).toEqual([sessions, 'broken'])
    await rows.putBack()
    expect(await readAccount(world.context, ada.id)).toMatchObject({
      username: ada.username,
      email: `${ada.username}@example.com`,
    })
    expect(await signIn(scene, { code: codeOf(app) })).toBeDefined()
  },
)

test.each([
  [
    'has the message to the owner sent to himself',
    async (id: string) => {
      const { sql } = world.context
      await sql`update deliveries set address = ${THIEFS_ADDRESS} where user_id = ${id}
        and kind = 'reset-password' and state = 'waiting'`
    },
  ],
  [
    'writes a message with a link of his own',
    async (id: string) => {
      const { sql } = world.context
      await sql`insert into deliveries (user_id, channel, kind, details, is_urgent, address)
        values (${id}, 'mail', 'reset-password', '{}', true, ${THIEFS_ADDRESS})`
    },
  ],
])(
  "a thief who %s cannot set a password, even after the address is the owner's again",
  async (_deed, redirect) => {
    const { sql } = world.context
    const scene = await openScene(world)
    const { ada } = scene
    const before = await readAccount(world.context, ada.id)
    const after = () =>
      sql`update deliveries set address = ${`${ada.username}@example.com`} where user_id = ${ada.id}
        and kind = 'reset-password'`
    expect(await resetByMail(scene, { before: () => redirect(ada.id), after })).toBeUndefined()
    expect((await readAccount(world.context, ada.id))?.password).toBe(before?.password)
  },
)

test('an old password restored with its seal signs nobody in; seals cannot change', async () => {
  const { sql } = world.context
  const ada = await world.user()
  const [rows, [seal]] = [
    await keepRows(ada.id),
    await sql<
      { number: bigint; seal: string }[]
    >`select number, seal from account_seals where user_id = ${ada.id}`,
  ]
  await ada.call('changePassword', {
    body: { currentPassword: PASSWORD, newPassword: 'another long password' },
  })
  await rows.putBack()
  await sql`insert into account_seals (user_id, number, seal)
    values (${ada.id}, 99, ${seal?.seal ?? ''})`
  const answer = await world
    .stranger()
    .ask('login', { body: { username: ada.username, password: PASSWORD } })
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'account-locked', message: expect.stringContaining('This account is locked') },
  })
  for (const statement of [
    'delete from account_seals',
    'update account_seals set number = number + 1',
  ])
    await expect(sql.unsafe(statement)).rejects.toThrow('permission denied')
})

test.each([
  ['deletes them', 'delete from withdrawal_protections where user_id = $1'],
  ['loosens them', 'update withdrawal_protections set delay_hours = 0 where user_id = $1'],
  [
    'lets looser ones apply at once',
    'update withdrawal_protections set next_delay_hours = 0, next_allowed_only = false, ' +
      'next_from = now() where user_id = $1',
  ],
])(
  'a thief with a session who %s cannot withdraw from an account with protections',
  async (_deed, statement) => {
    const { config, sql } = world.context
    const ada = await world.user()
    await ada.deposit('100')
    await ada.addBankAccount()
    await ada.call('updateProtections', {
      body: { delayHours: 48, dailyLimit: null, allowedOnly: false },
    })
    await sql.unsafe(statement.replaceAll('$1', `'${ada.id}'`))
    expect(config.WITHDRAWAL_HOLD_HOURS).toBe(24)
    expect(
      await ada.ask('requestWithdrawal', { body: { amount: '50' }, proof: world.context.newId() }),
    ).toMatchObject({ status: 403, body: { code: 'account-locked' } })
  },
)

test('a payout waits while the account differs from its seal, and operators see it', async () => {
  const { sql } = world.context
  const ada = await world.user()
  await ada.deposit('100')
  world.context.config.WITHDRAWAL_HOLD_HOURS = 0
  await ada.addBankAccount()
  world.context.config.WITHDRAWAL_HOLD_HOURS = 24
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '50' } })
  await approveWithdrawal(world.context, {
    id,
    operator: actingAs(world.context, 'Grace').operator,
  })
  const rows = await keepRows(ada.id)
  await whole()
  await sql`update users set email = ${THIEFS_ADDRESS}, email_verified_at = now()
    where id = ${ada.id}`
  const waits = await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])
  expect(waits.lines).toEqual([
    'No batch was created.',
    expect.stringContaining(
      `${id} waits: This payout is not proven: what opens its account or protects its money ` +
        'is not as it was sealed',
    ),
  ])
  expect(await health()).toBe('broken')
  await rows.putBack()
  expect(
    (await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])).lines[0],
  ).toMatch(/^Batch \d+: 1 payouts, \$50\.00\.$/)
})

test('a change of the account hides no row written before or during the change', async () => {
  const { sql, newId } = world.context
  const passkeyOf = (id: string) =>
    sql`insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
      values (${id}, ${newId()}, 'AAAA', '\\x00', 0, '{}', 'Phone')`
  const [ada, grace] = [await world.user(), await world.user()]
  await passkeyOf(ada.id)
  expect(
    await ada.ask('changeEmail', { body: { email: 'ada@example.com', currentPassword: PASSWORD } }),
  ).toMatchObject({ status: 403, body: { code: 'account-locked' } })
  await changeAccount(world.context, grace.id, async ({ sql: tx }) => {
    await tx`update users set pending_email = 'grace@example.com' where id = ${grace.id}`
    await passkeyOf(grace.id)
  })
  await expect(readAccount(world.context, grace.id)).rejects.toThrow('account-locked')
})

test('reconcile lists each account that differs from its seal', async () => {
  const { sql } = world.context
  const ada = await world.user()
  const listed = async () =>
    (await reconcile(world.context))
      .filter(({ subject }) => subject === ada.id)
      .map(({ check }) => check)
  const rows = await keepRows(ada.id)
  expect(await listed()).toEqual([])
  await sql`update users set pending_email = ${THIEFS_ADDRESS} where id = ${ada.id}`
  expect(await listed()).toEqual(['every account is as it was sealed'])
  await rows.putBack()
  expect(await listed()).toEqual([])
})
