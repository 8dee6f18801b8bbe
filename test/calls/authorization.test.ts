import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { KEY_SCOPES, type KeyScope } from '#core/auth/program-key.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { freezeUser } from '#server/operators/act-on-user.ts'
import { brokenAccounts } from '../world/broken-accounts.ts'
import { checkDescribed } from '../world/described.ts'
import { signInAs } from '../world/operators.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { BOT_CALLS } from './bot-calls.ts'
import {
  BANK_ACCOUNT,
  createWorld,
  PASSWORD,
  TEST_CARD,
  type TestUser,
  type World,
} from '../world/world.ts'

/**
 * The authorization matrix: each call by a stranger, by a session that was ended, by a user who
 * closed the account, by another user on ada's things, by a frozen user, and by ada without a
 * proof; she has a passkey, so that her password alone proves nothing. A new call does not compile
 * without its row, and its row must agree with its access in the contract.
 */
type Row = {
  stranger: number
  other: number
  frozen: number | typeof FROZEN
  ada: number
  body?: object
}

/** Refusal code of calls that only a frozen user is denied. */
const FROZEN = 'account-frozen'

/** Calls for everybody. */
const open = (status: number, body?: object): Row => ({
  stranger: status,
  other: status,
  frozen: status,
  ada: status,
  ...(body && { body }),
})
/** Calls of signed-in users that write, and touch no other user's data. */
const own = (status: number, body?: object): Row => ({
  ...open(status, body),
  stranger: 401,
  frozen: FROZEN,
})
/** Calls that change a thing of its owner. */
const things = (status: number, body?: object): Row => ({ ...own(status, body), other: 404 })
/** The same for calls that are allowed to a frozen user, most of which read. */
const allowed = (row: Row): Row => ({ ...row, frozen: row.other })

const BOT = {
  name: 'First',
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT'],
  investmentAmount: '20',
}
const NOT_A_PASSKEY = {
  id: 'AAAA',
  clientDataJSON: 'AAAA',
  authenticatorData: 'AAAA',
  signature: 'AAAA',
  userHandle: 'AAAA',
}
const WEBHOOK = { address: 'https://hooks.bots-receiver.com/x', topics: ['deposits'] }
const READ_KEY = { name: 'Sheet', scope: 'read', days: 30 }
const NAMES = { firstName: 'Ada', lastName: 'King' }
const QUESTION = { message: 'What does it cost?' }
const [UNPROVEN, WRONG] = [403, 422]

