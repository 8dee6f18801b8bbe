import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile, chmod, chown, mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '#server/settings/config.ts'
import { accessFileOf, readAccess } from '#server/db/embedded/access.ts'
import { keptPort } from '#server/settings/own-address.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { createTestBook, createTestDatabase, SECRET, type TestDatabase } from '../world/database.ts'
import { LIVE_BOOK } from '../world/live-book.ts'
import { pastRules } from '../world/past-rules.ts'
import { databaseUrl } from '../process/postgres.ts'
import { launch, makeDataDir, removeDataDir, startServer } from '../process/running-server.ts'
import { cleanUp, NOBODY, postgresOf, processesOf, until } from './processes.ts'
import { pattern } from '../world/pattern.ts'

let folder: string
let taken: Server
let silent: Server
let paper: TestDatabase
let live: TestDatabase
let newer: TestDatabase
let followsSeed7: TestDatabase
let incomplete: TestDatabase
let changed: TestDatabase
let forged: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-up-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'empty'))
  await mkdir(join(folder, 'locked'), { mode: 0o555 })
  await writeFile(join(folder, 'file'), '')
  await writeCandles('not-gzip', 'ts_ms,open\n')
  await writeCandles(
    'not-numbers',
    gzipSync('ts_ms,open,high,low,close,volume\n1700000000000,a,b,c,d,e\n'),
  )
  ;[taken, silent] = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')]
  await Promise.all([once(taken, 'listening'), once(silent, 'listening')])
  ;[paper, live, newer, followsSeed7] = await Promise.all([
    createTestDatabase(),
    createTestDatabase(),
    createTestDatabase(),
    createTestDatabase(),
  ])
  ;[incomplete, changed, forged] = [
    await createTestDatabase(),
    await createTestBook(),
    await createTestBook(),
  ]
  await paper.sql`insert into book (kind) values ('paper')`
  await live.sql`insert into book (kind) values ('live')`
  await newer.sql`insert into schema_migrations (name, sha256) values ('9999-future.sql', '')`
  await followsSeed7.sql`insert into market_clock (feed, start_time, market_time, settled_time)
    values ('simulated:2:7', now(), now(), now())`
  await forged.sql`insert into audit_events (id, actor, action, subject, details, seal)
    values (gen_random_uuid(), 'operator:Mallory', 'withdrawal.approve', 'all', '{}', 'mine')`
  await pastRules(changed.sql, (tx) => tx`update book set kind = 'live'`)
  await pastRules(incomplete.sql, async (tx) => {
    await tx`delete from ledger_accounts where (code = 'rounding' and asset = 'BNB')
      or (pool = (select id from pools where (pair, strategy) = ('ETH/USDT', 'trend-conservative'))
      and asset = 'USD')`
    await tx`delete from pools where (pair, strategy) = ('LTC/USDT', 'trend-aggressive')`
  })
})

afterEach(cleanUp)

afterAll(async () => {
  taken.close()
  silent.close()
  await Promise.all(
    [paper, live, newer, followsSeed7, incomplete, changed, forged].map((database) =>
      database.drop(),
    ),
  )
  await rm(folder, { recursive: true, force: true })
})

async function writeCandles(name: string, content: string | Buffer): Promise<void> {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'BTCUSDT-1h.csv.gz'), content)
}

