import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { movement } from '#core/ledger/transfer.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { readConfig } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { checkBook } from '#server/db/check-book.ts'
import { post } from '#server/ledger/post.ts'
import { startClock } from '#server/market/clock.ts'
import { openContext, openFeed } from '#server/open-context.ts'
import { backup } from '#server/ops/backup/backup.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { doctor } from '#server/ops/doctor-command.ts'
import { haltCommand, venueCommand } from '#server/ops/orders-command.ts'
import {
  createTestBook,
  createTestDatabase,
  SECRET,
  type TestDatabase,
} from '../../../test/world/database.ts'
import { startMailServer, type MailServer } from '../../../test/emulators/mail-server.ts'
import { cleanUp } from '../../../test/faults/processes.ts'
import {
  FUNDS,
  liveEnvironment,
  payFeesFromBnb,
  startProviders,
  type Providers,
} from '../../../test/world/live-world.ts'
import { signInAs } from '../../../test/world/operators.ts'
import { launch } from '../../../test/process/running-server.ts'
import { pattern } from '../../../test/world/pattern.ts'

/** Distinctive values that occur nowhere else in the output. */
const UNKNOWN_KEYS = {
  STRIPE_SECRET_KEY: 'sk_live_nobodys',
  EXCHANGE_API_KEY: 'nobodys-key',
  DATABASE_URL: 'postgres://nobody:hushhush@127.0.0.1:1/none',
}

let mails: MailServer
let providers: Providers
let database: TestDatabase
let context: Context
let operator: OperatorContext
let folder: string
let environment: Record<string, string>

/** A live book that has been created, funded and backed up. */
beforeAll(async () => {
  ;[providers, database, folder, mails] = await Promise.all([
    startProviders(),
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'doctor-')),
    startMailServer(),
  ])
  environment = {
    ...liveEnvironment(providers),
    SMTP_URL: mails.url,
    MAIL_FROM: 'bots@bots.example',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.url,
    DATA_DIR: join(folder, 'data'),
  }
  const config = readConfig(environment)
  const { sql } = database
  const book = await checkBook(sql, config)
  const log = pino({ level: 'silent' })
  context = openContext({ ...book, config, log, feed: await openFeed({ config, sql, log }) })
  await startClock(sql, {
    feed: context.feed.identity,
    at: new Date(context.feed.beginMs(Date.now())),
  })
  operator = (await signInAs(context, { name: 'Grace', roles: ['payouts'] })).context
  await signInAs(context, { name: 'Linus', roles: ['payouts'] })
  await venueCommand(operator, ['funded', FUNDS, 'wire-1'])
  await backup(context, [join(folder, 'book.gz')])
})
afterAll(async () => {
  await cleanUp()
  await database.drop()
  await Promise.all([providers.exchange.close(), providers.stripe.close(), mails.close()])
  await rm(folder, { recursive: true })
})

type Seen = { ok: boolean; faults: string[]; lines: string[] }

async function ask(changes: Record<string, string> = {}, words: string[] = []): Promise<Seen> {
  const { lines, ok } = await doctor({
    words,
    now: () => new Date(),
    environment: { ...environment, ...changes },
  })
  // The doctor reports each time that the providers are emulators.
  const settings = { ...environment, ...changes }
  const addresses = ['STRIPE_API_URL', 'EXCHANGE_REST_URL', 'EXCHANGE_WS_URL'].filter(
    (name) => settings[name] !== '',
  )
  expect(lines.filter(isAddress)).toEqual(
    addresses.map((name) => `wrong    provider: ${name}=${settings[name]} ${NOT_THEIRS}`),
  )
  return {
    ok,
    lines: lines.filter((line) => !isAddress(line)),
    faults: lines.filter((line) => /^(missing|wrong) /.test(line) && !isAddress(line)),
  }
}

const isAddress = (line: string): boolean => /^wrong +provider: /.test(line)
const NOT_THEIRS =
  "is not the provider's own address: whoever answers there decides what counts as real money"

