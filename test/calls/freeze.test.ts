import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import { userCommand } from '#server/ops/user-command.ts'
import { bankFileCommand } from '#server/ops/bank-file-command.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { signInAs, type TestOperator } from '../world/operators.ts'
import { createWorld, PASSWORD, TEST_CARD, type TestUser, type World } from '../world/world.ts'

let world: World
let support: TestOperator
let payouts: TestOperator
let ada: TestUser

beforeAll(async () => {
  world = await createWorld({ config: { SUPPORT: 'help@bots.example' } })
  support = await signInAs(world.context, { name: 'Sue', roles: ['support'] })
  payouts = await signInAs(world.context, { name: 'Paula', roles: ['payouts'] })
  ada = await funded()
})
afterAll(() => world.close())

async function funded(): Promise<TestUser> {
  const user = await world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  return user
}
const ops = async (user: TestUser, ...words: string[]) =>
  (await userCommand(support.context, [user.username, ...words])).lines
const freeze = (user: TestUser) => ops(user, 'freeze', 'two', 'cards', 'stolen')
const unfreeze = (user: TestUser) => ops(user, 'unfreeze')
const stateOf = async (id: string) =>
  (
    await world.context.sql<
      { state: string }[]
    >`select state from withdrawal_requests where id = ${id}`
  )[0]?.state

const SENTENCE =
  'Your account is frozen: you can see everything, but change nothing. Write to help@bots.example.'
const ALLOWED: RouteName[] = [
  'endSession',
  'endOtherSessions',
  'revokeKey',
  'runBacktest',
  'runBotEvidence',
  'simulateBot',
  'confirmDeposit',
  'exportData',
  'makeProof',
]
const names = (Object.keys(routes) as RouteName[]).filter((name) => calls[name].access === 'user')
const writing = names.filter((name) => routes[name].method !== 'GET')

test('a frozen user reads everything and changes nothing; refusals name support', async () => {
  await freeze(ada)
  const params = { id: world.context.newId() }
  for (const name of writing) {
    const { status, body } = await ada.ask(name, { params, body: {}, proof: 'none' })
    const isFrozen = status === 403 && body.code === 'account-frozen'
    expect([name, isFrozen]).toEqual([name, !ALLOWED.includes(name)])
    if (isFrozen) expect(body.message).toBe(SENTENCE)
  }
  for (const name of [
    'getUser',
    'listBots',
    'getPortfolio',
    'getBalanceCurve',
    'getWeek',
    'listTransactions',
    'listBankAccounts',
    'listWithdrawals',
    'listSessions',
    'getFactors',
  ] as const) {
    expect([name, (await ada.ask(name)).status]).toEqual([name, 200])
  }
  expect(
    (await world.stranger().ask('login', { body: { username: ada.username, password: PASSWORD } }))
      .status,
  ).toBe(200)
  await unfreeze(ada)
  expect(
    (await ada.ask('updateUser', { body: { firstName: 'Augusta', lastName: 'King' } })).status,
  ).toBe(200)
})

test('a frozen user can prove a request for a copy of their data, and nothing else', async () => {
  const user = await funded()
  await freeze(user)
  const { path } = await user.call('exportData')
  const copy = await world.app.inject({ url: path, headers: { cookie: user.cookie } })
  expect([copy.statusCode, copy.body]).toEqual([200, expect.stringContaining(user.username)])
  const request = { action: 'requestWithdrawal', request: { amount: '20' }, password: PASSWORD }
  expect((await user.ask('makeProof', { body: request })).body).toMatchObject({
    code: 'account-frozen',
    message: SENTENCE,
  })
  expect(
    (await user.ask('makeProof', { body: { action: 'exportData', password: 'not the password' } }))
      .status,
  ).toBe(422)
  await unfreeze(user)
})

test('earlier payments are still booked, and bots keep their holdings', async () => {
  const user = await funded()
  const bot = await user.call('createBot', {
    body: {
      name: 'Kept',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '400',
    },
  })
  const { clientSecret, paymentIntentId } = await user.call('createPaymentIntent', {
    body: { amount: '50' },
  })
  await user.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  await freeze(user)
  expect(
    (await user.ask('confirmDeposit', { body: { paymentIntentId, amount: '50' } })).status,
  ).toBe(200)
  expect((await user.call('getUser')).availableBalance).toBe('650.00')
  await world.hours(3)
  expect((await user.call('listBots'))[0]).toMatchObject({ id: bot.id, status: 'active' })
  await unfreeze(user)
})