function portOf(server: Server): string {
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

const onServer = (name: string): string => databaseUrl(inject('postgresUrl'), name)

function environmentOf(env: Record<string, string>, dataDir: string): Record<string, string> {
  // A database belongs to the secret of its first start.
  const secret = env['DATABASE_URL'] === undefined ? {} : { SESSION_SECRET: SECRET }
  return { PORT: '0', DATA_DIR: dataDir, ...secret, ...env }
}

/**
 * Reads the settings as a start does. A start would print the sentence that this throws; the first
 * row of each table starts a real server.
 */
function expectSettingsRefused(env: Record<string, string>, sentence: RegExp): void {
  const dataDir = join(folder, 'unmade')
  const read = () =>
    readConfig({ ...process.env, MARKET_FEED: 'simulated', ...environmentOf(env, dataDir) })
  expect(read).toThrow(StartupError)
  expect(read).toThrow(/^[^\n]+[.?]$/)
  expect(read).toThrow(sentence)
  expect(existsSync(dataDir), 'nothing was written').toBe(false)
}

/** Starts the server, which must print only `sentence` and leave nothing behind. */
async function expectRefusal(
  env: Record<string, string>,
  { sentence, userId }: { sentence: RegExp; userId?: number | undefined },
): Promise<void> {
  const dataDir = env['DATA_DIR'] ?? (await makeDataDir())
  if (userId !== undefined) await chown(join(dataDir, '..'), userId, userId).catch(() => undefined)
  const server = launch({ env: environmentOf(env, dataDir), userId })
  expect({ code: await server.ended, said: server.errors() }).toEqual({
    code: 1,
    said: expect.stringMatching(sentence),
  })
  const lines = server.errors().trimEnd().split('\n')
  expect(lines, 'one sentence').toHaveLength(1)
  expect(lines[0], 'a sentence ends with punctuation').toMatch(/[.?]$/)
  expect(server.output(), 'it never said that it was ready').not.toContain('is ready')
  expect(processesOf(dataDir), 'no process is left').toEqual([])
  if (env['DATA_DIR'] === undefined) await removeDataDir(dataDir)
}

type Row = [what: string, env: () => Record<string, string>, sentence: RegExp]

/** Refused while the settings are read. */
const SETTINGS: Row[] = [
  ['a port that is not a number', () => ({ PORT: 'abc' }), /^The setting PORT is not valid/],
  ['a port out of range', () => ({ PORT: '70000' }), /^The setting PORT is not valid/],
  ['an unknown kind of book', () => ({ BOOK: 'maybe' }), /^The setting BOOK is not valid/],
  [
    'a market that runs backwards',
    () => ({ MARKET_SPEED: '-1' }),
    /^The setting MARKET_SPEED is not valid/,
  ],
  [
    'an address for sessions beside no other',
    () => ({ DATABASE_SESSION_URL: paper.url }),
    /^DATABASE_SESSION_URL needs DATABASE_URL/,
  ],
  ['an unknown role', () => ({ ROLES: 'cook' }), /^The setting ROLES is not valid/],
  ['an unknown feed', () => ({ MARKET_FEED: 'guess' }), /^The setting MARKET_FEED is not valid/],
  [
    'claims that no screen makes',
    () => ({ CLAIMS: 'promises' }),
    /^The setting CLAIMS is not valid: it is one of auto, targets, evidence\.$/,
  ],
  [
    'a market start that is not a time',
    () => ({ MARKET_START: 'yesterday' }),
    /^The setting MARKET_START is not valid/,
  ],
  [
    'an invalid database address',
    () => ({ DATABASE_URL: 'nonsense' }),
    /^The setting DATABASE_URL is not valid: it is the address of a PostgreSQL/,
  ],
  [
    'an address of another kind of database',
    () => ({ DATABASE_URL: 'mysql://a:b@127.0.0.1/c' }),
    /^The setting DATABASE_URL is not valid: it is the address of a PostgreSQL/,
  ],
  [
    'a largest deposit below the smallest',
    () => ({ DEPOSIT_MAXIMUM: '5' }),
    /^Nobody can deposit: DEPOSIT_MAXIMUM is 5 and below DEPOSIT_MINIMUM, which is 10\.$/,
  ],
  [
    'a secret that is too short',
    () => ({ SESSION_SECRET: 'short' }),
    /^The setting SESSION_SECRET is not valid/,
  ],
]

/** Mixtures of paper and live, refused while the settings are read. */
const BOOKS: Row[] = [
  [
    'live keys in a paper book',
    () => ({ STRIPE_SECRET_KEY: 'sk_live_1234' }),
    /^A paper book takes Stripe test keys only/,
  ],
  [
    'a live book with test keys',
    () => ({ ...LIVE_BOOK, STRIPE_SECRET_KEY: 'sk_test_1234' }),
    /^A live book takes live Stripe keys only/,
  ],
  [
    'a live book without a licence',
    () => ({ ...LIVE_BOOK, OPERATOR_LICENCE: '' }),
    /^A live book needs the operator's licence/,
  ],
  [
    'a live book whose operator has not acknowledged pools',
    () => ({ ...LIVE_BOOK, OPERATOR_POOLING: '' }),
    /^A live book pools customers' money/,
  ],
  [
    'pools acknowledged in other words',
    () => ({ ...LIVE_BOOK, OPERATOR_POOLING: 'yes' }),
    /^The setting OPERATOR_POOLING is not valid/,
  ],
  [
    'a live book on a simulated market',
    () => ({ ...LIVE_BOOK, MARKET_FEED: 'simulated' }),
    /^A live book cannot follow a simulated market/,
  ],
  [
    'a live book on a recorded market',
    () => ({ ...LIVE_BOOK, MARKET_FEED: 'replay' }),
    /^A live book cannot follow a replay market/,
  ],
  [
    'a live book without an exchange',
    () => ({ ...LIVE_BOOK, EXCHANGE_API_KEY: '', EXCHANGE_API_SECRET: '' }),
    /^A live book needs an exchange account/,
  ],
  [
    'a live book with an emulator in the place of its card provider',
    () => ({ ...LIVE_BOOK, STRIPE_API_URL: 'http://127.0.0.1:1' }),
    /^A live book asks the providers themselves: STRIPE_API_URL=/,
  ],
  [
    'a live book whose database is elsewhere, without TLS',
    () => ({ ...LIVE_BOOK, DATABASE_URL: 'postgres://app:hushhush@192.0.2.1/book' }),
    /^A live book reaches a database elsewhere over TLS alone.*DATABASE_URL/,
  ],
  [
    'a live book whose owner of tables connects without TLS',
    () => ({
      ...LIVE_BOOK,
      DATABASE_URL: live.url,
      DATABASE_OWNER_URL: 'postgres://owner:hushhush@192.0.2.1/book',
    }),
    /^A live book reaches a database elsewhere over TLS alone.*DATABASE_OWNER_URL/,
  ],
  [
    'a live book that verifies no certificates',
    () => ({ ...LIVE_BOOK, NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    /^A live book verifies certificates: NODE_TLS_REJECT_UNAUTHORIZED=0/,
  ],
]

const DATABASES: Row[] = [
  [
    'a host that only reads',
    () => ({ DATABASE_URL: `${paper.url}?target_session_attrs=standby` }),
    /^DATABASE_URL asks for target_session_attrs=standby: the product writes/,
  ],
  [
    'a pooler in front of another book',
    () => ({
      DATABASE_URL: changed.url,
      DATABASE_SESSION_URL: followsSeed7.url,
      MARKET_SEED: '7',
      ROLES: 'web',
    }),
    /^DATABASE_URL and DATABASE_SESSION_URL lead to different books/,
  ],
  [
    'a live book on a database born paper',
    () => ({ ...LIVE_BOOK, DATABASE_URL: paper.url }),
    /^This database is a paper book and BOOK=live/,
  ],
  [
    'a paper book that was changed into a live one',
    () => ({ ...LIVE_BOOK, DATABASE_URL: changed.url }),
    /^This database was made as a paper book and was changed into a live one/,
  ],
  [
    'a row that this product did not write',
    () => ({ DATABASE_URL: forged.url }),
    pattern(
      /^A seal of this book is broken \(every row is as it was sealed; .*: /,
      /audit event withdrawal\.approve is not as it was sealed\)/,
    ),
  ],
  [
    'a database sealed with another secret',
    () => ({ DATABASE_URL: forged.url, SESSION_SECRET: 'y'.repeat(32) }),
    /^This book was sealed with another secret: set SESSION_SECRET/,
  ],
  [
    'a paper book on a database born live',
    () => ({ DATABASE_URL: live.url }),
    /^This database is a live book and BOOK=paper/,
  ],
]

const PLACES: Row[] = [
  ['a taken port', () => ({ PORT: portOf(taken), DATABASE_URL: paper.url }), /^Port \d+ is taken/],
  [
    'a taken port, its own PostgreSQL running',
    () => ({ PORT: portOf(taken) }),
    /^Port \d+ is taken/,
  ],
  [
    'a taken port, without the web',
    () => ({ PORT: portOf(taken), DATABASE_URL: paper.url, ROLES: 'jobs' }),
    /^Port \d+ is taken/,
  ],
  [
    'a host of another machine',
    () => ({ HOST: '192.0.2.1', DATABASE_URL: paper.url }),
    /^HOST 192\.0\.2\.1 is not an address of this machine/,
  ],
  [
    'a data folder that cannot be written',
    () => ({ DATA_DIR: '/sys/trading-bot' }),
    /^DATA_DIR \/sys\/trading-bot cannot be written \(\w+\)/,
  ],
  [
    'a data folder that is a file',
    () => ({ DATA_DIR: join(folder, 'file') }),
    /^DATA_DIR .*file cannot be written \(ENOTDIR\)/,
  ],
  [
    'a data folder that is a file, the secret given',
    () => ({ DATA_DIR: join(folder, 'file'), SESSION_SECRET: 'x'.repeat(32) }),
    /^The data folder .* cannot be written \(a part of it is a file\)/,
  ],
  [
    'a database that is not running',
    () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }),
    /^The database at 127\.0\.0\.1:1 refuses the connection/,
  ],
  [
    'a wrong user name and password of the database',
    () => ({ DATABASE_URL: onServer('postgres').replace(/:[^:@]+@/, ':wrong@') }),
    /does not accept the user name and password/,
  ],
  [
    'a database that does not exist',
    () => ({ DATABASE_URL: onServer('nowhere') }),
    /has no database of the name in DATABASE_URL/,
  ],
  [
    'a database without accounts and pools for an asset that the code knows',
    () => ({ DATABASE_URL: incomplete.url }),
    pattern(
      /^The database lacks what this version trades with: /,
      /house account rounding in BNB; pool LTC\/USDT trend-aggressive; /,
      /account in USD of pool ETH\/USDT trend-conservative\. /,
    ),
  ],
  [
    'a database newer than the code',
    () => ({ DATABASE_URL: newer.url }),
    /^The database is newer than this code/,
  ],
]

const MARKETS: Row[] = [
  [
    'another market than the database follows',
    () => ({ DATABASE_URL: followsSeed7.url, MARKET_SEED: '8' }),
    /^This database follows the market simulated:2:7, not simulated:2:8/,
  ],
  [
    'another market, by a process without an engine',
    () => ({ DATABASE_URL: followsSeed7.url, MARKET_SEED: '8', ROLES: 'web' }),
    /^This database follows the market simulated:2:7/,
  ],
  [
    'recorded candles in a folder that does not exist',
    () => ({
      MARKET_FEED: 'replay',
      MARKET_DATA_DIR: join(folder, 'nowhere'),
      DATABASE_URL: paper.url,
    }),
    /^MARKET_DATA_DIR .*nowhere does not exist/,
  ],
  [
    'recorded candles in an empty folder',
    () => ({
      MARKET_FEED: 'replay',
      MARKET_DATA_DIR: join(folder, 'empty'),
      DATABASE_URL: paper.url,
    }),
    /^MARKET_DATA_DIR .*empty holds no hourly candles: name files/,
  ],
  [
    'recorded candles that are not gzipped',
    () => ({
      MARKET_FEED: 'replay',
      MARKET_DATA_DIR: join(folder, 'not-gzip'),
      DATABASE_URL: paper.url,
    }),
    /BTCUSDT-1h\.csv\.gz cannot be read/,
  ],
  [
    'recorded candles that are not numbers',
    () => ({
      MARKET_FEED: 'replay',
      MARKET_DATA_DIR: join(folder, 'not-numbers'),
      DATABASE_URL: paper.url,
    }),
    /BTCUSDT-1h\.csv\.gz, line 2: .* is not /,
  ],
]

/**
 * Rows that differ for a user other than root; if the tests do not run as root, all rows above
 * cover them.
 */
const AS_NOBODY: Row[] = [
  [
    'a data folder that cannot be written',
    () => ({ DATA_DIR: join(folder, 'locked', 'data') }),
    /^DATA_DIR .* cannot be written \(EACCES\)/,
  ],
  ['a port that is no number', () => ({ PORT: 'abc' }), /^The setting PORT is not valid/],
  [
    'a taken port, its own PostgreSQL running',
    () => ({ PORT: portOf(taken) }),
    /^Port \d+ is taken/,
  ],
]

describe('a refused start prints one sentence, exits with code 1 and leaves no process', () => {
  test.each([...SETTINGS.slice(1), ...BOOKS.slice(1)])('%s', (_what, env, sentence) =>
    expectSettingsRefused(env(), sentence),
  )

  test.each([...SETTINGS.slice(0, 1), ...BOOKS.slice(0, 1), ...DATABASES, ...PLACES, ...MARKETS])(
    '%s',
    (_what, env, sentence) => expectRefusal(env(), { sentence }),
  )

  test.each(NOBODY === undefined ? [] : AS_NOBODY)(
    '%s, started by a user other than root',
    (_what, env, sentence) => expectRefusal(env(), { sentence, userId: NOBODY }),
  )

  test('an empty secret file, left by a crash', async () => {
    const dataDir = await makeDataDir()
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'session-secret'), '')
    await expectRefusal(
      { DATA_DIR: dataDir, DATABASE_URL: paper.url, SESSION_SECRET: '' },
      { sentence: /^The secret in .* is damaged/ },
    )
    await removeDataDir(dataDir)
  })

  test('a wrong database password, and a database of another user', async () => {
    const first = await startServer()
    expect(await first.stop()).toBe(0)
    if (NOBODY !== undefined) {
      await chown(first.dataDir, NOBODY, NOBODY)
      const env = { DATA_DIR: first.dataDir, SESSION_SECRET: 'x'.repeat(32) }
      await expectRefusal(env, {
        sentence: /^The database's password in .* cannot be read/,
        userId: NOBODY,
      })
    }
    const file = accessFileOf(first.dataDir)
    await writeFile(file, JSON.stringify({ ...(await readAccess(file)), password: 'guessed' }))
    await expectRefusal(
      { DATA_DIR: first.dataDir },
      { sentence: /^The database's password in .* is not the one it was made with/ },
    )
    await removeDataDir(first.dataDir)
  })
})