/** Posts cash directly to the bots' account. */
async function giveToBots(dollars: string): Promise<void> {
  const amount = decimalToUnits(dollars)
  const given = movement('given', [
    { account: { code: 'bots', asset: 'USD' }, amount },
    { account: { code: 'bank', asset: 'USD' }, amount: -amount },
  ])
  await context.atomically((tx) =>
    post(tx, { id: context.newId(), dedupKey: 'given', movement: given, eventTime: new Date() }),
  )
}

test('a live book created, funded and backed up is in order, with every check listed', async () => {
  const { ok, lines, faults } = await ask()
  expect(faults).toEqual([])
  expect([ok, lines.at(-1)], 'but for the addresses of the emulators').toEqual([
    false,
    '3 problems to fix.',
  ])
  expect(lines.slice(0, -1).map((line) => /^ok +([a-z ]+):/.exec(line)?.[1])).toEqual([
    'book',
    'address',
    'proxy',
    'database address',
    'secret',
    'payouts',
    'second person',
    'support',
    'withdrawals',
    'licence',
    'pools',
    'claims',
    'interest',
    'limits',
    'webhook',
    'passwords',
    'stripe',
    'mail',
    'push',
    'exchange',
    'clock',
    'account',
    'order',
    'money',
    'fee',
    'smallest order',
    'database',
    'database role',
    'operators',
    'bank accounts',
    'seals',
    'backup',
    'orders',
    'holdings',
    'funds',
  ])
  expect(lines).toContain(
    'ok       claims: of returns, users see the figures of the evidence, and no target',
  )
  expect(lines).toContain('ok       database: reachable, a live book in DATABASE_URL')
  const named = (await ask({ CLAIMS: 'targets' })).lines.find((line) => line.includes(' claims: '))
  expect(named).toBe(
    'ok       claims: of returns, users see "Up to 75% Returns" and the target of each risk ' +
      'level: settle with a lawyer whether you may name them',
  )
  expect(lines).toContain(
    `ok       account: the key works: ${englishMoneyText({ amount: FUNDS })} and 0 coins lie there`,
  )
  expect(lines.find((line) => line.includes('smallest order'))).toContain(
    'at most $6.00 (ETH/USDT); on 3 pairs more than the least investment of $1.00',
  )
})

const exchangeOf = (others: Providers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(liveEnvironment(others)).filter(([setting]) => setting.startsWith('EXCHANGE')),
  )

test.each(['binance', 'coinbase'] as const)('the account at %s is examined', async (name) => {
  const others = await startProviders(name)
  const atOthers = exchangeOf(others)
  const { faults, lines } = await ask(atOthers)
  expect(faults).toEqual([])
  const { money } = others.exchange
  for (const line of [
    `account: the key works: ${englishMoneyText({ amount: FUNDS })} and 0 coins lie there`,
    'order: the exchange would take an order for BTC/USDT',
    `money: all pairs are paid for in ${money}`,
  ])
    expect(lines).toContain(`ok       ${line}`)
  const stranger = { ...atOthers, EXCHANGE_API_KEY: UNKNOWN_KEYS.EXCHANGE_API_KEY }
  expect((await ask(stranger)).faults).toEqual([
    expect.stringMatching(/^wrong    account: the exchange refuses the key: /),
  ])
  if (name === 'binance') {
    await payFeesFromBnb(others.exchange)
    expect((await ask(atOthers)).faults).toEqual([
      expect.stringMatching(/^wrong    account: Binance takes its fees from BNB, /),
    ])
  }
  await Promise.all([others.exchange.close(), others.stripe.close()])
})

test('all problems of an account are reported at once', async () => {
  const others = await startProviders('binance', { spotBNBBurn: true, mayWithdraw: true })
  const { faults } = await ask(exchangeOf(others))
  expect(faults).toEqual([
    expect.stringMatching(
      /^wrong    account: Binance takes its fees .*; The API key at Binance may withdraw: /,
    ),
  ])
  await Promise.all([others.exchange.close(), others.stripe.close()])
})

test('a Kraken key that may withdraw is a problem', async () => {
  const others = await startProviders('kraken', { mayWithdraw: true })
  expect((await ask(exchangeOf(others))).faults).toEqual([
    expect.stringMatching(/^wrong    account: The API key at Kraken may withdraw: /),
  ])
  await Promise.all([others.exchange.close(), others.stripe.close()])
})

