import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallRow } from '#contract/call-row.ts'
import { calls, hasId, isProven } from '#contract/calls.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { Problem } from '#contract/wire.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { moneySnapshot } from '../world/money-snapshot.ts'
import { BOT_CALLS } from './bot-calls.ts'
import { BANK_ACCOUNT, createWorld, TEST_CARD, type TestUser, type World } from '../world/world.ts'

type Json = Record<string, unknown>
type Raw = {
  url?: string
  payload?: string | Json | null
  headers?: Record<string, string>
  who?: TestUser
}

const names = Object.keys(routes) as RouteName[]
const shapesOf = (name: RouteName): CallRow => calls[name]
const routeOf = (name: RouteName): Route => routes[name]
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

let world: World
let ada: TestUser
let eve: TestUser
/** Ids of things that ada owns, by the route that takes the id in its path. */
let owned: Partial<Record<RouteName, string>>
let intentId: string
let clientSecret: string

beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 100_000 } })
  ada = await world.user('ada')
  eve = await world.user('eve')
  for (const user of [ada, eve]) await user.deposit('1000')
  const account = await ada.addBankAccount()
  const bot = await ada.call('createBot', { body: goodBodies.createBot })
  const withdrawal = await ada.call('requestWithdrawal', { body: { amount: '20' } })
  const intent = await ada.call('createPaymentIntent', { body: { amount: '50' } })
  intentId = intent.paymentIntentId
  clientSecret = intent.clientSecret
  await ada.call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  const [transaction] = (await ada.call('listTransactions')).items
  owned = {
    ...Object.fromEntries(BOT_CALLS.map((name) => [name, bot.id])),
    removeBankAccount: account,
    makeBankAccountDefault: account,
    cancelWithdrawal: withdrawal.id,
  }
  // A third user, because ada's password alone would not be accepted once she has a second factor.
  const [keeper, passkey] = [await world.user('keeper'), randomUUID()]
  await world.context.sql`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
    values (${keeper.id}, ${passkey}, 'AAAA', '\\x00', 0, '{}', 'Phone')`
  await sealAccount(world.context, keeper.id)
  const { devices } = await ada.call('addPushDevice', { body: goodBodies.addPushDevice })
  Object.assign(owned, {
    renamePasskey: passkey,
    removePasskey: passkey,
    removePushDevice: devices[0]?.id,
  })
  Object.assign(owned, {
    getTransaction: transaction?.id,
    endSession: (await ada.call('listSessions'))[0]?.id,
  })
})
afterAll(() => world.close())

const goodBodies: Partial<Record<RouteName, Json>> = {
  login: { username: 'ada', password: 'correct horse battery' },
  signup: {
    username: 'grace',
    password: 'correct horse battery',
    firstName: 'Grace',
    lastName: 'Hopper',
  },
  updateUser: { firstName: 'Ada', lastName: 'King' },
  makeProof: {
    action: 'requestWithdrawal',
    request: { amount: '20' },
    password: 'correct horse battery',
  },
  loginWithPasskey: {
    passkey: {
      id: 'AAAA',
      clientDataJSON: 'AAAA',
      authenticatorData: 'AAAA',
      signature: 'AAAA',
      userHandle: 'AAAA',
    },
  },
  addPasskey: {
    id: 'AAAA',
    clientDataJSON: 'AAAA',
    attestationObject: 'AAAA',
    transports: ['internal'],
  },
  renamePasskey: { name: 'Old phone' },
  addAuthenticator: { code: '123456' },
  makeKey: { name: 'Script', scope: 'bots', days: 30, mostBots: 3, dailyAmount: '20' },
  changePassword: {
    currentPassword: 'correct horse battery',
    newPassword: 'another long password',
  },
  changeEmail: { email: 'ada@example.com', currentPassword: 'correct horse battery' },
  verifyEmail: { token: 'x' },
  requestReset: { account: 'ada' },
  resetPassword: { token: 'x', newPassword: 'another long password' },
  previewDisown: { token: 'x' },
  disown: { token: 'x' },
  updateProtections: { delayHours: 24, allowedOnly: false },
  updateNoticeSettings: {
    choice: { topic: 'deposits', channel: 'mail', isOn: false },
    pushAmounts: true,
  },
  addPushDevice: { endpoint: 'https://fcm.googleapis.com/fcm/send/x', p256dh: 'x', auth: 'x' },
  addWebhook: { address: 'https://hooks.bots-receiver.com/x', topics: ['deposits'] },
  updateWebhook: {
    address: 'https://hooks.bots-receiver.com/x',
    topics: ['deposits'],
    newSecret: true,
  },
  readNotices: { id: '0197f000-0000-7000-8000-000000000001' },
  createBot: {
    name: 'First',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '20',
  },
  updateBot: { name: 'Other', riskLevel: 'moderate', tradingPairs: ['BTC/USDT'] },
  topUpBot: { amount: '20' },
  takeOutOfBot: { percent: 25 },
  setPlan: { amount: '20', every: 'month', takeAbove: '500' },
  runBotEvidence: { riskLevel: 'moderate', tradingPairs: ['BTC/USDT'] },
  runBacktest: {
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '20',
    days: 30,
  },
  createPaymentIntent: { amount: '20' },
  payWithSandboxCard: { clientSecret: 'x', ...TEST_CARD },
  confirmDeposit: { paymentIntentId: 'x', amount: '20' },
  addBankAccount: BANK_ACCOUNT,
  requestWithdrawal: { amount: '20' },
  verifyWallet: {
    walletAddress: '0x',
    signature: '0x00',
    message: 'x',
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  },
  askHelp: { message: 'What does it cost?' },
  streamHelp: { message: 'What does it cost?' },
}