test('a start waits for a slow database, says so, and can be stopped meanwhile', async () => {
  const dataDir = await makeDataDir()
  const server = launch({
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      SESSION_SECRET: SECRET,
      DATABASE_URL: `postgres://a:b@127.0.0.1:${portOf(silent)}/c`,
    },
  })
  await until(() => /Waiting for the database to answer, for 1\d s now/.test(server.output()), {
    timeoutMs: 180_000,
    complaint: server.output,
  })
  server.process.kill('SIGTERM')
  expect([await server.ended, server.errors()]).toEqual([0, ''])
  await removeDataDir(dataDir)
})

test('a start whose output is closed stops PostgreSQL and leaves nothing behind', async () => {
  const dataDir = await makeDataDir()
  const server = launch({ env: { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' } })
  await until(() => server.output().includes('PostgreSQL runs as process'), {
    timeoutMs: 120_000,
    complaint: server.output,
  })
  server.process.stdout?.destroy()
  expect(await server.ended).toBe(0)
  expect(processesOf(dataDir)).toEqual([])
  expect(server.errors()).toBe('')
  await removeDataDir(dataDir)
})

test('of two starts on one data folder the second is refused, the first continues', async () => {
  // Somebody's shell has variables of psql: our own PostgreSQL is reached without them.
  const first = await startServer({
    env: {
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c default_transaction_read_only=on',
      PGHOST: 'nowhere.invalid',
    },
  })
  expect(keptPort(first.dataDir)).toBe(Number(new URL(first.url).port))
  const second = launch({ env: { PORT: '0', DATA_DIR: first.dataDir } })
  expect(await second.ended).toBe(1)
  expect(second.errors().trimEnd()).toMatch(
    pattern(
      /^The data folder .* is in use by another running server: /,
      /stop that one, or choose another DATA_DIR\.$/,
    ),
  )
  expect((await fetch(`${first.url}/health`)).status).toBe(200)
  expect(postgresOf(first.dataDir)).not.toEqual([])
  expect(await first.stop()).toBe(0)
  expect(processesOf(first.dataDir)).toEqual([])
  await removeDataDir(first.dataDir)
})