test('a database whose connection others may read is a problem, on paper too', async () => {
  const exposed = {
    DATABASE_URL: 'postgres://app:hushhush@192.0.2.1:1/book?connect_timeout=1',
    DATABASE_OWNER_URL: '',
  }
  expect((await ask(exposed)).faults[0]).toMatch(
    /^wrong    book: A live book reaches a database elsewhere over TLS alone, .*DATABASE_URL/,
  )
  const paper = await doctor({
    words: [],
    now: () => new Date(),
    environment: { ...exposed, BOOK: 'paper', DATA_DIR: join(folder, 'data') },
  })
  expect(paper.lines).toContain(
    'wrong    database address: others may read what DATABASE_URL is asked: add ' +
      '?sslmode=verify-full',
  )
})

test('a pooler must connect to the same book', async () => {
  const { lines, faults } = await ask({ DATABASE_SESSION_URL: database.appUrl })
  expect([faults, lines.filter((line) => line.includes(' pooler: '))]).toEqual([
    [],
    [
      'ok       pooler: requests go through DATABASE_URL, the engine, jobs and notifications ' +
        'through DATABASE_SESSION_URL',
    ],
  ])
  const other = await createTestBook()
  expect(
    (await ask({ DATABASE_URL: other.appUrl, DATABASE_SESSION_URL: database.appUrl })).faults,
  ).toEqual(['wrong    pooler: DATABASE_URL and DATABASE_SESSION_URL lead to different books'])
  await other.drop()
})

test('in a live book, an app that owns its tables is a problem', async () => {
  const { faults } = await ask({ DATABASE_URL: database.url, DATABASE_OWNER_URL: '' })
  expect(faults).toEqual([
    expect.stringMatching(
      pattern(
        /^wrong    database role: the role postgres in DATABASE_URL is a superuser, .*/,
        /owns tables, can switch triggers off, can truncate tables, /,
        /can create tables, .*CREATE ROLE/,
      ),
    ),
  ])
})

test('the exchange accepts the doctor even if nonces are ahead of the clock', async () => {
  await context.venue.account?.()
  await database.sql`update exchange_nonce set last = last + ${HOUR_MS}`
  await context.venue.account?.()
  expect((await ask()).faults).toEqual([])
})

test('a busy machine that reads its clock late is not reported as wrong', async () => {
  let reads = 0
  // The clock advances by eight seconds between its first reading and the request.
  const now = () => new Date(Date.now() - ((reads += 1) === 1 ? 8_000 : 0))
  const { lines } = await doctor({ words: [], now, environment })
  expect(reads).toBeGreaterThan(1)
  expect(lines.filter((line) => line.includes(' clock: '))).toEqual([
    "ok       clock: within 0.0 s of the exchange's",
  ])
})

test('a live book with a single approver, or without operators, is not in order', async () => {
  await database.sql`update operators set disabled_at = now() where name = 'Linus'`
  expect((await ask()).faults).toEqual([
    expect.stringMatching(
      pattern(
        /^missing  operators: 1 manages the others, 1 may approve payouts: /,
        /payouts above PAYOUT_SECOND_PERSON_ABOVE need two/,
      ),
    ),
  ])
  await database.sql`update operators set disabled_at = now()`
  expect((await ask()).faults).toEqual([
    expect.stringMatching(
      pattern(
        /^missing  operators: nobody can operate this book: /,
        /npm run ops -- operator add NAME --role admin$/,
      ),
    ),
  ])
  await database.sql`update operators set disabled_at = null`
  expect((await ask()).faults).toEqual([])
})

