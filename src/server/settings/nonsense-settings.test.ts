import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig, type Config, type Environment } from '#server/settings/config.ts'
import { openConsole } from '#server/console/open-console.ts'
import type { Context } from '#server/context.ts'
import { bookOn } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase } from '#server/db/open.ts'
import { listen } from '#server/http/listen.ts'
import { openFigures } from '#server/http/health.ts'
import { openContext } from '#server/open-context.ts'
import { NO_SEALS } from '#server/kernel/seal.ts'
import { openServer } from '#server/server.ts'
import { Settings } from '#server/settings/settings.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { createTestDatabase, SECRET, type TestDatabase } from '../../../test/world/database.ts'
import { LIVE_BOOK } from '../../../test/world/live-book.ts'
import { STRIPE_KEYS } from '../../../test/emulators/stripe.ts'
import { signUp } from '../../../test/world/world.ts'

const NAMES = Object.keys(Settings.shape) as (keyof Settings)[]

/**
 * Values that people type, paste or generate by mistake. Addresses have the scheme that their
 * setting expects, but reach nobody.
 */
const NONSENSE: Record<string, (scheme: string) => string> = {
  'a blank': () => ' \t ',
  'a word': () => 'nonsense',
  'letters of other alphabets': () => 'Ω≈ç√ 🦊',
  'a negative number': () => '-1',
  'a huge number': () => '9'.repeat(400),
  'a large number': () => '1000000000',
  'no number': () => 'NaN',
  'another scheme': () => 'javascript:alert(1)',
  'a % in a password': (scheme) => `${scheme}://user:pa%ffss@127.0.0.1:1/name`,
  'a # in a password': (scheme) => `${scheme}://user:12#ss@127.0.0.1:1/name`,
  'a / in a password': (scheme) => `${scheme}://user:12/ss@127.0.0.1:1/name`,
  'an @ in a password': (scheme) => `${scheme}://user:p@ss@127.0.0.1:1`,
  'a scheme and no host': (scheme) => `${scheme}://`,
  'no port': (scheme) => `${scheme}://127.0.0.1:port/name`,
  'a NUL': () => 'nul\0nul'.repeat(5),
  'two lines': () => 'one line: 1\r\nanother: 2\n'.repeat(2),
  'a path that does not exist': () => '/nonexistent/folder/file',
  'a name that every object has': () => '__proto__',
  'a text without end': () => 'x'.repeat(100_000),
}

const SCHEMES: Partial<Record<keyof Settings, string>> = {
  DATABASE_URL: 'postgres',
  DATABASE_OWNER_URL: 'postgres',
  DATABASE_SESSION_URL: 'postgres',
  SMTP_URL: 'smtp',
  EXCHANGE_WS_URL: 'wss',
}

const STRIPE = {
  STRIPE_SECRET_KEY: STRIPE_KEYS.test.secret,
  STRIPE_PUBLISHABLE_KEY: STRIPE_KEYS.test.publishable,
  STRIPE_WEBHOOK_SECRET: STRIPE_KEYS.webhook,
}
const MODEL = {
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'some',
  AI_BASE_URL: 'http://127.0.0.1:1',
}
const BESIDE_DATABASE = { DATABASE_URL: 'postgres://app:secret@127.0.0.1:1/name' }

/** Other settings that a setting requires, so that its nonsense is the only fault. */
const COMPANIONS: Partial<Record<keyof Settings, Environment>> = {
  DATABASE_OWNER_URL: BESIDE_DATABASE,
  DATABASE_SESSION_URL: BESIDE_DATABASE,
  SMTP_URL: { MAIL_FROM: 'bots@bots.example' },
  MAIL_FROM: { SMTP_URL: 'smtp://127.0.0.1:1' },
  TRUST_PROXY: { PUBLIC_URL: 'https://bots.example' },
  CASH_YIELD_BPS: { CASH_YIELD_SOURCE: 'a bank' },
  MARKET_SPEED: { MARKET_FEED: 'simulated' },
  MARKET_DATA_DIR: { MARKET_FEED: 'replay' },
  STRIPE_SECRET_KEY: STRIPE,
  STRIPE_PUBLISHABLE_KEY: STRIPE,
  STRIPE_WEBHOOK_SECRET: STRIPE,
  STRIPE_API_URL: STRIPE,
  STRIPE_FINANCIAL_ACCOUNT: { ...STRIPE, PAYOUTS: 'stripe' },
  EXCHANGE_API_KEY: LIVE_BOOK,
  EXCHANGE_API_SECRET: LIVE_BOOK,
  PROVIDER_ADDRESSES: LIVE_BOOK,
  OPERATOR_LICENCE: LIVE_BOOK,
  OPERATOR_POOLING: LIVE_BOOK,
  AI_PROVIDER: MODEL,
  AI_MODEL: MODEL,
  AI_BASE_URL: MODEL,
  AI_API_KEY: MODEL,
  AI_SILENCE_MS: MODEL,
}

let folder: string
let books: Record<Settings['BOOK'], TestDatabase>
beforeAll(async () => {
  ;[folder, books] = [
    await mkdtemp(join(tmpdir(), 'nonsense-')),
    { paper: await createTestDatabase(), live: await createTestDatabase() },
  ]
})
afterAll(async () => {
  await Promise.all(Object.values(books).map(({ drop }) => drop()))
  await rm(folder, { recursive: true })
})

const valueOf = (name: keyof Settings, make: (scheme: string) => string): string =>
  make(SCHEMES[name] ?? 'https')
