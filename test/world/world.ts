import { sentence } from '#core/sentences.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import type { ProvenName, RequestOf, ResponseOf } from '#contract/calls.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import { simulatedFeed } from '#server/market/feed-simulated.ts'
import { readConfig, type Config } from '#server/settings/config.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase, READING_POOL_SIZE } from '#server/db/open.ts'
import type { Context } from '#server/context.ts'
import { openContext } from '#server/open-context.ts'
import type { Feed } from '#server/ports/feed.ts'
import { openServer } from '#server/server.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { createTestDatabase, SECRET } from './database.ts'
import { checkDescribed } from './described.ts'
import { MARKET_START } from './market-start.ts'

/**
 * The whole product in this process on its own database: the real server, engine and rails, driven
 * step by step.
 */
export type World = {
  context: Context
  app: FastifyInstance
  engine: Engine
  /** Signs up a user, who calls the server over HTTP. */
  user: (username?: string) => Promise<TestUser>
  /** A caller without a session. */
  stranger: () => TestUser
  /** Advances the market by hours, in which bots trade. */
  hours: (count: number) => Promise<void>
  /** Serves waiting bots at the current price. */
  serve: () => Promise<void>
  /** Approves, submits and pays every open withdrawal. */
  payOut: () => Promise<void>
  /** Drops the engine, as in a crash; another takes over. */
  restartEngine: () => Promise<void>
  close: () => Promise<void>
}

export type Answer<Name extends RouteName> = {
  status: number
  body: ResponseOf<Name> & { code?: string; message?: string; field?: string }
}
type Asked<Name extends RouteName> = { [Part in keyof RequestOf<Name>]?: unknown } & {
  key?: string
  /**
   * The id of a proof. If it is missing, `ask` gets one with the password whenever the server
   * demands it.
   */
  proof?: string
}

export type TestUser = {
  username: string
  id: string
  cookie: string
  /**
   * Calls a route of the contract with any input, valid or not. Fails on an answer that the
   * description of the API does not name.
   */
  ask: <Name extends RouteName>(name: Name, request?: Asked<Name>) => Promise<Answer<Name>>
  /** Proves with the password that the user makes this call; returns the proof's id. */
  prove: (name: ProvenName, request?: { params?: unknown; body?: unknown }) => Promise<string>
  /** Like `ask`, but fails unless the call succeeds. */
  call: <Name extends RouteName>(name: Name, request?: Asked<Name>) => Promise<ResponseOf<Name>>
  /** Deposits by sandbox card, including the confirmation. */
  deposit: (amount: string) => Promise<void>
  addBankAccount: () => Promise<string>
}

/**
 * `servers`: how many, on one database, share the users' calls. In each, the actions of one user
 * run one after the other; in several they race. `asApp`: with the rights of the app's role.
 */
export type WorldOptions = {
  feed?: Feed
  config?: Partial<Config>
  context?: Partial<Context>
  servers?: number
  asApp?: boolean
}

/**
 * The default settings of a world. Its evidence has no recorded candles, whose computation takes
 * seconds, unless `context` gives it some.
 */
export const SETTINGS = {
  SESSION_SECRET: SECRET,
  // Push is offered only with a contact on the public internet.
  SECURITY_CONTACT: 'mailto:security@bots-operator.com',
  MARKET_SEED: '7',
  MARKET_START,
  SIGNUPS_PER_HOUR: '100000',
  ACTIONS_PER_ADDRESS: '10000',
  PAYOUT_DELAY_MS: '0',
  WITHDRAWAL_HOLD_HOURS: '0',
  WITHDRAWAL_REVIEW_AMOUNT: '1000000000',
  WITHDRAWAL_REVIEW_COUNT: '1000000',
  WITHDRAWAL_REVIEW_YOUNG: '1000000000',
}

let users = 0

/** The market of a world with this seed, for worlds that change its feed. */
export const feedOfSeed = (seed: number): Feed =>
  simulatedFeed({ seed, startMs: Date.parse(MARKET_START) })

export async function createWorld({
  feed,
  config = {},
  context: given = {},
  servers = 1,
  asApp = false,
}: WorldOptions = {}): Promise<World> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'world-'))
  const settings = { ...readConfig(SETTINGS), DATA_DIR: dataDir, ...config }
  const sql = asApp ? await openDatabase(database.appUrl) : database.sql
  const reads = await openDatabase(asApp ? database.appUrl : database.url, {
    poolSize: READING_POOL_SIZE,
    isReadOnly: true,
  })
  const context = openContext({
    ...(await checkBook(sql, settings)),
    config: settings,
    reads,
    log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }),
    recorded: () => [],
    ...(feed && { feed }),
    ...given,
  })
  return openWorld(
    context,
    async () => {
      await reads.end({ timeout: 1 })
      if (asApp) await sql.end({ timeout: 1 })
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
    servers,
  )
}