const unsafe = names.filter((name) => routeOf(name).method !== 'GET')
const withBody = names.filter((name) => shapesOf(name).body)
const withId = names.filter(hasId)

async function send(name: RouteName, { url, payload, headers = SAME_ORIGIN, who = ada }: Raw = {}) {
  const { method, path } = routeOf(name)
  const id = owned[name] ?? randomUUID()
  const type =
    payload === undefined || payload === null ? {} : { 'content-type': 'application/json' }
  return world.app.inject({
    method,
    url: url ?? path.replace(':id', id),
    headers: { cookie: who.cookie, ...type, ...headers },
    ...(payload !== undefined && payload !== null && { payload }),
  })
}

/** Messages of the schema library, which are for developers and in English. */
const OF_LIBRARY =
  /^(\S+: )?(Invalid (input|option|string|ISO|UUID|number|key)|Too (big|small)|Unrecognized)/

/** Checks that every answer is a refusal with this status, in the contract's format. */
async function expectRefused(
  answers: Promise<Awaited<ReturnType<typeof send>>>[],
  status: number | number[],
  field?: string,
): Promise<void> {
  const allowed = [status].flat()
  for (const answer of await Promise.all(answers)) {
    const problem = Problem.safeParse(answer.json())
    expect(
      problem.success && allowed.includes(answer.statusCode),
      `${answer.statusCode} ${answer.body.slice(0, 300)}`,
    ).toBe(true)
    expect(problem.data?.message).toBeTruthy()
    expect(problem.data?.message).not.toMatch(OF_LIBRARY)
    if (field !== undefined)
      expect(problem.data?.field, `${answer.body}`).toMatch(new RegExp(`^${field}(\\.|$)`))
  }
}

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await moneySnapshot(world.context.sql)
  await work()
  expect(await moneySnapshot(world.context.sql)).toEqual(before)
}

const NOT_AMOUNTS: unknown[] = [
  '1e9',
  'NaN',
  'Infinity',
  '-0',
  '-10',
  '+10',
  ' 10',
  '10 ',
  '10.001',
  '10.',
  '.5',
  '1,000',
  '٠١٠',
  '１０',
  '0x10',
  '10\u0000',
  '10\n',
  '$10',
  '',
  '9'.repeat(400),
  '999999999',
  1e21,
  -10,
  10.001,
  0.1 + 0.2,
  ['10'],
  { amount: '10' },
  true,
  false,
  null,
]
/** No value is valid for every field, and the last three for none. */
const WRONG_TYPES: unknown[] = [7.5, -1, '', true, [], [null], null, 'x'.repeat(5_000), { a: 1 }]
const isWrongForAll = (value: unknown): boolean => WRONG_TYPES.indexOf(value) >= 6

const bodyShape = ({ body }: CallRow): object => (body instanceof z.ZodObject ? body.shape : {})

const AMOUNT_FIELDS = [
  ['createBot', 'investmentAmount'],
  ['topUpBot', 'amount'],
  ['setPlan', 'amount'],
  ['runBacktest', 'investmentAmount'],
  ['createPaymentIntent', 'amount'],
  ['requestWithdrawal', 'amount'],
] as const