const ROWS: Record<RouteName, Row> = {
  getUser: allowed(own(200)),
  updateUser: own(200, NAMES),
  login: open(401, { username: 'nobody-here', password: 'not the password' }),
  signup: open(409, { username: 'ada', password: PASSWORD, ...NAMES }),
  logout: open(200),
  makeProof: {
    ...own(WRONG, {
      action: 'requestWithdrawal',
      request: { amount: '20' },
      password: 'not the password',
    }),
    ada: UNPROVEN,
  },
  changePassword: own(WRONG, {
    currentPassword: 'not the password',
    newPassword: 'another long password',
  }),
  changeEmail: own(WRONG, { email: 'ada@people.example', currentPassword: 'not the password' }),
  sendVerification: own(200),
  verifyEmail: open(410, { token: 'x' }),
  requestReset: open(200, { account: 'nobody-here' }),
  resetPassword: open(410, { token: 'x', newPassword: 'another long password' }),
  previewDisown: open(410, { token: 'x' }),
  disown: open(410, { token: 'x' }),
  exportData: allowed(own(UNPROVEN)),
  getClosing: allowed(own(200)),
  getProtections: allowed(own(200)),
  updateProtections: own(UNPROVEN, { delayHours: 24, allowedOnly: false }),
  closeAccount: { ...own(409), other: UNPROVEN },
  listSessions: allowed(own(200)),
  listSignIns: allowed(own(200)),
  endSession: allowed(things(UNPROVEN)),
  endOtherSessions: allowed({ ...own(200), ada: UNPROVEN }),
  getPasskeyChallenge: open(200),
  loginWithPasskey: open(WRONG, { passkey: NOT_A_PASSKEY }),
  getFactors: allowed(own(200)),
  startPasskey: own(UNPROVEN),
  addPasskey: own(WRONG, {
    id: 'AAAA',
    clientDataJSON: 'AAAA',
    attestationObject: 'AAAA',
    transports: ['internal'],
  }),
  renamePasskey: things(200, { name: 'Old phone' }),
  removePasskey: things(UNPROVEN),
  startAuthenticator: own(UNPROVEN),
  addAuthenticator: own(409, { code: '000000' }),
  removeAuthenticator: own(UNPROVEN),
  renewRecoveryCodes: { ...own(UNPROVEN), other: 409 },
  listKeys: allowed(own(200)),
  makeKey: own(UNPROVEN, READ_KEY),
  revokeKey: allowed(things(200)),
  getConfig: open(200),
  getPrices: open(200),
  getMarket: allowed(own(404)),
  getPortfolio: allowed(own(200)),
  getBalanceCurve: allowed(own(200)),
  getWeek: allowed(own(200)),
  listBots: allowed(own(200)),
  createBot: { ...own(201, BOT), other: WRONG },
  updateBot: things(200, { name: 'Other' }),
  deleteBot: things(200),
  topUpBot: things(200, { amount: '20' }),
  takeOutOfBot: things(409, { percent: 25 }),
  setPlan: things(200, { amount: '20', every: 'month' }),
  endPlan: things(200),
  getBotPerformance: allowed(things(200)),
  compareBot: allowed(things(200)),
  listBotTrades: allowed(things(200)),
  simulateBot: allowed(things(200)),
  runBacktest: allowed(own(200, { ...BOT, name: undefined, days: 30 })),
  stopAll: own(200),
  getEvidence: open(200),
  getEvidenceSummary: open(200),
  getGuardEvidence: open(200),
  getForecasts: open(200),
  getForecastBundle: open(404),
  getBotForecast: allowed(own(400)),
  getTrackRecord: open(200),
  runBotEvidence: allowed(own(200, { riskLevel: 'moderate', tradingPairs: ['BTC/USDT'] })),
  getEvidenceBundle: open(400),
  getBotBundle: allowed(own(400)),
  getBacktestBundle: allowed(own(400)),
  getSampleBot: open(200),
  getStrategyNow: open(200),
  listTransactions: allowed(own(200)),
  getTransaction: allowed(things(200)),
  getStatement: allowed(own(200)),
  createPaymentIntent: own(201, { amount: '20' }),
  payWithSandboxCard: own(404, { clientSecret: 'x', ...TEST_CARD }),
  confirmDeposit: allowed(own(404, { paymentIntentId: 'x', amount: '20' })),
  listBankAccounts: allowed(own(200)),
  addBankAccount: own(UNPROVEN, BANK_ACCOUNT),
  removeBankAccount: things(409),
  makeBankAccountDefault: things(200),
  getWithdrawalTerms: allowed(own(200)),
  listWithdrawals: allowed(own(200)),
  requestWithdrawal: { ...own(UNPROVEN, { amount: '20' }), other: WRONG },
  cancelWithdrawal: things(200),
  getNoticeSettings: allowed(own(200)),
  updateNoticeSettings: own(200, { pushAmounts: true }),
  addPushDevice: own(WRONG, { endpoint: 'https://evil.example/x', p256dh: 'x', auth: 'x' }),
  removePushDevice: things(200),
  listWebhooks: allowed(own(200)),
  addWebhook: own(UNPROVEN, WEBHOOK),
  updateWebhook: things(UNPROVEN, { ...WEBHOOK, newSecret: true }),
  removeWebhook: things(UNPROVEN),
  resendWebhook: things(200),
  getMailbox: allowed(own(200)),
  listNotices: allowed(own(200)),
  readNotices: own(200, { id: '0197f000-0000-7000-8000-000000000001' }),
  askHelp: open(200, QUESTION),
  streamHelp: open(200, QUESTION),
  getHelpArticle: open(400),
  listWallets: allowed(own(200)),
  getWalletNonce: allowed(own(200)),
  verifyWallet: own(WRONG, {
    walletAddress: '0x',
    signature: '0x00',
    message: 'x',
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  }),
  disconnectWallet: things(200),
  getWalletBalance: allowed(things(503)),
}

const names = Object.keys(ROWS) as RouteName[]
const routeOf = (name: RouteName): Route => routes[name]

let world: World
let ada: TestUser
let eve: TestUser
let frozen: TestUser
/** Cookies of an ended session, and of a user who closed the account. */
let ended: TestUser
let closed: TestUser
let ids: Partial<Record<RouteName, string>>

beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 100_000 } })
  ;[ada, eve, frozen, ended, closed] = [
    await world.user('ada'),
    await world.user('eve'),
    await world.user('fay'),
    await world.user(),
    await world.user(),
  ]
  await closed.call('closeAccount')
  await ended.call('logout')
  await freezeUser((await signInAs(world.context, { name: 'Sue', roles: ['support'] })).context, {
    username: 'fay',
    reason: 'a test',
  })
  await ada.deposit('1000')
  ids = await thingsOfAda()
})
afterAll(() => world.close())

async function thingsOfAda(): Promise<Partial<Record<RouteName, string>>> {
  const { sql } = world.context
  const bankAccount = await ada.addBankAccount()
  const bot = (await ada.call('createBot', { body: BOT })).id
  const withdrawal = (await ada.call('requestWithdrawal', { body: { amount: '20' } })).id
  const [passkey, wallet, device] = [randomUUID(), randomUUID(), randomUUID()]
  const webhook = randomUUID()
  await sql`insert into crypto_wallets (user_id, id, wallet_address, wallet_type, chain_id,
    chain_name, connected_at) values (${ada.id}, ${wallet}, ${`0x${'a'.repeat(40)}`}, 'metamask', 1,
    'Ethereum', now())`
  await sql`insert into push_subscriptions (user_id, id, endpoint, p256dh, auth, user_agent)
    values (${ada.id}, ${device}, 'https://fcm.googleapis.com/x', 'x', 'x', '')`
  await sql`insert into webhooks (user_id, id, address, topics, secret_sealed)
    values (${ada.id}, ${webhook}, ${WEBHOOK.address}, '{deposits}', 'x')`
  const [message] = await sql<{ id: string }[]>`
    insert into deliveries (user_id, channel, kind, details, is_urgent, webhook_id, state)
    values (${ada.id}, 'webhook', 'deposit', '{}', false, ${webhook}, 'given-up') returning id`
  const transaction = (await ada.call('listTransactions')).items[0]?.id ?? ''
  const session = await secondSession()
  const { id: key } = await ada.call('makeKey', { body: READ_KEY })
  await sql`insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
    values (${ada.id}, ${passkey}, 'AAAA', '\\x00', 0, '{}', 'Phone')`
  await sealAccount(world.context, ada.id)
  return {
    ...Object.fromEntries(BOT_CALLS.map((name) => [name, bot])),
    getTransaction: transaction,
    removeBankAccount: bankAccount,
    makeBankAccountDefault: bankAccount,
    cancelWithdrawal: withdrawal,
    endSession: session,
    revokeKey: key,
    renamePasskey: passkey,
    removePasskey: passkey,
    removePushDevice: device,
    updateWebhook: webhook,
    removeWebhook: webhook,
    resendWebhook: message?.id ?? '',
    disconnectWallet: wallet,
    getWalletBalance: wallet,
  }
}

async function secondSession(): Promise<string> {
  await world.stranger().call('login', { body: { username: 'ada', password: PASSWORD } })
  return (await ada.call('listSessions')).find(({ isCurrent }) => !isCurrent)?.id ?? ''
}

async function statusOf(name: RouteName, cookie: string): Promise<number> {
  return (await send(name, cookie)).statusCode
}

async function send(
  name: RouteName,
  cookie: string,
  {
    headers = {},
    body = ROWS[name].body,
  }: { headers?: Record<string, string>; body?: object } = {},
) {
  const { method, path } = routeOf(name)
  const answer = await world.app.inject({
    method,
    url: path.replace(':id', ids[name] ?? randomUUID()),
    headers: { 'sec-fetch-site': 'same-origin', cookie, ...headers },
    ...(body && { payload: body }),
  })
  // A call that is closed to keys does not name that in its description.
  if (!answer.body.includes('"key-scope"')) checkDescribed(name, answer)
  return answer
}

test('each row has the access that the contract states', () => {
  for (const name of names)
    expect([name, ROWS[name].stranger === 401 && name !== 'login']).toEqual([
      name,
      ['user', 'session'].includes(calls[name].access),
    ])
})

describe.each(names)('%s', (name) => {
  test('refuses a stranger, an ended session and a closed account alike', async () => {
    const { stranger } = ROWS[name]
    for (const cookie of ['', ended.cookie, closed.cookie])
      expect(await statusOf(name, cookie)).toBe(stranger)
  })
})

