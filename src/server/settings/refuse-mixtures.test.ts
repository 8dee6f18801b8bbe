import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { LIVE_BOOK } from '../../../test/world/live-book.ts'
import { pattern } from '../../../test/world/pattern.ts'

type Choices = Record<string, readonly string[]>

const STRIPE: Record<string, Record<string, string>> = {
  none: {},
  payouts: {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_FINANCIAL_ACCOUNT: 'fa_1',
  },
  livePayouts: {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_FINANCIAL_ACCOUNT: 'fa_1',
  },
  test: {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  },
  live: {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  },
  restricted: {
    STRIPE_SECRET_KEY: 'rk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  },
  mixed: {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  },
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
  PAYOUTS: ['auto', 'sandbox', 'bank-file', 'stripe'],
  OPERATOR_LICENCE: ['', 'Licence 1'],
  PUBLIC_URL: ['', 'https://bots.example'],
  OPERATOR_POOLING: ['', 'acknowledged'],
  stripe: Object.keys(STRIPE),
  account: Object.keys(ACCOUNT),
}

function combinations(): Record<string, string>[] {
  return Object.entries(CHOICES).reduce<Record<string, string>[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

/** The rules, formulated the other way round: the few allowed combinations. */
function isAllowed({ stripe = '', account, ...choice }: Record<string, string>): boolean {
  const {
    BOOK,
    MARKET_FEED,
    MARKET_SPEED,
    PAYOUTS,
    OPERATOR_LICENCE,
    OPERATOR_POOLING,
    PUBLIC_URL,
  } = choice
  if (PAYOUTS === 'stripe' && !['payouts', 'livePayouts'].includes(stripe)) return false
  if (MARKET_FEED === 'live' && MARKET_SPEED === '3600') return false
  if (BOOK === 'paper')
    return (
      PAYOUTS !== 'bank-file' && ['none', 'test', 'payouts'].includes(stripe) && account === 'none'
    )
  const isReal =
    ['auto', 'live'].includes(MARKET_FEED ?? '') && MARKET_SPEED !== '3600' && PAYOUTS !== 'sandbox'
  const isNamed =
    OPERATOR_LICENCE !== '' &&
    PUBLIC_URL !== '' &&
    OPERATOR_POOLING === 'acknowledged' &&
    account === 'whole' &&
    ['none', 'live', 'livePayouts', 'restricted'].includes(stripe)
  return isReal && isNamed
}

test('exactly the settings that mix paper and real money are refused', () => {
  const rows = combinations()
  const wrong = rows.filter(({ stripe = '', account = '', ...choice }) => {
    const environment = {
      SESSION_SECRET: 'x'.repeat(32),
      ...choice,
      ...STRIPE[stripe],
      ...ACCOUNT[account],
    }
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

const BASE = { SESSION_SECRET: 'x'.repeat(32), PUBLIC_URL: 'https://bots.example' }

test.each<[trust: string, proxies: unknown]>([
  ['', undefined],
  ['false', undefined],
  ['0', undefined],
  ['1', 1],
  ['3', 3],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['127.0.0.1, ::1', ['127.0.0.1', '::1']],
  ['fd00::/8,192.168.1.7', ['fd00::/8', '192.168.1.7']],
])('TRUST_PROXY=%s trusts these proxies: %j', (TRUST_PROXY, proxies) => {
  expect(readConfig({ ...BASE, TRUST_PROXY }).TRUST_PROXY).toEqual(proxies)
})

test.each([
  'true',
  'yes',
  '10',
  '-1',
  '10.0.0.0/0',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '::/129',
  'proxy.example',
  '10.0.0.0/8,',
  ',',
])('TRUST_PROXY=%s stops the start with a message', (TRUST_PROXY) => {
  expect(() => readConfig({ ...BASE, TRUST_PROXY })).toThrow(
    pattern(
      /^The setting TRUST_PROXY is not valid: .*/,
      /it is the number of proxies in front of this server, such as 1, /,
      /or their networks, such as 10\.0\.0\.0\/8\.$/,
    ),
  )
})

const LIVE = { ...BASE, ...LIVE_BOOK }
const LOOPBACK = 'postgres://app:hushhush@127.0.0.1:5432/book'

test.each<[address: string, starts: boolean]>([
  [LOOPBACK, true],
  ['postgres://app:hushhush@localhost/book', true],
  ['postgres://app:hushhush@[::1]:5432/book', true],
  ['postgres://app:hushhush@localhost/book?host=/run/postgresql', true],
  ['postgres://app:hushhush@db.example/book?sslmode=verify-full', true],
  ['postgres://app:hushhush@db-a.example,db-b.example:5433/book?sslmode=verify-full', true],
  ['postgres://app:hushhush@127.0.0.1,db.example/book', false],
  ['postgres://app:hushhush@db.example/book?ssl=true', true],
  ['postgres://app:hushhush@db.example/book?sslmode=require', true],
  ['postgres://app:hushhush@db.example/book', false],
  ['postgres://app:hushhush@10.0.0.7/book', false],
  ['postgres://app:hushhush@db.example/book?sslmode=disable', false],
  ['postgres://app:hushhush@db.example/book?sslmode=no-verify', false],
  ['postgres://app:hushhush@db.example/book?sslmode=require&uselibpqcompat=true', false],
  ['postgres://app:hushhush@db.example/book?ssl=0', false],
  ['postgres://app:hushhush@localhost/book?host=db.example', false],
  ['postgres://app:hushhush@127.0.0.1.db.example/book', false],
  ['postgres://app:hushhush@db.example/book?sslmode=prefer&uselibpqcompat=true', false],
  [
    'postgres://app:hushhush@db.example/book?sslmode=verify-ca' +
      '&sslrootcert=package.json&uselibpqcompat=true',
    false,
  ],
])('a live book with its database at %s starts: %s', (address, starts) => {
  const refusal = pattern(
    /^A live book reaches a database elsewhere over TLS alone, /,
    /with its certificate verified: add \?sslmode=verify-full to /,
    /(DATABASE_URL|DATABASE_OWNER_URL|DATABASE_SESSION_URL), /,
    /and check the file in sslrootcert if it names one\.$/,
  )
  for (const urls of [
    { DATABASE_URL: address },
    { DATABASE_URL: LOOPBACK, DATABASE_OWNER_URL: address },
    { DATABASE_URL: LOOPBACK, DATABASE_SESSION_URL: address },
  ]) {
    const start = () => readConfig({ ...LIVE, ...urls })
    if (starts) expect(start).not.toThrow()
    else expect(start).toThrow(refusal)
    expect(() => readConfig({ ...BASE, ...urls }), 'a paper book').not.toThrow()
  }
})

test('a certificate file that cannot be read stops the start with a message', () => {
  expect(() =>
    readConfig({
      ...LIVE,
      DATABASE_URL:
        'postgres://app:hushhush@db.example/book?sslmode=verify-full&sslrootcert=/nonexistent',
    }),
  ).toThrow(
    /^The setting DATABASE_URL is not valid: it names a file that cannot be read \(ENOENT\)\.$/,
  )
})

test('a live book does not start while certificate verification is switched off', () => {
  expect(() => readConfig({ ...LIVE, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toThrow(
    /^A live book verifies certificates: NODE_TLS_REJECT_UNAUTHORIZED=0 would .*\.$/,
  )
  expect(() => readConfig({ ...LIVE, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).not.toThrow()
})

test('a trusted proxy needs PUBLIC_URL, and a live book a PUBLIC_URL with https', () => {
  expect(() => readConfig({ ...BASE, PUBLIC_URL: '', TRUST_PROXY: '1' })).toThrow(
    'TRUST_PROXY needs PUBLIC_URL',
  )
  expect(readConfig(LIVE).PUBLIC_URL).toBe('https://bots.example')
  for (const PUBLIC_URL of ['', 'http://bots.example'])
    expect(() => readConfig({ ...LIVE, PUBLIC_URL })).toThrow(
      'A live book needs the https address that users open in PUBLIC_URL.',
    )
})

test('interest on idle cash needs a readable source, and stays within its bounds', () => {
  const rate = (settings: Record<string, string>) =>
    starts({ SESSION_SECRET: 'x'.repeat(32), ...settings })
  expect(rate({ CASH_YIELD_BPS: '400' })).toBe(false)
  expect(rate({ CASH_YIELD_BPS: '400', CASH_YIELD_SOURCE: '   ' })).toBe(false)
  expect(rate({ CASH_YIELD_BPS: '400', CASH_YIELD_SOURCE: 'Treasury bills' })).toBe(true)
  expect(rate({ CASH_YIELD_BPS: '2001', CASH_YIELD_SOURCE: 'Treasury bills' })).toBe(false)
  expect(rate({ CASH_YIELD_SOURCE: 'Treasury bills' })).toBe(true)
})
