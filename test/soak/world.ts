import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { usernameKey } from '#core/auth/credentials.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { insertUser } from '#server/auth/store.ts'
import { costsOf, readConfig } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { bookOn, type OpenBook } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { openAccounts } from '#server/ledger/post.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { databaseUrl, TEMPLATE } from '../process/postgres.ts'
import { randomFrom, type Random } from '../world/random.ts'
import { openLife, type Life, type SqlFigures } from './faulty-sql.ts'
import { follow, YIELD_BPS } from './follow.ts'
import { BEGIN_MS, openModelMarket, soakFeed, type ModelMarket } from './market.ts'
import { openModel, type Model } from './model/model.ts'
import { readTrace, startTrace } from './trace.ts'
import { soakVenue, type SoakVenue } from './venue.ts'

/** The product, and the model beside it. */
export type World = {
  context: Context
  /** Connections without faults. */
  sql: Sql
  model: Model
  market: ModelMarket
  venue: SoakVenue
  figures: SqlFigures
  random: Random
  people: Person[]
  /** Starts a simulated process: an engine, or a server for users. */
  open: () => Process
  engine: { process: Process; engine: Engine }
  /** Repeats in the model what the engine committed since the last call. */
  catchUp: () => Promise<void>
  close: () => Promise<void>
}

export type Process = { life: Life; context: Context }
export type Person = { id: string; number: number; hasAccount: boolean }
export type Seeded = { seed: number; days: number; postgresUrl: string }

const SETTINGS = {
  SESSION_SECRET: 'x'.repeat(32),
  PAYOUT_DELAY_MS: '0',
  WITHDRAWAL_HOLD_HOURS: '0',
  WITHDRAWAL_REVIEW_AMOUNT: '1000000000',
  WITHDRAWAL_REVIEW_COUNT: '1000000',
  WITHDRAWAL_REVIEW_YOUNG: '1000000000',
}
const DEPOSIT_MAXIMUM = 100_000_000

export async function createWorld({ seed, days, postgresUrl }: Seeded): Promise<World> {
  const { sql, seals, product, admin, drop } = await createDatabase(postgresUrl)
  await startTrace(sql)
  const feed = soakFeed({ seed, days })
  const config = {
    ...readConfig(SETTINGS),
    CASH_YIELD_BPS: YIELD_BPS,
    CASH_YIELD_SOURCE: 'a test',
    DEPOSIT_MAXIMUM,
    INTENTS_PER_HOUR: 1_000_000_000,
  }
  const costs = costsOf(config, feed.venue)
  const venue = soakVenue({ seed, costs })
  const context = openContext({
    ...bookOn(sql, seals),
    config,
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    feed,
    venue,
    costs,
    newId: countedIds(),
  })
  const figures: SqlFigures = { statements: 0, transactions: 0, faults: {}, repeated: 0 }
  const terminate = async (pid: number) => {
    await admin`select pg_terminate_backend(${pid}, 5000)`
  }
  const open = (): Process => {
    const life = openLife({ base: product, terminate, figures })
    return { life, context: { ...context, ...bookOn(life.sql, seals) } }
  }
  const first = open()
  const trace = readTrace(sql)
  const followed = {
    model: openModel({ costs, beginMs: BEGIN_MS }),
    market: openModelMarket(feed, costs),
    venue,
  }
  const world: World = {
    context,
    sql,
    figures,
    open,
    ...followed,
    random: randomFrom(seed),
    people: [],
    engine: { process: first, engine: await openEngine(first.context) },
    catchUp: async () => {
      for (const events of await trace.next()) follow(followed, events)
    },
    close: drop,
  }
  await context.market.refresh()
  return world
}

/** Sequential UUIDs of version 7, the same in every run. */
function countedIds(): () => string {
  let count = 0
  return () => {
    count += 1
    const digits = count.toString(16).padStart(12, '0')
    return `01900000-0000-7000-8000-${digits}`
  }
}

/** `product`: the connections that faults cut; `sql`: those of the test itself. */
async function createDatabase(
  postgresUrl: string,
): Promise<
  Pick<OpenBook, 'sql' | 'seals'> & { product: Sql; admin: Sql; drop: () => Promise<void> }
> {
  const name = `soak_${randomUUID().replaceAll('-', '')}`
  const admin = await openDatabase(postgresUrl, { poolSize: 1 })
  await admin`create database ${admin(name)} template ${admin(TEMPLATE)} strategy file_copy`
  const url = databaseUrl(postgresUrl, name)
  const [sql, product] = await Promise.all([openDatabase(url, { poolSize: 2 }), openDatabase(url)])
  const { seals } = await checkBook(sql, readConfig(SETTINGS))
  const drop = async () => {
    await Promise.all([sql, product].map((pool) => pool.end({ timeout: 1 })))
    await admin`drop database if exists ${admin(name)} with (force)`
    await admin.end()
  }
  return { sql, seals, product, admin, drop }
}

/**
 * A new user. The password is not hashed, because that would take longer than everything else, and
 * nobody signs in here.
 */
export async function signUp({ context, people }: World): Promise<Person> {
  const number = people.length + 1
  const person = { id: context.newId(), number, hasAccount: false }
  const username = `soaked${number}`
  await context.atomically(async (tx) => {
    const names = { firstName: 'Ada', lastName: 'Lovelace', email: null, language: 'en' }
    await insertUser(tx.sql, {
      id: person.id,
      username,
      usernameKey: usernameKey(username),
      password: 'nobody signs in',
      ...names,
    })
    await openAccounts(tx.sql, person.id)
    await sealAccount(tx, person.id)
  })
  people.push(person)
  return person
}