test('all missing or wrong settings are named, not only the first', async () => {
  const { ok, faults } = await ask({
    STRIPE_SECRET_KEY: 'sk_test_1',
    OPERATOR_LICENCE: '',
    OPERATOR_POOLING: '',
    PUBLIC_URL: 'http://bots.example',
    TRUST_PROXY: 'false',
    SESSION_SECRET: '',
    PAYOUT_COMPANY_ID: '',
    DEPOSIT_MINIMUM: '500',
    DEPOSIT_MAXIMUM: '100',
    AI_PROVIDER: 'anthropic',
    AI_MODEL: 'some',
    PASSWORD_MINIMUM: '7',
  })
  expect(ok).toBe(false)
  expect(
    faults.map((line) => /^(\w+ +[a-z ]+): (.{0,28})/.exec(line)?.slice(1).join(' | ')),
  ).toEqual([
    'wrong    book | A live book takes live Strip',
    'missing  book | A live book needs the https ',
    'missing  book | A live book needs the operat',
    "missing  book | A live book pools customers'",
    'wrong    book | Nobody can deposit: DEPOSIT_',
    'wrong    proxy | a live book needs TLS, which',
    expect.stringContaining('missing  secret | there is none in ') as unknown,
    'missing  payouts | ACH needs all of PAYOUT_BANK',
    'wrong    passwords | new ones have at least 7 cha',
    'missing  help | AI_PROVIDER=anthropic needs ',
    'wrong    stripe | Stripe rejects STRIPE_SECRET',
  ])
})

test('unknown keys and an unreachable database are named, and no secret is printed', async () => {
  // A key pasted into a setting whose value is printed must not be shown.
  const { faults, lines } = await ask({
    ...UNKNOWN_KEYS,
    MONITOR_TOKEN: 'token-of-the-monitors',
    OPERATOR_LICENCE: `${UNKNOWN_KEYS.EXCHANGE_API_KEY} token-of-the-monitors`,
  })
  expect(faults).toEqual([
    'wrong    stripe: Stripe rejects STRIPE_SECRET_KEY: copy it again',
    expect.stringMatching(/^wrong    account: the exchange refuses the key: .*EAPI:Invalid key/),
    expect.stringMatching(/^missing  database: The database at 127\.0\.0\.1:1 /),
  ])
  expect(lines).toContain('ok       licence: shown as: … …')
  const secrets = [
    ...Object.values(UNKNOWN_KEYS),
    'hushhush',
    environment['EXCHANGE_API_SECRET'] ?? '?',
    environment['SESSION_SECRET'] ?? '?',
    environment['STRIPE_WEBHOOK_SECRET'] ?? '?',
  ]
  expect(secrets.filter((secret) => lines.join('\n').includes(secret))).toEqual([])
})

test('mail is checked by connecting; a live book needs it; no password is printed', async () => {
  const about = async (changes: Record<string, string>) =>
    (await ask(changes)).lines.filter((line) => line.includes(' mail: '))
  expect(await about({})).toEqual([
    'ok       mail: the mail server accepts us; messages come from bots@bots.example',
  ])
  expect(await about({ SMTP_URL: '', MAIL_FROM: '' })).toEqual([
    'missing  mail: nobody can verify an address or set a new password by mail: set SMTP_URL ' +
      'and MAIL_FROM',
  ])
  const [away = ''] = await about({ SMTP_URL: 'smtp://somebody:hushhush@127.0.0.1:1' })
  expect(away).toMatch(/^wrong {4}mail: the mail server does not accept us: check SMTP_URL/)
  expect(away).not.toContain('hushhush')
  expect((await ask({ MAIL_FROM: '' })).faults.join('\n')).toContain(
    'Mail needs both SMTP_URL, the mail server, and MAIL_FROM',
  )
})

test('push needs a public contact, and refusals of its services are reported', async () => {
  const about = async (changes: Record<string, string> = {}) =>
    (await ask(changes)).lines.filter((line) => / push( messages)?: /.test(line))
  expect(await about()).toEqual([
    'ok       push: push services reach you at mailto:help@bots-operator.com',
  ])
  expect(await about({ SUPPORT: 'help@bots.example' })).toEqual([
    'missing  push: users are offered none: set SUPPORT or SECURITY_CONTACT to an address on the ' +
      'public internet, which push services require',
  ])
  const { sql } = database
  const id = context.newId()
  await sql`insert into users (id, username, password, first_name, last_name)
      values (${id}, 'push', 'x', 'Ada', 'Lovelace')`
  await sql`insert into deliveries (user_id, channel, kind, details, subscription_id, is_urgent)
      values (${id}, 'push', 'signed-in', '{"refused":"403 of web.push.apple.com"}', ${id}, false)`
  expect((await about())[1]).toMatch(
    /^wrong    push messages: 1 refused with 403 of web\.push\.apple\.com: .*SESSION_SECRET/,
  )
  await sql`update deliveries set state = 'sent', sent_at = now() where user_id = ${id}`
  expect(await about()).toHaveLength(1)
  await sql`delete from deliveries where user_id = ${id}`
  await sql`delete from users where id = ${id}`
})

