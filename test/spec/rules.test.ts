import { afterAll, beforeAll } from 'vitest'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import { says, send } from './http.ts'
import { rows } from './rows.ts'

let world: World
let ada: TestUser
beforeAll(async () => {
  world = await createWorld()
  ada = await world.user()
  await ada.deposit('100')
  await ada.addBankAccount()
})
afterAll(() => world.close())

const PERSON = {
  username: 'grace',
  password: 'a long password',
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
}
const BOT = {
  name: 'Steady',
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT'],
  investmentAmount: '10',
}

const refuses = (call: string, body: () => object, status: number, answer: object) => async () =>
  says(await send(world, call, { user: ada, body: body() }), status, answer)
const signup = (part: Partial<Record<keyof typeof PERSON, unknown>>, message: string) =>
  refuses('POST /api/auth/signup', () => ({ ...PERSON, ...part }), 400, {
    message,
    field: Object.keys(part)[0],
  })
const login = (part: object, message: string) =>
  refuses(
    'POST /api/auth/login',
    () => ({ username: 'grace', password: 'a long password', ...part }),
    400,
    { message, field: Object.keys(part)[0] },
  )
const deposit = (amount: unknown, status: number, message: string) =>
  refuses('POST /api/create-payment-intent', () => ({ amount }), status, {
    message,
    field: 'amount',
  })
const withdraw = (amount: unknown, status: number, message: string) =>
  refuses('POST /api/withdrawal-requests', () => ({ amount }), status, { message, field: 'amount' })
const bot = (part: Partial<Record<keyof typeof BOT, unknown>>, status: number, message: string) =>
  refuses('POST /api/trading-bots', () => ({ ...BOT, ...part }), status, {
    message,
    field: Object.keys(part)[0],
  })

const AT_LEAST = (count: number) => `String must contain at least ${count} character(s)`
const AT_MOST = (count: number) => `String must contain at most ${count} character(s)`

rows('5 Login, by the server', {
  'username of 2 characters': login({ username: 'ab' }, AT_LEAST(3)),
  'username of 51 characters': login({ username: 'a'.repeat(51) }, AT_MOST(50)),
  'username missing': login({ username: undefined }, 'Required'),
  'password of 5 characters': login({ password: '12345' }, AT_LEAST(6)),
  'password of 101 characters': login({ password: 'a'.repeat(101) }, AT_MOST(100)),
  'password missing': login({ password: undefined }, 'Required'),
})

rows('5 Signup, by the server', {
  'username of 2 characters': signup({ username: 'ab' }, AT_LEAST(3)),
  'username of 51 characters': signup({ username: 'a'.repeat(51) }, AT_MOST(50)),
  'username missing': signup({ username: undefined }, 'Required'),
  'password of 5 characters': signup({ password: '12345' }, AT_LEAST(6)),
  'password of 101 characters': signup({ password: 'a'.repeat(101) }, AT_MOST(100)),
  'password missing': signup({ password: undefined }, 'Required'),
  'firstName of no character': signup({ firstName: '' }, AT_LEAST(1)),
  'firstName of 51 characters': signup({ firstName: 'a'.repeat(51) }, AT_MOST(50)),
  'firstName missing': signup({ firstName: undefined }, 'Required'),
  'lastName of no character': signup({ lastName: '' }, AT_LEAST(1)),
  'lastName of 51 characters': signup({ lastName: 'a'.repeat(51) }, AT_MOST(50)),
  'lastName missing': signup({ lastName: undefined }, 'Required'),
  'email without a valid format': signup({ email: 'ada@' }, 'Invalid email'),
  'a common password is refused with a sentence (decision 20)': refuses(
    'POST /api/auth/signup',
    () => ({ ...PERSON, password: '123456' }),
    422,
    {
      message: 'This password is among the most common ones. Please choose another.',
      field: 'password',
    },
  ),
})

const MINIMUM = 'Minimum deposit amount is $10'
const VALID_DEPOSIT = 'Please enter a valid amount (minimum $10).'
const VALID_WITHDRAWAL = 'Please enter a valid withdrawal amount'
const VALID_INVESTMENT = 'Please enter a valid investment amount'

rows('5 Deposit, by the server', {
  '9.99 is below the minimum': deposit('9.99', 422, MINIMUM),
  '0 is below the minimum': deposit('0', 422, MINIMUM),
  '10,000.01 is above the maximum (decision 18)': deposit(
    '10000.01',
    422,
    'Maximum deposit amount is $10,000',
  ),
  'no amount': deposit(undefined, 400, VALID_DEPOSIT),
})