/** Calls that end the session, or the things, that later calls need. */
const LAST: readonly RouteName[] = [
  'disconnectWallet',
  'cancelWithdrawal',
  'deleteBot',
  'stopAll',
  'endSession',
  'endOtherSessions',
  'logout',
]
const inOrder = [...names.filter((name) => !LAST.includes(name)), ...LAST]

test('another user reaches nothing of ada', async () => {
  const seen: [RouteName, number][] = []
  for (const name of inOrder) seen.push([name, await statusOf(name, eve.cookie)])
  expect(seen).toEqual(inOrder.map((name) => [name, ROWS[name].other]))
  expect((await ada.ask('listBots')).body).toMatchObject([{ name: 'First', status: 'active' }])
})

test('a frozen user can read and download their data, but change nothing', async () => {
  const seen: [RouteName, number | string][] = []
  // Resets the limits, because each column makes the maximum number of calls per address.
  await resetThrottles(world.context.sql)
  for (const name of inOrder) {
    const answer = await send(name, frozen.cookie)
    seen.push([name, answer.body.includes(`"${FROZEN}"`) ? FROZEN : answer.statusCode])
  }
  await resetThrottles(world.context.sql)
  expect(seen).toEqual(inOrder.map((name) => [name, ROWS[name].frozen]))
})

test('ada reaches her own data, but nothing that needs a proof without one', async () => {
  const seen: [RouteName, number][] = []
  for (const name of inOrder) seen.push([name, await statusOf(name, ada.cookie)])
  expect(seen).toEqual(inOrder.map((name) => [name, ROWS[name].ada]))
})

/** The calls of keys for programs, by scope. Each other call is refused, to either scope. */
const OF_KEYS: Record<KeyScope, readonly RouteName[]> = {
  read: [
    'getConfig',
    'getPrices',
    'getMarket',
    'getPortfolio',
    'getBalanceCurve',
    'getWeek',
    'listBots',
    'getBotPerformance',
    'compareBot',
    'listBotTrades',
    'getEvidence',
    'getEvidenceSummary',
    'getGuardEvidence',
    'getForecasts',
    'getBotForecast',
    'getTrackRecord',
    'getEvidenceBundle',
    'getBotBundle',
    'getBacktestBundle',
    'getSampleBot',
    'getStrategyNow',
    'listTransactions',
    'getTransaction',
    'getStatement',
  ],
  bots: ['createBot', 'updateBot'],
}
/** Bodies of calls in which a key may send less than a session. */
const BODY_OF_KEYS: Partial<Record<RouteName, object>> = { updateBot: { isActive: true } }

test.each(KEY_SCOPES)(
  'a key with the scope %s may make only the calls of that scope',
  async (scope) => {
    const user = await world.user()
    const { secret } = await user.call('makeKey', {
      body: { ...READ_KEY, scope, ...(scope === 'bots' && { mostBots: 3, dailyAmount: '100' }) },
    })
    const mayCall = (name: RouteName) =>
      OF_KEYS.read.includes(name) || (scope === 'bots' && OF_KEYS.bots.includes(name))
    const seen: [RouteName, number | string][] = []
    for (const name of names) {
      // Beside the cookie of a session that may: it does not count.
      const answer = await send(name, ada.cookie, {
        headers: { authorization: `Bearer ${secret}` },
        ...(BODY_OF_KEYS[name] && { body: BODY_OF_KEYS[name] }),
      })
      seen.push([name, answer.body.includes('"key-scope"') ? 'key-scope' : answer.statusCode])
    }
    expect(seen).toEqual(
      names.map((name) => [name, mayCall(name) ? ROWS[name].other : 'key-scope']),
    )
  },
)

/** Routes outside of the contract. */
const PLAIN: Record<keyof typeof plainRoutes, number> = {
  loginRedirect: 303,
  events: 200,
  statement: 401,
  trades: 401,
  year: 401,
  tax: 401,
  myData: 401,
  openApi: 200,
  unsubscribe: 404,
  mcp: 405,
}

test.each(Object.entries(PLAIN).filter(([name]) => name !== 'events'))(
  'the route %s refuses a stranger, an ended session and a closed account with %d',
  async (name, status) => {
    for (const cookie of ['', ended.cookie, closed.cookie]) {
      expect(
        (
          await world.app.inject({
            url: plainRoutes[name as keyof typeof plainRoutes],
            headers: { cookie },
          })
        ).statusCode,
      ).toBe(status)
    }
  },
)

test('a call of each route: the seal of every account is valid afterwards', async () => {
  expect(await brokenAccounts(world.context)).toEqual([])
})
