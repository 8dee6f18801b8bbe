import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealAccount } from '#server/security/account-seal.ts'
import { brokenAccounts } from '../../../test/world/broken-accounts.ts'
import { createMailWorld, tokenIn, type MailWorld } from '../../../test/notices/mail-world.ts'
import { pastRules } from '../../../test/world/past-rules.ts'
import type { TestUser } from '../../../test/world/world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await createMailWorld()
})
afterAll(() => world.close())

const NONE = { delayHours: 0, dailyLimit: null, allowedOnly: false }

let names = 0
/** A user with a verified address, $1,000 and a bank account, all of it a day old. */
async function saver(): Promise<TestUser> {
  const user = await world.verified(`careful${(names += 1)}@example.com`)
  await user.deposit('1000')
  await user.addBankAccount()
  await pass(user, 48)
  await world.deliver()
  return user
}

async function pass(user: TestUser, hours: number): Promise<void> {
  const { sql } = world.context
  await sql`update withdrawal_holds set until = until - ${hours}::integer * interval '1 hour'
    where user_id = ${user.id}`
  await sql`update withdrawal_protections
    set next_from = next_from - ${hours}::integer * interval '1 hour' where user_id = ${user.id}`
  await sealAccount(world.context, user.id)
  await sql`update bank_accounts
    set allowed_from = allowed_from - ${hours}::integer * interval '1 hour'
    where user_id = ${user.id}`
  await pastRules(
    sql,
    (tx) => tx`
    update withdrawal_requests set send_after = send_after - ${hours}::integer * interval '1 hour',
           created_at = created_at - ${hours}::integer * interval '1 hour'
     where user_id = ${user.id}`,
  )
  await world.payOut()
  await world.payOut()
}

const choose = (user: TestUser, wanted: object) =>
  user.call('updateProtections', { body: { ...NONE, ...wanted } })
const request = (user: TestUser, amount: string) =>
  user.ask('requestWithdrawal', { body: { amount } })
const statesOf = async (user: TestUser) =>
  (await user.call('listWithdrawals')).map(({ state }) => state)

test('nobody has protections at first', async () => {
  expect(await (await saver()).call('getProtections')).toEqual({
    ...NONE,
    looserAfterHours: 24,
    later: null,
  })
})

test('a delay applies to every withdrawal that is requested under it, in full', async () => {
  const user = await saver()
  expect(await choose(user, { delayHours: 48 })).toEqual({
    ...NONE,
    delayHours: 48,
    looserAfterHours: 48,
    later: null,
  })
  expect((await user.call('getWithdrawalTerms')).delayHours).toBe(48)
  const { body } = await request(user, '20')
  expect(new Date(body.sendsAfter ?? 0).getTime() - new Date(body.createdAt).getTime()).toBe(
    48 * 3_600_000,
  )
  await pass(user, 47)
  expect(await statesOf(user)).toEqual(['pending'])
  await pass(user, 1)
  expect(await statesOf(user)).toEqual(['paid'])
})

test('a daily limit counts requests of the last 24 hours, without canceled ones', async () => {
  const user = await saver()
  await choose(user, { dailyLimit: '100' })
  const { body } = await request(user, '60')
  expect((await user.call('getWithdrawalTerms')).leftToday).toBe('40.00')
  expect((await request(user, '40.01')).body).toMatchObject({
    code: 'withdrawal-above-limit',
    field: 'amount',
    message: 'You chose a daily limit. $40.00 of it is left for these 24 hours.',
  })
  await user.call('cancelWithdrawal', { params: { id: body.id } })
  expect((await request(user, '100')).status).toBe(201)
  expect((await request(user, '10')).body.code).toBe('withdrawal-above-limit')
  await pass(user, 24)
  expect((await request(user, '100')).status).toBe(201)
})

test('of 16 concurrent withdrawals no more than the daily limit is requested', async () => {
  const user = await saver()
  await choose(user, { dailyLimit: '100' })
  const answers = await Promise.all(Array.from({ length: 16 }, () => request(user, '30')))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
})

test('a new bank account can be used after 24 hours, or the delay if that is longer', async () => {
  const user = await saver()
  await choose(user, { delayHours: 48, allowedOnly: true })
  const id = await user.addBankAccount()
  const toNew = () => user.ask('requestWithdrawal', { body: { amount: '20', bankAccountId: id } })
  expect((await toNew()).body).toMatchObject({
    code: 'bank-account-not-allowed',
    field: 'bankAccountId',
  })
  expect((await request(user, '20')).status).toBe(201)
  expect(
    (await user.call('listBankAccounts')).map(({ notAllowedUntil }) => notAllowedUntil === null),
  ).toEqual([true, false])
  await pass(user, 47)
  expect((await toNew()).body.code).toBe('bank-account-not-allowed')
  await pass(user, 1)
  expect((await toNew()).status).toBe(201)
})

test('stricter settings apply at once, looser ones after the delay or 24 hours', async () => {
  const user = await saver()
  await choose(user, { delayHours: 12, dailyLimit: '100', allowedOnly: true })
  const changed = await choose(user, { delayHours: 48, dailyLimit: '500', allowedOnly: false })
  expect(changed).toMatchObject({
    delayHours: 48,
    dailyLimit: '100.00',
    allowedOnly: true,
    looserAfterHours: 48,
    later: { delayHours: 48, dailyLimit: '500.00', allowedOnly: false },
  })
  await pass(user, 23)
  expect(await user.call('getProtections')).toMatchObject({
    dailyLimit: '100.00',
    allowedOnly: true,
  })
  expect((await request(user, '101')).body.code).toBe('withdrawal-above-limit')
  await pass(user, 1)
  expect(await user.call('getProtections')).toEqual({
    delayHours: 48,
    dailyLimit: '500.00',
    allowedOnly: false,
    looserAfterHours: 48,
    later: null,
  })
  const off = await choose(user, NONE)
  expect(off).toMatchObject({ delayHours: 48, dailyLimit: '500.00', later: NONE })
  await pass(user, 47)
  expect((await user.call('getProtections')).delayHours).toBe(48)
  await pass(user, 1)
  expect(await user.call('getProtections')).toEqual({ ...NONE, looserAfterHours: 24, later: null })
})

test('a change is notified, and "This was not me" keeps the stricter settings', async () => {
  const user = await saver()
  await choose(user, { delayHours: 48, dailyLimit: '100' })
  await world.deliver()
  await choose(user, NONE)
  const mail = (await world.deliver()).find(
    ({ subject }) => subject === 'Withdrawal protections changed',
  )
  await world.stranger().call('disown', { body: { token: tokenIn(mail) } })
  await pass(user, 48)
  const [row] = await world.context.sql<
    object[]
  >`select delay_hours, daily_limit, next_from from withdrawal_protections
    where user_id = ${user.id}`
  expect(row).toEqual({ delayHours: 48, dailyLimit: 100n * 10n ** 8n, nextFrom: null })
})

test.each([
  [{ delayHours: 49 }, 400],
  [{ delayHours: -1 }, 400],
  [{ delayHours: 1.5 }, 400],
  [{ dailyLimit: '9.99' }, 422],
  [{ dailyLimit: 'much' }, 400],
  [{ allowedOnly: 'yes' }, 400],
])('%j is refused', async (wanted, status) => {
  const user = await saver()
  expect((await user.ask('updateProtections', { body: { ...NONE, ...wanted } })).status).toBe(
    status,
  )
  expect((await user.call('getProtections')).later).toBeNull()
})

test('changes of protections: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