rows('5 Withdrawal, by the server', {
  '0: not above 0': withdraw('0', 422, VALID_WITHDRAWAL),
  '0.00: not above 0': withdraw('0.00', 422, VALID_WITHDRAWAL),
  empty: withdraw('', 400, VALID_WITHDRAWAL),
  'above the available balance': withdraw(
    '100.01',
    422,
    'Withdrawal amount exceeds available balance',
  ),
  'below 10': withdraw('9.99', 422, 'Minimum withdrawal amount is $10'),
  'all of the available balance, and the minimum of 10, may be withdrawn': async () => {
    const exact = await world.user()
    await exact.deposit('10')
    await exact.addBankAccount()
    says(
      await send(world, 'POST /api/withdrawal-requests', { user: exact, body: { amount: '10' } }),
      201,
      { amount: '10.00' },
    )
  },
  'above the available balance comes before below 10 (decision 17)': async () => {
    const poor = await world.user()
    await poor.addBankAccount()
    says(
      await send(world, 'POST /api/withdrawal-requests', { user: poor, body: { amount: '5' } }),
      422,
      { message: 'Withdrawal amount exceeds available balance' },
    )
  },
})

rows('5 Bot, by the server', {
  'a blank name': bot({ name: '  ' }, 422, 'Please enter a bot name'),
  'no pairs': bot({ tradingPairs: [] }, 422, 'Please select at least one trading pair'),
  'an empty amount': bot({ investmentAmount: '' }, 400, VALID_INVESTMENT),
  'an amount of 0': bot({ investmentAmount: '0' }, 422, VALID_INVESTMENT),
  'an amount below the minimum of 1': bot({ investmentAmount: '0.99' }, 422, VALID_INVESTMENT),
  'an amount above the available balance': bot(
    { investmentAmount: '100.01' },
    422,
    'Investment amount exceeds available balance',
  ),
  'a pair twice (decision 16)': bot(
    { tradingPairs: ['BTC/USDT', 'BTC/USDT'] },
    422,
    'Please select each trading pair only once.',
  ),
  'a name of 51 characters (decision 16)': refuses(
    'POST /api/trading-bots',
    () => ({ ...BOT, name: 'a'.repeat(51) }),
    422,
    { field: 'name' },
  ),
  'a pair that is not on the list (decision 16)': refuses(
    'POST /api/trading-bots',
    () => ({ ...BOT, tradingPairs: ['DOGE/USDT'] }),
    400,
    { field: 'tradingPairs' },
  ),
  'another risk level (decision 16)': refuses(
    'POST /api/trading-bots',
    () => ({ ...BOT, riskLevel: 'reckless' }),
    400,
    { field: 'riskLevel' },
  ),
  'MATIC/USDT is POL/USDT (decision 14)': async () =>
    says(
      await send(world, 'POST /api/trading-bots', {
        user: ada,
        body: { ...BOT, tradingPairs: ['MATIC/USDT'] },
      }),
      201,
      { tradingPairs: ['POL/USDT'] },
    ),
  'POL/USDT is taken too (decision 14)': async () =>
    says(
      await send(world, 'POST /api/trading-bots', {
        user: ada,
        body: { ...BOT, tradingPairs: ['POL/USDT'] },
      }),
      201,
      { tradingPairs: ['POL/USDT'] },
    ),
})

rows('5 Chat, by the server', {
  empty: refuses('POST /api/chat/help', () => ({ message: '' }), 400, { field: 'message' }),
  blank: refuses('POST /api/chat/help', () => ({ message: '   ' }), 400, { field: 'message' }),
  'more than 2,000 characters (decision 27)': refuses(
    'POST /api/chat/help',
    () => ({ message: 'a'.repeat(2_001) }),
    400,
    {
      message: 'A question has at most 2,000 characters.',
      field: 'message',
    },
  ),
})

/**
 * Decision 19: an amount is text with 1 to 8 digits and at most 2 decimals, or a number that prints
 * like that.
 */
const NOT_AMOUNTS: readonly unknown[] = [
  '1e9',
  'NaN',
  '-0',
  ' 10',
  '10 ',
  '10.001',
  '٠١٠',
  '0x10',
  '9'.repeat(400),
  '1,000',
  '+10',
  '.5',
  '10.',
  [],
  {},
  true,
  null,
  1e21,
  10.001,
]

const isNoAmount = (amount: unknown) =>
  `${JSON.stringify(amount)?.slice(0, 20)} is no amount (decision 19)`

rows(
  '5 Amounts',
  Object.fromEntries(
    NOT_AMOUNTS.map((amount) => [isNoAmount(amount), deposit(amount, 400, VALID_DEPOSIT)]),
  ),
)
