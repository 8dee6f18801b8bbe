import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { createRisingWorld } from '../world/small-book.ts'
import { TEST_CARD, type TestUser, type World } from '../world/world.ts'
import { equals } from './checks.ts'
import { anything, DECIMAL, like, MOMENT, says, send, USD, UUID, type Said } from './http.ts'
import { rows } from './rows.ts'

let world: World
let ada: TestUser
let bankAccountId = ''
beforeAll(async () => {
  world = await createRisingWorld()
  ada = await world.user('ada')
  await ada.deposit('1000')
  bankAccountId = await ada.addBankAccount()
  await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '100',
    },
  })
  await world.hours(30)
})
afterAll(() => world.close())

const as = (
  user: TestUser,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Said> => send(world, call, { user, body, headers })
const nobody = (call: string, body?: unknown): Promise<Said> => send(world, call, { body })
const PERSON = { password: 'a long password', firstName: 'Grace', lastName: 'Hopper' }
const BOT = {
  name: 'Second',
  riskLevel: 'aggressive',
  tradingPairs: ['BTC/USDT', 'XRP/USDT'],
  investmentAmount: '50',
}

async function botOf(user: TestUser, name = 'Steady'): Promise<string> {
  return (await user.call('listBots')).find((bot) => bot.name === name)?.id ?? ''
}

rows('7 Authentication', {
  'GET /api/auth/user: the current user': async () =>
    says(await as(ada, 'GET /api/auth/user'), 200, { username: 'ada', firstName: 'Ada' }),
  'GET /api/auth/user: failure means not logged in': async () =>
    says(await nobody('GET /api/auth/user'), 401, { code: 'not-signed-in' }),
  'POST /api/auth/login: username, password; success': async () =>
    says(
      await nobody('POST /api/auth/login', { username: 'ada', password: 'correct horse battery' }),
      200,
      { username: 'ada' },
    ),
  'POST /api/auth/login: an error message': async () =>
    says(
      await nobody('POST /api/auth/login', { username: 'ada', password: 'wrong password' }),
      401,
      { message: 'Please check your credentials and try again.' },
    ),
  'POST /api/auth/login: capital letters of the username do not matter (decision 20)': async () =>
    says(
      await nobody('POST /api/auth/login', { username: 'ADA', password: 'correct horse battery' }),
      200,
      { username: 'ada' },
    ),
  'POST /api/auth/login: the cookie is HttpOnly and SameSite=Lax (decision 21)': async () => {
    const { headers } = await nobody('POST /api/auth/login', {
      username: 'ada',
      password: 'correct horse battery',
    })
    equals(String(headers['set-cookie']), like(/HttpOnly; SameSite=Lax/))
  },
  'POST /api/auth/login: the session id is a new one each time (decision 21)': async () => {
    const credentials = { username: 'ada', password: 'correct horse battery' }
    const [first, next] = [
      await nobody('POST /api/auth/login', credentials),
      await nobody('POST /api/auth/login', credentials),
    ]
    equals(first.cookie === next.cookie, false)
  },
  'POST /api/auth/signup: username, password, firstName, lastName, email': async () =>
    says(
      await nobody('POST /api/auth/signup', {
        ...PERSON,
        username: 'grace',
        email: 'grace@example.com',
      }),
      201,
      { username: 'grace', email: 'grace@example.com' },
    ),
  'POST /api/auth/signup: email may be left out': async () =>
    says(await nobody('POST /api/auth/signup', { ...PERSON, username: 'grace2' }), 201, {
      email: null,
    }),
  'POST /api/auth/signup: an error message': async () =>
    says(await nobody('POST /api/auth/signup', { ...PERSON, username: 'Ada' }), 409, {
      message: 'This username is already taken.',
    }),
  'POST /api/auth/logout: no payload': async () => {
    const { cookie } = await nobody('POST /api/auth/login', {
      username: 'ada',
      password: 'correct horse battery',
    })
    const leaving = { ...ada, cookie }
    says(await as(leaving, 'POST /api/auth/logout'), 200)
    says(await as(leaving, 'GET /api/auth/user'), 401)
  },
  'GET /api/login: 303 to /login (decision 23)': async () => {
    const { status, headers } = await nobody('GET /api/login')
    equals([status, headers['location']], [303, '/login'])
  },
})

rows('7 Market', {
  'GET /api/crypto/prices: an object keyed by symbol': async () =>
    equals(Object.keys((await nobody('GET /api/crypto/prices')).body as object).toSorted(), [
      'BTC',
      'XRP',
    ]),
  'GET /api/crypto/prices: name': async () =>
    says(await nobody('GET /api/crypto/prices'), 200, { BTC: { name: 'Bitcoin' } }),
  'GET /api/crypto/prices: price': async () =>
    says(await nobody('GET /api/crypto/prices'), 200, { BTC: { price: DECIMAL } }),
  'GET /api/crypto/prices: change24h, percent with 2 decimals': async () =>
    says(await nobody('GET /api/crypto/prices'), 200, { BTC: { change24h: USD } }),
})

rows('7 Bots', {
  'GET /api/trading-bots: list of bots': async () =>
    says(await as(ada, 'GET /api/trading-bots'), 200, [{ name: 'Steady' }]),
  'POST /api/trading-bots: name, riskLevel, tradingPairs, investmentAmount; the created bot':
    async () =>
      says(await as(ada, 'POST /api/trading-bots', BOT), 201, {
        ...BOT,
        investmentAmount: '50.00',
        id: UUID,
      }),
  'POST /api/trading-bots: riskLevel is moderate by default (9)': async () =>
    says(
      await as(ada, 'POST /api/trading-bots', {
        ...BOT,
        riskLevel: undefined,
        investmentAmount: '1',
      }),
      201,
      { riskLevel: 'moderate' },
    ),
  'POST /api/trading-bots: the same Idempotency-Key creates one bot': async () => {
    const [first, again] = [
      await as(
        ada,
        'POST /api/trading-bots',
        { ...BOT, investmentAmount: '1' },
        { 'idempotency-key': 'once' },
      ),
      await as(
        ada,
        'POST /api/trading-bots',
        { ...BOT, investmentAmount: '1' },
        { 'idempotency-key': 'once' },
      ),
    ]
    equals(again.body, first.body)
  },
  'POST /api/trading-bots: the same Idempotency-Key with another body is refused': async () =>
    says(
      await as(
        ada,
        'POST /api/trading-bots',
        { ...BOT, investmentAmount: '2' },
        { 'idempotency-key': 'once' },
      ),
      422,
      { code: 'idempotency-key-reused' },
    ),
  'POST /api/simulate-bot-trade/{id}: an empty body; title and message to show': async () =>
    says(await as(ada, `POST /api/simulate-bot-trade/${await botOf(ada)}`), 200, {
      title: 'Trading Session Complete',
      message: anything,
    }),
  'POST /api/simulate-bot-trade/{id}: no money moves (decision 3)': async () => {
    const before = [
      (await as(ada, 'GET /api/auth/user')).body,
      (await as(ada, 'GET /api/transactions')).body,
    ]
    await as(ada, `POST /api/simulate-bot-trade/${await botOf(ada)}`)
    equals(
      [(await as(ada, 'GET /api/auth/user')).body, (await as(ada, 'GET /api/transactions')).body],
      before,
    )
  },
  'DELETE /api/trading-bots/{id}: an empty body; it closes (decision 15)': async () =>
    says(await as(ada, `DELETE /api/trading-bots/${await botOf(ada, 'Second')}`), 200, {
      name: 'Second',
    }),
  'POST /api/trading-bots/{id}/top-up: amount; the bot, with so much more invested (decision 16)':
    async () =>
      says(
        await as(ada, `POST /api/trading-bots/${await botOf(ada)}/top-up`, { amount: '20' }),
        200,
        { name: 'Steady', investmentAmount: '120.00' },
      ),
  'POST /api/trading-bots/{id}/top-up: less than 1 is refused (9)': async () =>
    says(
      await as(ada, `POST /api/trading-bots/${await botOf(ada)}/top-up`, { amount: '0.99' }),
      422,
      { field: 'amount', message: 'Please enter a valid investment amount' },
    ),
  'POST /api/trading-bots/{id}/top-up: more than the available balance is refused (5)': async () =>
    says(
      await as(ada, `POST /api/trading-bots/${await botOf(ada)}/top-up`, { amount: '5000' }),
      422,
      { field: 'amount', message: 'Investment amount exceeds available balance' },
    ),
  'POST /api/trading-bots/{id}/take-out: while money is on its way it is refused (decision 6)':
    async () =>
      says(
        await as(ada, `POST /api/trading-bots/${await botOf(ada)}/take-out`, { percent: 25 }),
        409,
        { code: 'bot-busy', message: 'This bot is still moving money. Try again in a moment.' },
      ),
  'POST /api/trading-bots/{id}/take-out: percent; the bot with the part being sold (decision 6)':
    async () => {
      await world.serve()
      says(
        await as(ada, `POST /api/trading-bots/${await botOf(ada)}/take-out`, { percent: 25 }),
        200,
        { name: 'Steady', takingOutPercent: 25, isActive: true },
      )
      await world.serve()
      const bots = (await as(ada, 'GET /api/trading-bots')).body as {
        name: string
        investmentAmount: string
        takingOutPercent: number | null
      }[]
      equals(
        bots
          .filter(({ name }) => name === 'Steady')
          .map(({ investmentAmount, takingOutPercent }) => [investmentAmount, takingOutPercent]),
        [['90.00', null]],
      )
    },
  'PATCH /api/trading-bots/{id}: pause (decision 15)': async () =>
    says(await as(ada, `PATCH /api/trading-bots/${await botOf(ada)}`, { isActive: false }), 200, {
      isActive: false,
      status: 'paused',
    }),
  'PATCH /api/trading-bots/{id}: resume (decision 15)': async () =>
    says(await as(ada, `PATCH /api/trading-bots/${await botOf(ada)}`, { isActive: true }), 200, {
      isActive: true,
    }),
})

async function payIntent(
  amount: string,
): Promise<{ clientSecret: string; paymentIntentId: string }> {
  const session = (await as(ada, 'POST /api/create-payment-intent', { amount })).body as {
    clientSecret: string
    paymentIntentId: string
  }
  says(
    await as(ada, 'POST /api/sandbox/card-payments', {
      clientSecret: session.clientSecret,
      ...TEST_CARD,
    }),
    200,
    { status: 'succeeded' },
  )
  return session
}

rows('7 Money', {
  'GET /api/transactions: a list': async () =>
    says(await as(ada, 'GET /api/transactions?type=deposit'), 200, {
      items: [{ type: 'deposit', amount: '1000.00' }],
    }),
  'GET /api/transactions: newest first, 50 a page, a cursor (decision 28)': async () => {
    const user = await world.user()
    for (let number = 1; number <= 51; number += 1) await user.deposit(`${number + 10}`)
    const page = async (query: string) =>
      (await as(user, `GET /api/transactions${query}`)).body as {
        items: { amount: string }[]
        nextCursor: string | null
      }
    const first = await page('')
    const second = await page(`?cursor=${first.nextCursor}`)
    equals(
      first.items.map(({ amount }) => amount),
      Array.from({ length: 50 }, (_, place) => `${61 - place}.00`),
    )
    equals([second.items.map(({ amount }) => amount), second.nextCursor], [['11.00'], null])
  },
  'POST /api/create-payment-intent: amount; clientSecret': async () =>
    says(await as(ada, 'POST /api/create-payment-intent', { amount: '10' }), 201, {
      clientSecret: like(/_secret_/),
    }),
  'POST /api/create-payment-intent: a JSON number is taken too (decision 19)': async () =>
    says(await as(ada, 'POST /api/create-payment-intent', { amount: 10.5 }), 201, {
      amount: '10.50',
    }),
  'POST /api/confirm-deposit: paymentIntentId, amount': async () => {
    const { paymentIntentId } = await payIntent('20')
    says(await as(ada, 'POST /api/confirm-deposit', { paymentIntentId, amount: '20' }), 200, {
      status: 'completed',
      amount: '20.00',
    })
  },
  "POST /api/confirm-deposit: the client's amount is ignored (decision 18)": async () => {
    const { paymentIntentId } = await payIntent('20')
    says(await as(ada, 'POST /api/confirm-deposit', { paymentIntentId, amount: '9999' }), 200, {
      amount: '20.00',
    })
  },
  'POST /api/confirm-deposit: credited once (decision 18)': async () => {
    const { paymentIntentId } = await payIntent('20')
    const first = await as(ada, 'POST /api/confirm-deposit', { paymentIntentId, amount: '20' })
    const again = await as(ada, 'POST /api/confirm-deposit', { paymentIntentId, amount: '20' })
    equals(
      (again.body as { availableBalance: string }).availableBalance,
      (first.body as { availableBalance: string }).availableBalance,
    )
  },
  'POST /api/confirm-deposit: nothing without a payment': async () => {
    const { paymentIntentId } = await ada.call('createPaymentIntent', { body: { amount: '20' } })
    says(await as(ada, 'POST /api/confirm-deposit', { paymentIntentId, amount: '20' }), 409, {
      code: 'payment-not-succeeded',
    })
  },
  'GET /api/bank-accounts: a list': async () =>
    says(await as(ada, 'GET /api/bank-accounts'), 200, [{ bankName: 'First Bank' }]),
  'POST /api/withdrawal-requests: amount (string), bankAccountId': async () =>
    says(await as(ada, 'POST /api/withdrawal-requests', { amount: '12.50', bankAccountId }), 201, {
      amount: '12.50',
      bankAccountId,
    }),
  'POST /api/withdrawal-requests: bankAccountId may be absent': async () =>
    says(await as(ada, 'POST /api/withdrawal-requests', { amount: '10' }), 201, { bankAccountId }),
  'POST /api/withdrawal-requests: without a bank account 422 (decision 17)': async () => {
    const poor = await world.user()
    await poor.deposit('50')
    says(await as(poor, 'POST /api/withdrawal-requests', { amount: '10' }), 422, {
      message: 'Add a bank account first',
    })
  },
  'GET /api/withdrawal-requests: a list': async () =>
    says(await as(ada, 'GET /api/withdrawal-requests'), 200, [
      { status: 'pending' },
      { status: 'pending' },
    ]),
  'POST /api/withdrawal-requests/{id}/cancel: canceled by the user while pending (decision 17)':
    async () => {
      const [{ id } = { id: '' }] = await ada.call('listWithdrawals')
      says(await as(ada, `POST /api/withdrawal-requests/${id}/cancel`), 200, {
        state: 'canceled',
        status: 'failed',
      })
    },
})

const key = privateKeyToAccount(generatePrivateKey())
const NONCE = `GET /api/crypto-wallets/nonce?walletAddress=${key.address}&chainId=1`
let walletId = ''

type Verifying = { user?: TestUser; tamper?: (message: string) => string }

async function verify({
  user = ada,
  tamper = (message) => message,
}: Verifying = {}): Promise<Said> {
  const { message } = (await as(user, NONCE)).body as { message: string }
  const signature = await key.signMessage({ message: tamper(message) })
  return as(user, 'POST /api/crypto-wallets/verify', {
    walletAddress: key.address,
    signature,
    message: tamper(message),
    walletType: 'metamask',
    chainId: 1,
    chainName: 'Ethereum',
  })
}

rows('7 Help', {
  'POST /api/chat/help: message; a message': async () =>
    says(await nobody('POST /api/chat/help', { message: 'What does it cost?' }), 200, {
      message: like(/15% of the profit that you take out/),
    }),
})

rows('7 Wallets', {
  'GET /api/crypto-wallets: list of linked wallets': async () =>
    says(await as(ada, 'GET /api/crypto-wallets'), 200, []),
  'GET /api/crypto-wallets/nonce: a message to sign, made by the server (decision 26)': async () =>
    says(await as(ada, NONCE), 200, {
      message: like(/wants you to sign in with your Ethereum account/),
      nonce: anything,
    }),
  'GET /api/crypto-wallets/nonce: payload none': async () =>
    says(await as(ada, 'GET /api/crypto-wallets/nonce'), 200, {
      message: anything,
      nonce: like(/^\w{8,}$/),
    }),
  'GET /api/crypto-wallets/nonce: refused to another site (decision 33)': async () =>
    says(
      await send(world, 'GET /api/crypto-wallets/nonce', {
        user: ada,
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
      403,
      { code: 'cross-site' },
    ),
  'GET /api/crypto-wallets/nonce: it expires after 10 minutes (decision 11)': async () => {
    const { expiresAt, message } = (await as(ada, NONCE)).body as {
      expiresAt: string
      message: string
    }
    const issuedAt = /Issued At: (.*)/.exec(message)?.[1] ?? ''
    equals(Date.parse(expiresAt) - Date.parse(issuedAt), 600_000)
  },
  'POST /api/crypto-wallets/verify: a message that was changed is refused (decision 26)':
    async () =>
      says(
        await verify({ tamper: (message) => message.replace('Chain ID: 1', 'Chain ID: 56') }),
        422,
      ),
  ['POST /api/crypto-wallets/verify: walletAddress, signature, message, ' +
  'walletType, chainId, chainName']: async () => {
    const linked = await verify()
    says(linked, 201, {
      walletAddress: key.address,
      walletType: 'metamask',
      chainId: 1,
      chainName: 'Ethereum',
    })
    walletId = (linked.body as { id: string }).id
  },
  'GET /api/crypto-wallets/{id}/balance: without chain access it says so (decision 26)': async () =>
    says(await as(ada, `GET /api/crypto-wallets/${walletId}/balance`), 503, {
      code: 'chain-unconfigured',
    }),
  'POST /api/crypto-wallets/{id}/disconnect: no payload': async () =>
    says(await as(ada, `POST /api/crypto-wallets/${walletId}/disconnect`), 200, {
      isConnected: false,
      disconnectedAt: MOMENT,
    }),
  'POST /api/crypto-wallets/verify: an address connected to somebody else is refused (decision 11)':
    async () => {
      says(await verify(), 201, { isConnected: true })
      says(await verify({ user: await world.user() }), 409, { code: 'wallet-linked-elsewhere' })
      says(await as(ada, `POST /api/crypto-wallets/${walletId}/disconnect`), 200, {
        isConnected: false,
      })
    },
  'POST /api/crypto-wallets/verify: a disconnected address may be linked again (decision 11)':
    async () => says(await verify(), 201, { isConnected: true }),
})

rows('7 Errors', {
  'errors are JSON {code, message, field?} (decision 22)': async () => {
    const { body } = await as(ada, 'POST /api/withdrawal-requests', { amount: '1' })
    equals(body, {
      code: 'withdrawal-below-minimum',
      message: 'Minimum withdrawal amount is $10',
      field: 'amount',
    })
  },
  'unknown addresses are 404': async () =>
    says(await nobody('GET /api/nothing-here'), 404, { code: 'not-found' }),
  'unknown body keys are refused (decision 19)': async () =>
    says(await as(ada, 'POST /api/trading-bots', { ...BOT, isActive: true }), 400, {
      message: 'Unknown field: isActive',
      field: 'isActive',
    }),
  'bodies over 64 kB: 413 (decision 19)': async () =>
    says(await as(ada, 'POST /api/chat/help', { message: 'a'.repeat(70_000) }), 413),
  'a body that is not JSON is refused': async () =>
    says(
      await send(world, 'POST /api/auth/login', {
        payload: 'username=ada',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      415,
    ),
  'requests of another site are blocked (decision 21)': async () =>
    says(
      await as(ada, 'POST /api/auth/logout', undefined, { 'sec-fetch-site': 'cross-site' }),
      403,
      { code: 'cross-site' },
    ),
})

const MONEY_SENTENCES: readonly [
  call: string,
  body: object,
  status: number,
  field: string,
  message: string,
][] = [
  [
    'POST /api/create-payment-intent',
    { amount: 'abc' },
    400,
    'amount',
    'Please enter a valid amount (minimum $10).',
  ],
  [
    'POST /api/create-payment-intent',
    { amount: '9.99' },
    422,
    'amount',
    'Minimum deposit amount is $10',
  ],
  [
    'POST /api/create-payment-intent',
    { amount: '10000.01' },
    422,
    'amount',
    'Maximum deposit amount is $10,000',
  ],
  [
    'POST /api/withdrawal-requests',
    { amount: 'abc' },
    400,
    'amount',
    'Please enter a valid withdrawal amount',
  ],
  [
    'POST /api/withdrawal-requests',
    { amount: '0' },
    422,
    'amount',
    'Please enter a valid withdrawal amount',
  ],
  [
    'POST /api/withdrawal-requests',
    { amount: '99999' },
    422,
    'amount',
    'Withdrawal amount exceeds available balance',
  ],
  [
    'POST /api/withdrawal-requests',
    { amount: '9' },
    422,
    'amount',
    'Minimum withdrawal amount is $10',
  ],
  ['POST /api/trading-bots', { ...BOT, name: ' ' }, 422, 'name', 'Please enter a bot name'],
  [
    'POST /api/trading-bots',
    { ...BOT, tradingPairs: [] },
    422,
    'tradingPairs',
    'Please select at least one trading pair',
  ],
  [
    'POST /api/trading-bots',
    { ...BOT, investmentAmount: 'abc' },
    400,
    'investmentAmount',
    'Please enter a valid investment amount',
  ],
  [
    'POST /api/trading-bots',
    { ...BOT, investmentAmount: '0' },
    422,
    'investmentAmount',
    'Please enter a valid investment amount',
  ],
  [
    'POST /api/trading-bots',
    { ...BOT, investmentAmount: '99999' },
    422,
    'investmentAmount',
    'Investment amount exceeds available balance',
  ],
]

rows(
  '7 Every sentence about money names the field',
  Object.fromEntries(
    MONEY_SENTENCES.map(([call, body, status, field, message]) => [
      `${call} ${JSON.stringify(body)}: '${message}'`,
      async () => says(await as(ada, call, body), status, { field, message }),
    ]),
  ),
)
