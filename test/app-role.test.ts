import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { operatorOfToken } from '#server/operators/sign-in.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { actingAs, signInAs } from './operators.ts'
import { BANK_ACCOUNT, cookieOf, createWorld, proofRequest, type TestUser, type World } from './world.ts'

/** Somebody has the password of the app's role for the database, and an account in the product; nothing of the installation's secret. */
let world: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-role-'))
  world = await createWorld({ asApp: true, config: { PAYOUTS: 'bank-file', WITHDRAWAL_HOLD_HOURS: 24, DEPOSIT_HOLD_HOURS: 0, LOGIN_ATTEMPTS: 100_000 } })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const HERS = { 'sec-fetch-site': 'same-origin' }

test('a session that is written into the table signs nobody in, a user or an operator', async () => {
  const { sql } = world.context
  const [ada, { operator }] = [await world.user(), (await signInAs(world.context, { name: 'Paula', roles: ['payouts'] })).context]
  const [secret, token] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const plain = (text: string) => createHash('sha256').update(text).digest()
  for (const text of [secret, `session ${ada.id} ${secret}`]) {
    await sql`insert into sessions (user_id, sid_hash, id, user_agent, expires_at) values (${ada.id}, ${plain(text)}, ${world.context.newId()}, '', now() + interval '1 day')`
  }
  for (const text of [token, `operator session ${token}`]) await sql`insert into operator_sessions (token_hash, operator_id, expires_at) values (${plain(text)}, ${operator.id}, now() + interval '1 day')`
  expect((await world.app.inject({ url: '/api/auth/user', headers: { cookie: `sid=${ada.id}.${secret}` } })).statusCode).toBe(401)
  expect(await operatorOfToken(world.context, token)).toBeUndefined()
})

/** Statements by which the rows of an account's holds could be made to look as if nothing had happened. */
const COVER: readonly [string, string][] = [
  ['deletes the holds', 'delete from withdrawal_holds where user_id = $1'],
  ['lifts the holds', 'update withdrawal_holds set lifted_at = now() where user_id = $1'],
  ['replaces the holds by some that are over', "with gone as (delete from withdrawal_holds where user_id = $1 returning id) insert into withdrawal_holds (user_id, id, reason, until) select $1, id, 'password-changed', now() from gone"],
]

/** Rows that such a thief deletes besides. */
const TRACES = ['deliveries', 'notices', 'withdrawal_protections', 'passkeys', 'authenticators', 'recovery_codes', 'push_subscriptions', 'notice_settings', 'notice_preferences']

test.each(COVER)('a thief who sets a password, adds a bank account and %s gets no money out, and operators see a broken seal', async (_deed, cover) => {
  const { sql } = world.context
  const ada = await world.user()
  await ada.deposit('1000')
  const password = 'a password of the thief'
  await sql`update users set password = ${await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })}, email = 'thief@example.com', email_verified_at = now() where id = ${ada.id}`
  const cookie = cookieOf((await world.app.inject({ method: 'POST', url: '/api/auth/login', headers: HERS, payload: { username: ada.username, password } })).headers['set-cookie'])
  await sendAsThief({ ada, cookie, password }, { action: 'addBankAccount', url: '/api/bank-accounts', body: BANK_ACCOUNT })
  const { id } = await sendAsThief({ ada, cookie, password }, { action: 'requestWithdrawal', url: '/api/withdrawal-requests', body: { amount: '900' } })
  await sql.unsafe(cover.replaceAll('$1', `'${ada.id}'`))
  for (const table of TRACES) await sql`delete from ${sql(table)} where user_id = ${ada.id}`
  await approveWithdrawal(world.context, { id, operator: actingAs(world.context, 'Grace').operator })
  const { lines } = await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])
  expect(lines).toEqual(['No batch was created.', expect.stringContaining(`${id} waits: This payout is not proven: the account was changed, and a hold of its withdrawals is gone`)])
  expect((await world.app.inject({ url: '/health' })).json()).toMatchObject({ seals: 'broken' })
  await sql`update withdrawal_requests set state = 'canceled' where id = ${id}`
})

type AsThief = { ada: TestUser; cookie: string; password: string }

async function sendAsThief({ cookie, password }: AsThief, { action, url, body }: { action: string; url: string; body: object }): Promise<{ id: string }> {
  const made = await world.app.inject({ method: 'POST', url: '/api/auth/proofs', headers: { ...HERS, cookie }, payload: proofRequest({ action, body, password }) })
  const answer = await world.app.inject({ method: 'POST', url, headers: { ...HERS, cookie, proof: made.json<{ id: string }>().id }, payload: body })
  expect([url, answer.statusCode]).toEqual([url, 201])
  return answer.json()
}

test.each(['until', 'created_at', 'reason', 'user_id', 'id'])('the app’s role cannot change %s of a hold', async (column) => {
  await expect(world.context.sql.unsafe(`update withdrawal_holds set ${column} = ${column}`)).rejects.toThrow('permission denied')
})

test('nor write a hold of another moment', async () => {
  const { sql, newId } = world.context
  const ada = await world.user()
  const insert = sql`insert into withdrawal_holds (user_id, id, reason, until, created_at) values (${ada.id}, ${newId()}, 'password-changed', now(), now() - interval '1 hour')`
  await expect(insert).rejects.toThrow('permission denied')
})

test('a hold that is over stays over when WITHDRAWAL_HOLD_HOURS grows', async () => {
  const { config } = world.context
  const ada = await world.user()
  await ada.deposit('100')
  config.WITHDRAWAL_HOLD_HOURS = 0
  await ada.addBankAccount()
  config.WITHDRAWAL_HOLD_HOURS = 24
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '50' } })
  await approveWithdrawal(world.context, { id, operator: actingAs(world.context, 'Grace').operator })
  const { lines } = await bankFileCommand(actingAs(world.context, 'Grace'), ['export', folder])
  expect(lines[0]).toMatch(/^Batch \d+: 1 payouts, \$50\.00\.$/)
})