test('withdrawals of a frozen user wait at any provider, and are sent afterwards', async () => {
  const user = await funded()
  const { id } = await user.call('requestWithdrawal', { body: { amount: '100' } })
  await freeze(user)
  await payOut(world.context)
  await payOut(world.context)
  expect(await stateOf(id)).toBe('pending')
  await expect(withdrawalsCommand(payouts.context, ['approve', id])).rejects.toThrow(
    'This account is frozen. Unfreeze it before you pay it.',
  )
  expect(await stateOf(id)).toBe('pending')
  await unfreeze(user)
  await payOut(world.context)
  await payOut(world.context)
  expect(await stateOf(id)).toBe('paid')
})

test('a batch for the bank omits approved withdrawals of users frozen since', async () => {
  const book = await createWorld({ config: { PAYOUTS: 'bank-file' } })
  const pay = (await signInAs(book.context, { name: 'Paula', roles: ['payouts', 'support'] }))
    .context
  const user = await book.user()
  await user.deposit('1000')
  await user.addBankAccount()
  const { id } = await user.call('requestWithdrawal', { body: { amount: '100' } })
  await withdrawalsCommand(pay, ['approve', id])
  await userCommand(pay, [user.username, 'freeze', 'asked', 'by', 'the', 'bank'])
  expect((await bankFileCommand(pay, ['export', '/tmp'])).lines).toEqual([
    'Nothing is approved: no batch was created.',
  ])
  expect((await user.ask('createBot', { body: {} })).body.message).toBe(
    'Your account is frozen: you can see everything, but change nothing. ' +
      'The operator of this service can tell you why.',
  )
  await book.close()
})

test('freezing, unfreezing and ending sessions are audited with operator and reason', async () => {
  const user = await world.user()
  expect(await freeze(user)).toEqual([
    `${user.username} is frozen: signing in and reading go on, payouts wait.`,
  ])
  expect(await freeze(user)).toEqual([`${user.username} was frozen already.`])
  expect((await ops(user))[1]).toMatch(/^frozen {4}since \d{4}-.*: two cards stolen$/)
  expect(await unfreeze(user)).toEqual([`${user.username} is no longer frozen.`])
  expect(await unfreeze(user)).toEqual([`${user.username} was not frozen.`])
  expect(await ops(user, 'end-sessions')).toEqual([`1 sessions of ${user.username} are ended.`])
  expect((await user.ask('getUser')).status).toBe(401)
  const events = await world.context
    .sql`select actor, action, details from audit_events where subject = ${user.id}
      and actor like 'operator:%' and action <> 'user.show' order by created_at, id`
  expect(events).toEqual([
    {
      actor: 'operator:Sue',
      action: 'user.freeze',
      details: { reason: 'two cards stolen', result: 'true' },
    },
    {
      actor: 'operator:Sue',
      action: 'user.freeze',
      details: { reason: 'two cards stolen', result: 'false' },
    },
    { actor: 'operator:Sue', action: 'user.unfreeze', details: { result: 'true' } },
    { actor: 'operator:Sue', action: 'user.unfreeze', details: { result: 'false' } },
    { actor: 'operator:Sue', action: 'user.end-sessions', details: { result: '1' } },
  ])
})

test('the user is notified of each action, without the reason', async () => {
  const user = await funded()
  for (const words of [
    ['freeze', 'two', 'cards', 'stolen'],
    ['freeze', 'again'],
    ['unfreeze'],
    ['unfreeze'],
    ['end-sessions'],
    ['end-sessions'],
  ])
    await ops(user, ...words)
  const notices = await world.context.sql<
    { kind: string; details: object }[]
  >`select kind, details from notices where user_id = ${user.id} and kind like '%by-operator'
    order by created_at`
  expect(notices.map((row) => ({ ...row }))).toEqual(
    ['frozen', 'unfrozen', 'signed-out'].map((kind) => ({
      kind: `${kind}-by-operator`,
      details: {},
    })),
  )
})

test('only support acts on users; the action needs a reason and an existing user', async () => {
  for (const words of [['freeze', 'why'], ['unfreeze'], ['end-sessions']]) {
    await expect(userCommand(payouts.context, [ada.username, ...words])).rejects.toMatchObject({
      code: 'operator-role',
    })
  }
  await expect(ops(ada, 'freeze')).rejects.toThrow(
    'Give a reason of up to 300 characters: it is shown to operators alone.',
  )
  await expect(userCommand(support.context, ['nobody', 'freeze', 'why'])).rejects.toThrow(
    'There is no user nobody.',
  )
  await expect(ops(ada, 'thaw')).rejects.toThrow(
    'Use npm run ops -- user NAME, or npm run ops -- user NAME freeze REASON…, or npm run ops -- ' +
      'user NAME unfreeze, or npm run ops -- user NAME release-holds REASON…, or npm run ops -- ' +
      'user NAME end-sessions',
  )
})