const environmentOf = (given: Environment): Environment => ({
  SESSION_SECRET: SECRET,
  DATA_DIR: join(folder, 'data'),
  MARKET_FEED: 'simulated',
  PORT: '0',
  ...given,
})

type Outcome = { refused: boolean; fault?: string }

/**
 * Whether the setting is refused. `fault`: the error if it is not a single sentence that names the
 * setting.
 */
async function outcomeOf(name: keyof Settings, work: () => unknown): Promise<Outcome> {
  try {
    await work()
    return { refused: false }
  } catch (error) {
    const { message, stack = '' } = error as Error
    if (!(error instanceof StartupError)) return { refused: true, fault: `${name}: ${stack}` }
    const isSentence =
      /^[^\n]{1,600}[.?]$/.test(message) && new RegExp(`\\b${name}\\b`).test(message)
    return { refused: true, ...(!isSentence && { fault: `${name}: ${message}` }) }
  }
}

/** Packs the settings that accept this nonsense into few environments that can be read. */
function together(
  accepted: readonly (keyof Settings)[],
  make: (scheme: string) => string,
): Environment[] {
  const packs: Environment[] = []
  for (const name of accepted) {
    const own = { ...COMPANIONS[name], [name]: valueOf(name, make) }
    const place = packs.findIndex(
      (pack) =>
        Object.entries(own).every(([setting, value]) => (pack[setting] ?? value) === value) &&
        isReadable({ ...pack, ...own }),
    )
    if (place === -1) packs.push(own)
    else packs[place] = { ...packs[place], ...own }
  }
  return packs
}

function isReadable(given: Environment): boolean {
  try {
    return readConfig(environmentOf(given)) !== undefined
  } catch {
    return false
  }
}

/** Reads the settings as a start does, and the candles of a recorded market too. */
function read(given: Environment): Config {
  const config = readConfig(environmentOf(given))
  if (config.MARKET_FEED === 'replay')
    openContext({
      ...bookOn(books.paper.sql, NO_SEALS),
      config,
      log: pino({ level: 'silent' }),
      recorded: () => [],
    })
  return config
}

/** Opens everything that these settings choose, and calls it as visitors and monitors do. */
async function use(config: Config): Promise<void> {
  const { sql } = books[config.BOOK]
  const context: Context = openContext({
    ...(await checkBook(sql, { BOOK: config.BOOK, SESSION_SECRET: SECRET })),
    config,
    log: pino({ level: 'silent' }),
    recorded: () => [],
  })
  await context.market.refresh()
  const app = await openServer(context, { pages: '/nonexistent' })
  const apps = [app, await openConsole(context, app), openFigures(context)]
  const host = config.PUBLIC_URL === undefined ? 'localhost' : new URL(config.PUBLIC_URL).host
  try {
    for (const url of [
      '/health',
      '/metrics',
      '/api/config',
      '/api/market',
      '/.well-known/security.txt',
      '/nowhere',
    ]) {
      const { statusCode } = await app.inject({
        url,
        headers: { host, 'x-forwarded-for': '192.0.2.1' },
        remoteAddress: '127.0.0.1',
      })
      expect([url, [200, 401, 404, 503].includes(statusCode)]).toEqual([url, true])
    }
    // Clamped, because limits reach the database.
    if (config.SIGNUPS_PER_HOUR > 1_000)
      expect((await signUp({ apps: [app], host }, `user${(users += 1)}`)).id).not.toBe('')
    for (const one of apps) await one.ready()
    await context.mail
      .verify?.()
      .catch((error: unknown) => expect((error as Error).name).toBe('Error'))
  } finally {
    for (const one of apps) await one.close()
    context.mail.close?.()
  }
}

let users = 0

test(`each of ${NAMES.length} settings accepts nonsense, or the refusal names it`, async () => {
  const outcomes: (Outcome & { name: keyof Settings; make: (scheme: string) => string })[] = []
  for (const make of Object.values(NONSENSE)) {
    for (const name of NAMES) {
      const given = { ...COMPANIONS[name], [name]: valueOf(name, make) }
      outcomes.push({ ...(await outcomeOf(name, () => read(given))), name, make })
    }
  }
  expect(outcomes.flatMap(({ fault }) => fault ?? [])).toEqual([])
  expect(outcomes.filter(({ refused }) => refused).length).toBeGreaterThan(NAMES.length * 5)
  for (const made of Object.values(NONSENSE)) {
    const accepted = outcomes
      .filter(({ refused, make }) => !refused && make === made)
      .map(({ name }) => name)
    for (const pack of together(accepted, made)) await use(read(pack))
  }
})

test('a nonsensical address of a database or a server is refused under its setting', async () => {
  const outcomes: Outcome[] = []
  for (const make of Object.values(NONSENSE)) {
    for (const setting of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_SESSION_URL'] as const) {
      outcomes.push(
        await outcomeOf(setting, () => openDatabase(valueOf(setting, make), { setting })),
      )
    }
    for (const [host, port] of [
      ['HOST', 'PORT'],
      ['OPERATOR_HOST', 'OPERATOR_PORT'],
    ] as const) {
      const given = environmentOf({ [host]: valueOf(host, make), OPERATOR_PORT: '0' })
      outcomes.push(await outcomeOf(host, () => listenAt(readConfig(given), { host, port })))
    }
  }
  expect(outcomes.flatMap(({ fault }) => fault ?? [])).toEqual([])
  expect(outcomes.filter(({ refused }) => refused).length).toBeGreaterThan(outcomes.length / 2)
})

async function listenAt(config: Config, place: Parameters<typeof listen>[2]): Promise<void> {
  const app = fastify()
  await listen(app, config, place).finally(() => app.close())
}