describe.each(AMOUNT_FIELDS)('%s', (name, field) => {
  test.each(NOT_AMOUNTS.map((amount) => [JSON.stringify(amount).slice(0, 40), amount]))(
    'refuses %s as an amount and names the field',
    (_shown, amount) =>
      unchanged(() =>
        expectRefused(
          [send(name, { payload: { ...goodBodies[name], [field]: amount } })],
          400,
          field,
        ),
      ),
  )

  test('refuses zero, and a body without the amount', () =>
    unchanged(async () => {
      for (const zero of ['0', '0.00', 0])
        await expectRefused(
          [send(name, { payload: { ...goodBodies[name], [field]: zero } })],
          422,
          field,
        )
      const { [field]: _left, ...rest } = goodBodies[name] ?? {}
      await expectRefused([send(name, { payload: rest })], 400, field)
    }))
})

const NOT_PERCENTS: unknown[] = [
  0,
  100,
  -1,
  1.5,
  1e21,
  '25',
  '25%',
  '',
  [25],
  { percent: 25 },
  true,
  null,
]

test.each(NOT_PERCENTS.map((percent) => [JSON.stringify(percent), percent]))(
  'takeOutOfBot refuses %s as a percentage and names the field',
  (_shown, percent) =>
    unchanged(() =>
      expectRefused([send('takeOutOfBot', { payload: { percent } })], 400, 'percent'),
    ),
)

const NAMES = [
  ['signup', 'firstName'],
  ['signup', 'lastName'],
  ['updateUser', 'firstName'],
  ['updateUser', 'lastName'],
  ['createBot', 'name'],
  ['updateBot', 'name'],
  ['addBankAccount', 'bankName'],
  ['renamePasskey', 'name'],
  ['verifyWallet', 'walletType'],
  ['requestReset', 'account'],
  ['addPushDevice', 'endpoint'],
  ['addWebhook', 'address'],
] as const

test.each(NAMES)(
  '%s refuses a %s with control, line break, direction or invisible characters',
  (name, field) =>
    unchanged(async () => {
      const texts = [
        'a\u001b[2Jb',
        'a\u0000b',
        'a\nb',
        'a\u2028b',
        '\u202etxt',
        'a\u2066b',
        '\u200b\u2060',
        'Ada\u200b',
        '\u3164',
        '\u2800',
        `a${'\u0301'.repeat(6)}`,
      ]
      await expectRefused(
        texts.map((text) => send(name, { payload: { ...goodBodies[name], [field]: text } })),
        [400, 422],
        field,
      )
    }),
)

describe.each(withBody)('%s', (name) => {
  const good = goodBodies[name] ?? {}

  test('reports each field at fault in the reader’s language', async () => {
    const who = await world.user()
    const fields = Object.keys(bodyShape(shapesOf(name)))
    expect(fields).not.toEqual([])
    for (const field of fields) {
      for (const wrong of WRONG_TYPES) {
        const [english, german] = await Promise.all(
          ['en', 'de'].map((language) =>
            send(name, {
              payload: { ...good, [field]: wrong },
              who,
              headers: { ...SAME_ORIGIN, 'accept-language': language },
            }),
          ),
        )
        if (field in good && isWrongForAll(wrong))
          expect([400, 422], `${name} ${field} ${JSON.stringify(wrong).slice(0, 40)}`).toContain(
            english?.statusCode,
          )
        if (english?.statusCode !== 400) continue
        const [problem, inGerman] = [Problem.parse(english.json()), Problem.parse(german?.json())]
        expect(problem.field, `${english.body}`).toMatch(new RegExp(`^${field}(\\.|$)`))
        expect(problem.message).not.toMatch(OF_LIBRARY)
        expect([inGerman.code, inGerman.field]).toEqual([problem.code, problem.field])
        expect(inGerman.message, `${name} ${field} ${JSON.stringify(wrong)}`).not.toBe(
          problem.message,
        )
      }
    }
  })

  test('refuses NUL, which no table can store, in every text, and names the field', () =>
    unchanged(async () => {
      const texts = Object.entries(good).filter(([, value]) => typeof value === 'string')
      for (const [field, value] of texts)
        await expectRefused(
          ['\u0000', 'a\u0000b', `${String(value)}\u0000`].map((text) =>
            send(name, { payload: { ...good, [field]: text } }),
          ),
          [400, 422],
          field,
        )
    }))

  test.each(['__proto__', 'constructor', 'prototype', 'userId', 'isAdmin', ''])(
    'refuses the unknown key %j',
    (key) =>
      unchanged(() => {
        const payload = `{${JSON.stringify(key)}:{"isAdmin":true},${JSON.stringify(good).slice(1)}`
        return expectRefused([send(name, { payload })], 400, key || undefined)
      }),
  )

  test.each([
    ['a list', '[]'],
    ['a text', '"text"'],
    ['a number', '7'],
    ['null', 'null'],
  ])('refuses %s instead of an object', (_kind, payload) =>
    unchanged(() => expectRefused([send(name, { payload })], [400, 422])),
  )
})