test('missing keys and unavailable providers are named; a paper book needs none', async () => {
  const away = 'http://127.0.0.1:1'
  const { faults } = await ask({ STRIPE_API_URL: away, EXCHANGE_REST_URL: away })
  expect(faults.map((line) => line.split(':', 2).join(':'))).toEqual([
    'wrong    stripe: Stripe does not answer',
    'wrong    exchange: Kraken does not answer',
  ])
  const none = await ask({
    STRIPE_SECRET_KEY: '',
    STRIPE_PUBLISHABLE_KEY: '',
    STRIPE_WEBHOOK_SECRET: '',
    EXCHANGE_REST_URL: away,
  })
  expect(none.faults[0]).toMatch(/^missing  stripe: there are no keys: until then, users see/)
  const paper = await doctor({
    words: [],
    now: () => new Date(),
    environment: { BOOK: 'paper', DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') },
  })
  expect(paper.lines.filter((line) => !line.startsWith('ok '))).toEqual([
    'wrong    database: it is a live book and BOOK=paper: a book never changes its kind, use ' +
      'another database',
    '1 problem to fix.',
  ])
})

test('as a command it prints its lines and exits with 1 if there is a problem', async () => {
  const run = async (env: Record<string, string>) => {
    const launched = launch({
      program: ['src/server/ops/main.ts', 'doctor'],
      env: { ...environment, MARKET_FEED: 'auto', ...env },
    })
    const code = await launched.ended
    return { code, last: launched.output().trimEnd().split('\n').at(-1) }
  }
  const paper = await createTestBook()
  const inOrder = launch({
    program: ['src/server/ops/main.ts', 'doctor'],
    env: { DATABASE_URL: paper.url, SESSION_SECRET: SECRET, DATA_DIR: join(folder, 'paper') },
  })
  expect([await inOrder.ended, inOrder.output().trimEnd().split('\n').at(-1)]).toEqual([
    0,
    'Everything is in order.',
  ])
  await paper.drop()
  expect(await run({})).toEqual({ code: 1, last: '3 problems to fix.' })
  expect(await run({ PUBLIC_URL: '' })).toEqual({ code: 1, last: '4 problems to fix.' })
  expect(await run({ PORT: 'many', DEPOSIT_HOLD_HOURS: '-1' })).toEqual({
    code: 1,
    last: '2 problems to fix.',
  })
})

/** Must be last: it leaves the book broken. */
test('a wrong clock, a higher fee, halts, an old backup and wrong holdings are named', async () => {
  const old = join(folder, 'old.gz')
  await writeFile(old, '')
  await utimes(old, new Date(), new Date(Date.now() - 50 * HOUR_MS))
  await haltCommand(operator, ['the exchange is being moved'])
  await venueCommand(operator, ['funded', '100', 'wire-2'])
  await giveToBots('60000')
  providers.exchange.clock.jumpBy(HOUR_MS)
  const { faults } = await ask({ TRADING_FEE_BPS: '10' }, [old])
  expect(faults).toEqual([
    expect.stringMatching(/^wrong    clock: this machine is 3\d{3}\.\d s behind the exchange/),
    'wrong    fee: the exchange charges up to 40 basis points and bots expect 10: no order is ' +
      'sent until TRADING_FEE_BPS is 40',
    `wrong    backup: the last one is 50 h old (${old}): make one every day`,
    expect.stringMatching(
      pattern(
        /^wrong    orders: halted since \d{4}-.*: the exchange is being moved\. /,
        /Once the cause is resolved/,
      ),
    ),
    expect.stringMatching(
      /^wrong    holdings: USD 50000\.00000000 there, 50100\.00000000 booked: /,
    ),
    expect.stringMatching(
      /^wrong    funds: \$50,100\.00 lie at the exchange, bots hold \$60,000\.00 in cash: /,
    ),
  ])
})
