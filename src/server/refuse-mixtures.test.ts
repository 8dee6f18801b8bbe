import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

type Choices = Record<string, readonly string[]>

const STRIPE: Record<string, Record<string, string>> = {
  none: {},
  payouts: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_FINANCIAL_ACCOUNT: 'fa_1' },
  livePayouts: { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_FINANCIAL_ACCOUNT: 'fa_1' },
  test: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  live: { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  restricted: { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  mixed: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  half: { STRIPE_SECRET_KEY: 'sk_test_1' },
}
const ACCOUNT: Record<string, Record<string, string>> = {
  none: {},
  whole: { EXCHANGE_API_KEY: 'key', EXCHANGE_API_SECRET: 'secret' },
  half: { EXCHANGE_API_SECRET: 'secret' },
}

const CHOICES: Choices = {
  BOOK: ['paper', 'live'],
  MARKET_FEED: ['auto', 'simulated', 'replay', 'live'],
  MARKET_SPEED: ['', '1', '3600'],
  VENUE: ['auto', 'paper', 'exchange'],
  PAYOUTS: ['auto', 'sandbox', 'bank-file', 'stripe'],
  OPERATOR_LICENCE: ['', 'Licence 1'],
  OPERATOR_POOLING: ['', 'acknowledged'],
  stripe: Object.keys(STRIPE),
  account: Object.keys(ACCOUNT),
}

function combinations(): Record<string, string>[] {
  return Object.entries(CHOICES).reduce<Record<string, string>[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

/** The opposite formulation of the rules: the few mixtures that are allowed. */
function isAllowed({ stripe = '', account, ...choice }: Record<string, string>): boolean {
  const { BOOK, MARKET_FEED, MARKET_SPEED, VENUE, PAYOUTS, OPERATOR_LICENCE, OPERATOR_POOLING } = choice
  if (PAYOUTS === 'stripe' && !['payouts', 'livePayouts'].includes(stripe)) return false
  if (MARKET_FEED === 'live' && MARKET_SPEED === '3600') return false
  if (BOOK === 'paper') return VENUE !== 'exchange' && PAYOUTS !== 'bank-file' && ['none', 'test', 'payouts'].includes(stripe) && account === 'none'
  const isReal = ['auto', 'live'].includes(MARKET_FEED ?? '') && MARKET_SPEED !== '3600' && VENUE !== 'paper' && PAYOUTS !== 'sandbox'
  const isNamed = OPERATOR_LICENCE !== '' && OPERATOR_POOLING === 'acknowledged' && account === 'whole' && ['none', 'live', 'livePayouts', 'restricted'].includes(stripe)
  return isReal && isNamed
}

test('of all mixtures of books, markets, venues, payouts and keys, only those start that never mix paper with real money', () => {
  const rows = combinations()
  const wrong = rows.filter(({ stripe = '', account = '', ...choice }) => {
    const environment = { SESSION_SECRET: 'x'.repeat(32), ...choice, ...STRIPE[stripe], ...ACCOUNT[account] }
    return starts(environment) !== isAllowed({ ...choice, stripe, account })
  })
  expect(rows.length).toBeGreaterThan(5_000)
  expect(wrong.slice(0, 5)).toEqual([])
})

function starts(environment: Record<string, string>): boolean {
  try {
    readConfig(environment)
    return true
  } catch (error) {
    expect(String(error)).toMatch(/^StartupError: .+\.$/)
    return false
  }
}