describe.each(unsafe)('%s', (name) => {
  const good = goodBodies[name]

  test('refuses broken JSON, another content type, and a body above 64 kB', () =>
    unchanged(async () => {
      await expectRefused(
        ['{', '{"a":', "{'a':1}", '\u0000', '{"a":1}}'].map((payload) => send(name, { payload })),
        400,
      )
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
      ]
      await expectRefused(
        types.map((type) =>
          send(name, {
            payload: JSON.stringify(good ?? {}),
            headers: { ...SAME_ORIGIN, 'content-type': type },
          }),
        ),
        415,
      )
      const huge = JSON.stringify({ ...good, padding: 'x'.repeat(65 * 1_024) })
      await expectRefused([send(name, { payload: huge })], 413)
    }))

  test('refuses a request from another site, with and without a body', () =>
    unchanged(async () => {
      const origins = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80', host: 'localhost:80' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://localhost.evil.example', host: 'localhost' },
        { 'sec-fetch-site': '' },
        {},
      ]
      await expectRefused(
        origins.flatMap((headers) => [
          send(name, { payload: good ?? {}, headers }),
          send(name, { payload: null, headers }),
        ]),
        403,
      )
    }))

  test('refuses unknown keys in the query', () =>
    unchanged(() =>
      expectRefused(
        [
          send(name, {
            url: `${routeOf(name).path.replace(':id', owned[name] ?? randomUUID())}?admin=1`,
            payload: good ?? null,
          }),
        ],
        400,
        'admin',
      ),
    ))
})

test.each<[string, Raw, string]>([
  ['broken JSON', { payload: '{' }, 'The request is not valid JSON.'],
  ['an unknown field', { payload: { amount: '1', admin: true } }, 'Unknown field: admin'],
  [
    'a malformed key',
    { payload: { amount: '1' }, headers: { ...SAME_ORIGIN, 'idempotency-key': 'a b' } },
    'An Idempotency-Key has 1 to 200 printable characters.',
  ],
])('%s is refused in a sentence', async (_kind, request, message) => {
  expect((await send('topUpBot', request)).json()).toMatchObject({ code: 'invalid-input', message })
})

test.each(unsafe.filter((name) => goodBodies[name] === undefined))('%s takes no body', (name) =>
  unchanged(() => expectRefused([send(name, { payload: { amount: '1' } })], 400, 'amount')),
)

test.each(withId)(
  '%s answers the id of another user exactly like an unknown or malformed id',
  async (name) => {
    await unchanged(async () => {
      const mine = owned[name] ?? randomUUID()
      const ids = [
        mine,
        randomUUID(),
        mine.toUpperCase(),
        mine.slice(1),
        `${mine}.${mine}`,
        'x',
        '%00',
        '%27%20or%201=1--',
        '..%2f..',
        '-1',
        'null',
        'x'.repeat(90),
      ]
      const payload = goodBodies[name] ?? null
      const answers = await Promise.all(
        ids.map((id) =>
          send(name, { url: routeOf(name).path.replace(':id', id), payload, who: eve }),
        ),
      )
      const said = answers.map(({ statusCode, body }) => `${statusCode} ${body}`)
      expect(new Set(said)).toEqual(
        new Set([`404 {"code":"not-found","message":"We couldn't find that."}`]),
      )
    })
  },
)

test("a user can neither pay nor confirm another user's payment, nor use their bank account", () =>
  unchanged(async () => {
    await expectRefused(
      [send('confirmDeposit', { payload: { paymentIntentId: intentId }, who: eve })],
      404,
    )
    await expectRefused(
      [send('payWithSandboxCard', { payload: { ...TEST_CARD, clientSecret }, who: eve })],
      404,
    )
    const bankAccountId = owned.removeBankAccount
    await expectRefused(
      [send('requestWithdrawal', { payload: { amount: '20', bankAccountId }, who: eve })],
      404,
      'bankAccountId',
    )
  }))

