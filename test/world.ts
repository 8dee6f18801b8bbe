import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/schemas.ts'
import { readConfig, type Config } from '#server/config.ts'
import type { Context } from '#server/context.ts'
import { openContext } from '#server/open-context.ts'
import type { Feed } from '#server/ports/feed.ts'
import { openServer } from '#server/server.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { createTestDatabase } from './database.ts'

/** The whole product in this process on its own database: the real server, engine and rails, driven step by step. */
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

export type Answer<Name extends RouteName> = { status: number; body: ResponseOf<Name> & { code?: string; message?: string; field?: string } }
type Asked<Name extends RouteName> = { [Part in keyof RequestOf<Name>]?: unknown } & { key?: string }

export type TestUser = {
  username: string
  id: string
  cookie: string
  /** Calls a route of the contract with any input, valid or not. */
  ask: <Name extends RouteName>(name: Name, request?: Asked<Name>) => Promise<Answer<Name>>
  /** Like `ask`, but fails unless the call succeeds. */
  call: <Name extends RouteName>(name: Name, request?: Asked<Name>) => Promise<ResponseOf<Name>>
  /** Deposits by sandbox card, including the confirmation. */
  deposit: (amount: string) => Promise<void>
  addBankAccount: () => Promise<string>
}

export type WorldOptions = { feed?: Feed; config?: Partial<Config>; context?: Partial<Context> }

/** The default settings of a world. */
export const SETTINGS = { SESSION_SECRET: 'x'.repeat(32), MARKET_SEED: '7', SIGNUPS_PER_HOUR: '100000', PAYOUT_DELAY_MS: '0' }

let users = 0

export async function createWorld({ feed, config = {}, context: given = {} }: WorldOptions = {}): Promise<World> {
  const database = await createTestDatabase()
  const settings = { ...readConfig(SETTINGS), ...config }
  const context = openContext({ config: settings, sql: database.sql, log: pino({ level: process.env['TEST_LOG'] ?? 'fatal' }), ...(feed && { feed }), ...given })
  return openWorld(context, database.drop)
}

/** The product with the adapters of `context`; `drop` removes their database. */
export async function openWorld(context: Context, drop: () => Promise<void>): Promise<World> {
  const app = await openServer(context, { pages: '/nonexistent' })
  let engine = await openEngine(context)
  await context.market.refresh()
  const world: World = {
    context,
    app,
    get engine() {
      return engine
    },
    user: async (username = `user${(users += 1)}`) => signUp(app, username),
    stranger: () => speaker(app, { username: '', id: '', cookie: '' }),
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
      await app.close()
      await drop()
    },
  }
  return world
}

async function signUp(app: FastifyInstance, username: string): Promise<TestUser> {
  const body = { username, password: 'correct horse battery', firstName: 'Ada', lastName: 'Lovelace' }
  const answer = await app.inject({ method: 'POST', url: '/api/auth/signup', payload: body, headers: { 'sec-fetch-site': 'same-origin' } })
  if (answer.statusCode !== 201) throw new Error(`sign-up failed: ${answer.body}`)
  return speaker(app, { username, id: answer.json<{ id: string }>().id, cookie: cookieOf(answer.headers['set-cookie']) })
}

export function cookieOf(header: string | string[] | undefined): string {
  const [first = ''] = Array.isArray(header) ? header : [header ?? '']
  return first.split(';')[0] ?? ''
}

function speaker(app: FastifyInstance, who: { username: string; id: string; cookie: string }): TestUser {
  const ask: TestUser['ask'] = async (name, { params, query, body, key } = {}) => {
    const { method, path } = routes[name]
    const { id = '' } = (params ?? {}) as { id?: string }
    const answer = await app.inject({
      method,
      url: path.replace(':id', encodeURIComponent(id)),
      query: (query ?? {}) as Record<string, string>,
      headers: { 'sec-fetch-site': 'same-origin', cookie: who.cookie, ...(key && { 'idempotency-key': key }) },
      ...(body !== undefined && { payload: body as object }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const call: TestUser['call'] = async (name, request) => {
    const { status, body } = await ask(name, request)
    if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    ...who,
    ask,
    call,
    deposit: async (amount) => {
      const { clientSecret, paymentIntentId } = await call('createPaymentIntent', { body: { amount } })
      await call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
      await call('confirmDeposit', { body: { paymentIntentId, amount } })
    },
    addBankAccount: async () => (await call('addBankAccount', { body: BANK_ACCOUNT })).id,
  }
}

export const TEST_CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }
export const BANK_ACCOUNT = { bankName: 'First Bank', accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking' }

/** A feed of given candles, for hand-written scenarios. */
export function feedOf(series: ReadonlyMap<Feed['pairs'][number], CandleSeries>, options: Pick<Feed, 'beginMs' | 'endMs' | 'candles'>): Feed {
  return { kind: 'replay', label: 'Recorded market', identity: 'test', pairs: [...series.keys()], defaultSpeed: 3_600, ...options }
}