/** The product with the adapters of `context`; `drop` removes their database. */
export async function openWorld(
  context: Context,
  drop: () => Promise<void>,
  servers = 1,
): Promise<World> {
  const app = await openServer(context, { pages: '/nonexistent' })
  const others = await Promise.all(
    Array.from({ length: servers - 1 }, () => openServer(context, { pages: '/nonexistent' })),
  )
  const site: Site = { apps: [app, ...others], host: hostOf(context.config) }
  let engine = await openEngine(context)
  await context.market.refresh()
  const world: World = {
    context,
    app,
    get engine() {
      return engine
    },
    user: async (username = `user${(users += 1)}`) => signUp(site, username),
    stranger: () => speaker(site, { username: '', id: '', cookie: '' }),
    hours: async (count) => {
      await engine.serve()
      await engine.advanceTo(engine.nowMs() + count * HOUR_MS)
      await context.market.refresh()
    },
    serve: async () => {
      await engine.serve()
      await context.market.refresh()
    },
    payOut: () => payOut(context),
    restartEngine: async () => {
      engine = await openEngine(context)
      await context.market.refresh()
    },
    close: async () => {
      await Promise.all(site.apps.map((one) => one.close()))
      await drop()
    },
  }
  return world
}

/** The servers that answer in turn, and the host by which users know them. */
export type Site = { apps: readonly [FastifyInstance, ...FastifyInstance[]]; host: string }

const hostOf = ({ PUBLIC_URL }: Config): string =>
  PUBLIC_URL === undefined ? 'localhost:80' : new URL(PUBLIC_URL).host

export async function signUp(site: Site, username: string): Promise<TestUser> {
  const {
    apps: [app],
    host,
  } = site
  const body = { username, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' }
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/signup',
    payload: body,
    headers: { 'sec-fetch-site': 'same-origin', host },
  })
  if (answer.statusCode !== 201) throw new Error(`sign-up failed: ${answer.body}`)
  return speaker(site, {
    username,
    id: answer.json<{ id: string }>().id,
    cookie: cookieOf(answer.headers['set-cookie']),
  })
}

export function cookieOf(header: string | string[] | undefined): string {
  const [first = ''] = Array.isArray(header) ? header : [header ?? '']
  return first.split(';')[0] ?? ''
}

function speaker(
  { apps, host }: Site,
  who: { username: string; id: string; cookie: string },
): TestUser {
  let asked = 0
  const send: TestUser['ask'] = async (name, { params, query, body, key, proof } = {}) => {
    const { method, path } = routes[name]
    const { id = '' } = (params ?? {}) as { id?: string }
    const app = apps[(asked += 1) % apps.length] ?? apps[0]
    const answer = await app.inject({
      method,
      url: path.replace(':id', encodeURIComponent(id)),
      query: (query ?? {}) as Record<string, string>,
      headers: {
        'sec-fetch-site': 'same-origin',
        host,
        cookie: who.cookie,
        ...(key && { 'idempotency-key': key }),
        ...(proof && { proof }),
      },
      ...(body !== undefined && { payload: body as object }),
    })
    checkDescribed(name, answer)
    return { status: answer.statusCode, body: answer.json() }
  }
  const prove: TestUser['prove'] = async (action, { params, body } = {}) => {
    const made = await send('makeProof', { body: proofRequest({ action, params, body }) })
    if (made.status !== 201)
      throw new Error(`a proof of ${action} was refused: ${JSON.stringify(made.body)}`)
    return made.body.id
  }
  const ask: TestUser['ask'] = async (name, request = {}) => {
    const answer = await send(name, request)
    if (answer.body.code !== 'proof-required' || request.proof !== undefined) return answer
    return send(name, { ...request, proof: await prove(name as ProvenName, request) })
  }
  const call: TestUser['call'] = async (name, request) => {
    const { status, body } = await ask(name, request)
    // A busy machine may compute for longer than a call lasts. The app calls again, too.
    if (body.code === 'takes-long') return call(name, request)
    if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    ...who,
    ask,
    prove,
    call,
    deposit: async (amount) => {
      const { clientSecret, paymentIntentId } = await call('createPaymentIntent', {
        body: { amount },
      })
      await call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
      await call('confirmDeposit', { body: { paymentIntentId, amount } })
    },
    addBankAccount: async () => (await call('addBankAccount', { body: BANK_ACCOUNT })).id,
  }
}

export const PASSWORD = 'correct horse battery'

/** Body of a request that proves, with the password, that the user makes another call. */
export function proofRequest({
  action,
  params,
  body,
  password = PASSWORD,
}: {
  action: string
  params?: unknown
  body?: unknown
  password?: string
}): object {
  const { id } = (params ?? {}) as { id?: string }
  return {
    action,
    ...(id !== undefined && { id }),
    ...(body !== undefined && { request: body }),
    password,
  }
}

export const TEST_CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }
export const BANK_ACCOUNT = {
  bankName: 'First Bank',
  accountNumber: '000123456789',
  routingNumber: '021000021',
  accountType: 'checking',
}

/** A feed of given candles, for hand-written scenarios. */
export function feedOf(
  series: ReadonlyMap<Feed['pairs'][number], CandleSeries>,
  options: Pick<Feed, 'beginMs' | 'endMs' | 'candles'>,
): Feed {
  return {
    kind: 'replay',
    label: sentence('recordedMarket'),
    identity: 'test',
    venue: 'binance',
    pairs: [...series.keys()],
    defaultSpeed: 3_600,
    ...options,
  }
}