test.each(names.filter((name) => ['user', 'session'].includes(calls[name].access)))(
  '%s answers 401 without a valid session',
  async (name) => {
    await unchanged(async () => {
      const forged = [
        '',
        'sid=',
        'sid=x',
        `sid=${'x'.repeat(5_000)}`,
        'sid=%00',
        `sid=${ada.id}`,
        `sid=${ada.id}.`,
        `sid=${ada.id}.${'x'.repeat(43)}`,
        `sid=${ada.id}.${ada.id}`,
      ]
      for (const cookie of forged)
        await expectRefused(
          [send(name, { payload: goodBodies[name] ?? null, headers: { ...SAME_ORIGIN, cookie } })],
          401,
        )
    })
  },
)

test('the statement and the trade export need a session; an unknown path answers 404', async () => {
  const [statement, trades, unknown] = await Promise.all(
    [plainRoutes.statement, plainRoutes.trades, '/api/nothing'].map((url) => world.app.inject(url)),
  )
  expect([statement?.statusCode, trades?.statusCode, unknown?.statusCode]).toEqual([401, 401, 404])
  expect(Problem.safeParse(unknown?.json()).success).toBe(true)
})

test.each([
  ['bot=x', 400],
  ['bot=', 400],
  ['bot=%27', 400],
  [`bot=${randomUUID()}&bot=${randomUUID()}`, 400],
  ['userId=1', 400],
  [`bot=${randomUUID()}`, 404],
])('the trade export with the query %s answers %d', async (query, status) => {
  const answer = await world.app.inject({
    url: `${plainRoutes.trades}?${query}`,
    headers: { cookie: ada.cookie },
  })
  expect([answer.statusCode, Problem.safeParse(answer.json()).success]).toEqual([status, true])
})

test.each(['trades', 'statement'] as const)(
  'the export %s refuses an invalid period, and names the field',
  async (name) => {
    for (const [query, field] of [
      ['from=yesterday', 'from'],
      ['to=1', 'to'],
      ['from=0001-01-01T00:00:00Z', 'from'],
      ['q=x', 'q'],
    ]) {
      const answer = await world.app.inject({
        url: `${plainRoutes[name]}?${query}`,
        headers: { cookie: ada.cookie },
      })
      expect([answer.statusCode, answer.json().field]).toEqual([400, field])
    }
  },
)

test('only the owner of a bot can export its trades', async () => {
  const url = `${plainRoutes.trades}?bot=${owned.deleteBot}`
  const [own, foreign] = await Promise.all(
    [ada, eve].map(({ cookie }) => world.app.inject({ url, headers: { cookie } })),
  )
  expect([own?.statusCode, foreign?.statusCode]).toEqual([200, 404])
})

const BACKTEST = 'strategy=trend-moderate&pairs=BTC/USDT&amount=20&days=30'

