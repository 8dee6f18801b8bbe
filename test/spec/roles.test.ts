import { afterAll, beforeAll } from 'vitest'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import { equals } from './checks.ts'
import { says, send } from './http.ts'
import { rows } from './rows.ts'

let world: World
let ada: TestUser
let eve: TestUser
const ids = { bot: '', transaction: '', bankAccount: '', withdrawal: '' }

beforeAll(async () => {
  world = await createWorld()
  ;[ada, eve] = [await world.user(), await world.user()]
  await ada.deposit('500')
  ids.bankAccount = await ada.addBankAccount()
  const bot = {
    name: 'Steady',
    riskLevel: 'moderate',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '100',
  }
  ids.bot = (await ada.call('createBot', { body: bot })).id
  ids.withdrawal = (await ada.call('requestWithdrawal', { body: { amount: '10' } })).id
  ids.transaction = (await ada.call('listTransactions')).items[0]?.id ?? ''
})
afterAll(() => world.close())

const SOME_ID = '01a1fea7-59b0-753c-ac55-084865e40587'

/** The calls of section 7 that a signed-out caller may make, with valid bodies. */
const OPEN: Record<string, object> = {
  'POST /api/auth/login': { username: 'nobody', password: 'a long password' },
  'POST /api/auth/signup': {
    username: 'grace',
    password: 'a long password',
    firstName: 'Grace',
    lastName: 'Hopper',
  },
  'POST /api/auth/logout': {},
  'GET /api/crypto/prices': {},
  'POST /api/chat/help': { message: 'What does it cost?' },
}

const SIGNED_IN = [
  'GET /api/auth/user',
  'GET /api/trading-bots',
  'POST /api/trading-bots',
  `DELETE /api/trading-bots/${SOME_ID}`,
  `POST /api/trading-bots/${SOME_ID}/top-up`,
  `POST /api/trading-bots/${SOME_ID}/take-out`,
  `POST /api/simulate-bot-trade/${SOME_ID}`,
  'GET /api/transactions',
  'POST /api/create-payment-intent',
  'POST /api/confirm-deposit',
  'GET /api/bank-accounts',
  'POST /api/withdrawal-requests',
  'GET /api/withdrawal-requests',
]

/** Decision 26 settles these calls, which the specification leaves open. */
const WALLETS = [
  'GET /api/crypto-wallets',
  'GET /api/crypto-wallets/nonce',
  'POST /api/crypto-wallets/verify',
  `POST /api/crypto-wallets/${SOME_ID}/disconnect`,
  `GET /api/crypto-wallets/${SOME_ID}/balance`,
]

const named = (call: string) => call.replace(SOME_ID, '{id}')

async function isRefused(call: string): Promise<void> {
  const answer = await send(world, call, call.startsWith('GET') ? {} : { body: {} })
  says(answer, 401, { code: 'not-signed-in', message: 'You are logged out. Logging in again...' })
}

/** Accepts any answer except one that demands a sign-in. */
async function isOpen(call: string, body: object): Promise<void> {
  const { text } = await send(world, call, call.startsWith('GET') ? {} : { body })
  equals(text.includes('not-signed-in'), false)
}

rows('6 Signed out', {
  ...Object.fromEntries(
    Object.entries(OPEN).map(([call, body]) => [`${call} may be called`, () => isOpen(call, body)]),
  ),
  ...Object.fromEntries(
    SIGNED_IN.map((call) => [`${named(call)} needs a sign-in`, () => isRefused(call)]),
  ),
  ...Object.fromEntries(
    WALLETS.map((call) => [`${named(call)} needs a sign-in (decision 26)`, () => isRefused(call)]),
  ),
})

/** Decision 22: things of other users are not found. */
const othersOwn: Record<string, () => string> = {
  'DELETE /api/trading-bots/{id}': () => `DELETE /api/trading-bots/${ids.bot}`,
  'PATCH /api/trading-bots/{id}': () => `PATCH /api/trading-bots/${ids.bot}`,
  'GET /api/trading-bots/{id}/performance': () => `GET /api/trading-bots/${ids.bot}/performance`,
  'GET /api/trading-bots/{id}/comparison': () => `GET /api/trading-bots/${ids.bot}/comparison`,
  'GET /api/trading-bots/{id}/trades': () => `GET /api/trading-bots/${ids.bot}/trades`,
  'POST /api/simulate-bot-trade/{id}': () => `POST /api/simulate-bot-trade/${ids.bot}`,
  'GET /api/transactions/{id}': () => `GET /api/transactions/${ids.transaction}`,
  'DELETE /api/bank-accounts/{id}': () => `DELETE /api/bank-accounts/${ids.bankAccount}`,
  'POST /api/withdrawal-requests/{id}/cancel': () =>
    `POST /api/withdrawal-requests/${ids.withdrawal}/cancel`,
}

rows('6 Signed in', {
  ...Object.fromEntries(
    Object.entries(othersOwn).map(([call, path]) => [
      `${call} of another user answers 404 (decision 22)`,
      async () => says(await send(world, path(), { user: eve }), 404, { code: 'not-found' }),
    ]),
  ),
  'money is neither put into nor taken out of a bot of another user (decision 22)': async () => {
    says(
      await send(world, `POST /api/trading-bots/${ids.bot}/top-up`, {
        user: eve,
        body: { amount: '10' },
      }),
      404,
      { code: 'not-found' },
    )
    says(
      await send(world, `POST /api/trading-bots/${ids.bot}/take-out`, {
        user: eve,
        body: { percent: 25 },
      }),
      404,
      { code: 'not-found' },
    )
  },
  'an unknown id answers the same (decision 22)': async () =>
    says(await send(world, `DELETE /api/trading-bots/${SOME_ID}`, { user: eve }), 404, {
      code: 'not-found',
    }),
  "lists hold one's own alone": async () => equals(await eve.call('listBots'), []),
})