const QUERIES: [RouteName, string, string][] = [
  ['getPortfolio', 'range=1D', 'range'],
  ['getBalanceCurve', 'range=2D', 'range'],
  ['getBalanceCurve', 'range=1D&range=1W', 'range'],
  ['getBalanceCurve', 'admin=1', 'admin'],
  ['getWeek', 'weeks=2', 'weeks'],
  ['getMarket', 'range=2D', 'range'],
  ['getMarket', 'range=', 'range'],
  ['getMarket', 'range=1D&range=1W', 'range'],
  ['getMarket', 'hours=1', 'hours'],
  ['getTrackRecord', 'admin=1', 'admin'],
  ['getEvidenceBundle', '', 'strategy'],
  ['getEvidenceBundle', 'strategy=lucky', 'strategy'],
  ['getEvidenceBundle', 'strategy=hold&pairs=BTC/USDT', 'pairs'],
  ['getEvidenceBundle', 'strategy=hold&strategy=hold', 'strategy'],
  ['getBotBundle', 'strategy=hold', 'pairs'],
  ['getBotBundle', 'strategy=hold&pairs=', 'pairs'],
  ['getBotBundle', `strategy=hold&pairs=${'x'.repeat(201)}`, 'pairs'],
  ['getBotBundle', 'strategy=hold&pairs=DOGE/USDT', 'tradingPairs'],
  ['getBacktestBundle', `${BACKTEST}&until=tomorrow`, 'until'],
  ['getBacktestBundle', `${BACKTEST}&until=2024-01-01T00:30:00Z`, 'until'],
  ['getBacktestBundle', `${BACKTEST}&until=1999-01-01T00:00:00Z`, 'until'],
  ['getBacktestBundle', `${BACKTEST}&until=9999-01-01T00:00:00Z`, 'until'],
  ['getBacktestBundle', BACKTEST.replace('days=30', 'days=1e3'), 'days'],
  ['getBacktestBundle', BACKTEST.replace('amount=20', 'amount=1e9'), 'amount'],
  ['listTransactions', 'type=all', 'type'],
  ['listTransactions', 'cursor=x', 'cursor'],
  ['listTransactions', `cursor=${'x'.repeat(300)}`, 'cursor'],
  ['listTransactions', `cursor=${randomUUID()}~%00`, 'cursor'],
  ['listTransactions', 'constructor=1', 'constructor'],
  ['listTransactions', 'bot=x', 'bot'],
  ['listTransactions', 'bot=', 'bot'],
  ['listTransactions', 'from=2026-11-01', 'from'],
  ['listTransactions', 'to=tomorrow', 'to'],
  ['listTransactions', 'from=0000-01-01T00:00:00Z', 'from'],
  ['listTransactions', 'to=1969-12-31T23:59:59Z', 'to'],
  ['listTransactions', 'to=%00', 'to'],
  ['listTransactions', `q=${'x'.repeat(101)}`, 'q'],
  ['listTransactions', 'q=%00', 'q'],
  ['listTransactions', 'q=a%0Ab', 'q'],
  ['listTransactions', 'q=%E2%80%AEa', 'q'],
  ['listTransactions', 'q=a&q=b', 'q'],
  ['compareBot', `with=${'x'.repeat(101)}`, 'with'],
  ['compareBot', 'with=a&with=b', 'with'],
  ['compareBot', 'admin=1', 'admin'],
  ['listNotices', 'cursor=x', 'cursor'],
  ['listNotices', `cursor=${'x'.repeat(300)}`, 'cursor'],
  ['listNotices', 'limit=9999', 'limit'],
  ['listBotTrades', 'cursor=1', 'cursor'],
  ['listBotTrades', 'cursor=%27', 'cursor'],
  ['listBotTrades', 'limit=9999', 'limit'],
]
test.each(QUERIES)('%s refuses the query %s and names %s', (name, query, field) =>
  unchanged(() =>
    expectRefused(
      [
        send(name, {
          url: `${routeOf(name).path.replace(':id', owned[name] ?? randomUUID())}?${query}`,
        }),
      ],
      400,
      field,
    ),
  ),
)

describe.each([
  [
    'createBot',
    201,
    { ...goodBodies.createBot },
    { ...goodBodies.createBot, investmentAmount: '21' },
  ],
  ['topUpBot', 200, { amount: '20' }, { amount: '21' }],
  ['takeOutOfBot', 200, { percent: 25 }, { percent: 26 }],
  ['setPlan', 200, { amount: '20', every: 'month' }, { amount: '20', every: 'week' }],
  ['requestWithdrawal', 201, { amount: '20' }, { amount: '21' }],
  ['addBankAccount', 201, BANK_ACCOUNT, { ...BANK_ACCOUNT, accountNumber: '000123456780' }],
] as const)('an idempotency key of %s', (name, status, body, other) => {
  test('returns the stored answer for the same body, and is refused with another', async () => {
    // The deposit must reach the bot before a part can be taken out.
    await world.serve()
    const headers = { ...SAME_ORIGIN, 'idempotency-key': randomUUID() }
    const first = await send(name, {
      payload: body,
      headers: {
        ...headers,
        ...(isProven(name) && { proof: await ada.prove(name, { body }) }),
      },
    })
    expect(first.statusCode).toBe(status)
    await unchanged(async () => {
      const again = await send(name, { payload: body, headers })
      expect([again.statusCode, again.json()]).toEqual([status, first.json()])
      await expectRefused([send(name, { payload: other, headers })], 422)
    })
    const stranger = await send(name, {
      payload: name === 'createBot' ? body : { amount: 'x' },
      headers,
      who: eve,
    })
    expect(stranger.json()).not.toEqual(first.json())
  })

  test('a value in the wrong format is refused', () =>
    unchanged(async () => {
      for (const key of ['ü', 'x'.repeat(201), 'a b']) {
        await expectRefused(
          [send(name, { payload: body, headers: { ...SAME_ORIGIN, 'idempotency-key': key } })],
          400,
          'Idempotency-Key',
        )
      }
    }))
})
