import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAUSED_SENTENCE } from '#core/bots/change-settings.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps, VENUE_COSTS } from '#core/trading/costs.ts'
import { suggestedName } from '#words/bot-name.ts'
import { LANGUAGES } from '#words/language.ts'
import { bookOn } from '#server/db/book.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { moneySnapshot } from '../../../test/world/money-snapshot.ts'
import { createBotOwner, createRisingWorld } from '../../../test/world/small-book.ts'
import { Killed, openLife } from '../../../test/soak/faulty-sql.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

type Settings = { riskLevel?: string; tradingPairs?: readonly string[]; isActive?: boolean }

const BTC = 'BTC/USDT'
const XRP = 'XRP/USDT'

/** A user with a bot of $200 that is in the market. */
async function investor(settings: Settings = {}): Promise<{ user: TestUser; id: string }> {
  const { user, id } = await createBotOwner(world, '250', { tradingPairs: [BTC], ...settings })
  await world.serve()
  return { user, id }
}

const change = (user: TestUser, id: string, body: Settings) =>
  user.ask('updateBot', { params: { id }, body })
const botOf = async (user: TestUser, id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)

/** Runs the engine until nothing moves any more. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await world.serve()
}

/** Worth of the bot before the closing fee, in units. */
async function worthOf(user: TestUser, id: string): Promise<bigint> {
  const bot = await botOf(user, id)
  return decimalToUnits(bot?.equity ?? '') + decimalToUnits(bot?.closingFee ?? '')
}

async function holdingsOf(user: TestUser, id: string): Promise<Record<string, number>> {
  const { holdings } = await user.call('getBotPerformance', { params: { id } })
  return Object.fromEntries(
    holdings.map(({ pair, cash, value }) => [pair, Number(cash) + Number(value)]),
  )
}

const SWITCHES: [string, Settings, Settings, readonly number[]][] = [
  ['another pair', {}, { tradingPairs: [XRP] }, [200]],
  ['another risk level', {}, { riskLevel: 'aggressive' }, [200]],
  ['one pair more', {}, { tradingPairs: [BTC, XRP] }, [100, 100]],
  ['one pair less', { tradingPairs: [BTC, XRP] }, { tradingPairs: [XRP] }, [200]],
  [
    'another risk level and one pair more',
    {},
    { riskLevel: 'conservative', tradingPairs: [BTC, XRP] },
    [100, 100],
  ],
]

test.each(SWITCHES)(
  'a change to %s moves the money inside the bot and costs no fee, only the costs of trading',
  async (_to, from, to, parts) => {
    const { user, id } = await investor(from)
    await world.hours(6)
    const before = await worthOf(user, id)
    const wanted = await change(user, id, to)
    expect(wanted).toMatchObject({
      status: 200,
      body: {
        ...to,
        isChanging: true,
        status: 'active',
        investmentAmount: '200.00',
        totalReturn: expect.anything(),
      },
    })
    await settle()
    expect(await botOf(user, id)).toMatchObject({
      ...to,
      isChanging: false,
      status: 'active',
      investmentAmount: '200.00',
    })
    const lost = before - (await worthOf(user, id))
    expect(lost).toBeGreaterThan(0n)
    // All coins are sold and bought at most once. Three cents allow for rounded figures.
    expect(lost).toBeLessThan(
      (before * 2n * BigInt(totalCostBps(VENUE_COSTS.binance))) / 10_000n + 3_000_000n,
    )
    const held = await holdingsOf(user, id)
    expect(Object.keys(held)).toEqual(to.tradingPairs ?? from.tradingPairs ?? [BTC])
    expect(Object.values(held)).toEqual(
      parts.map((part) => expect.closeTo((Number(before) / 2e10) * part, -0.6)),
    )
    expect(await world.context.sql`select from platform_fees where bot_id = ${id}`).toHaveLength(0)
    expect((await user.call('getUser')).availableBalance).toBe('50.00')
    expect(await reconcile(world.context)).toEqual([])
  },
)

test('a change back returns to the first pools, and the history keeps every trade', async () => {
  const { user, id } = await investor()
  for (const tradingPairs of [[XRP], [BTC], [BTC, XRP], [BTC]]) {
    expect((await change(user, id, { tradingPairs })).status).toBe(200)
    await settle()
    expect(await botOf(user, id)).toMatchObject({ tradingPairs, isChanging: false })
    expect(await reconcile(world.context)).toEqual([])
  }
  const { items } = await user.call('listBotTrades', { params: { id } })
  expect(items.filter(({ tradingPair }) => tradingPair === XRP).length).toBeGreaterThanOrEqual(4)
})

test('a changing bot refuses a second change, money, a take-out and a pause', async () => {
  const { user, id } = await investor()
  expect((await change(user, id, { tradingPairs: [XRP] })).status).toBe(200)
  for (const step of [() => Promise.resolve(), () => world.serve()]) {
    await step()
    if ((await botOf(user, id))?.isChanging !== true) continue
    const before = await moneySnapshot(world.context.sql)
    const busy = { status: 409, body: { code: 'bot-busy' } }
    expect(await change(user, id, { tradingPairs: [BTC] })).toMatchObject(busy)
    expect(await user.ask('topUpBot', { params: { id }, body: { amount: '10' } })).toMatchObject(
      busy,
    )
    expect(await user.ask('takeOutOfBot', { params: { id }, body: { percent: 10 } })).toMatchObject(
      busy,
    )
    expect(
      await user.ask('updateBot', { params: { id }, body: { isActive: false } }),
    ).toMatchObject(busy)
    expect(await moneySnapshot(world.context.sql)).toEqual(before)
    // Repeating the same change, as after a lost answer, does not count as a second change.
    expect(await change(user, id, { tradingPairs: [XRP] })).toMatchObject({
      status: 200,
      body: { isChanging: true },
    })
  }
  await settle()
  expect(await botOf(user, id)).toMatchObject({ isChanging: false, tradingPairs: [XRP] })
})

test.each([0, 1])(
  'a bot that is deleted after %d steps of a change returns everything, once',
  async (steps) => {
    const { user, id } = await investor({ tradingPairs: [BTC, XRP] })
    const before = await worthOf(user, id)
    await change(user, id, { tradingPairs: [XRP], riskLevel: 'aggressive' })
    for (let step = 0; step < steps; step += 1) await world.serve()
    expect(await user.ask('deleteBot', { params: { id } })).toMatchObject({
      status: 200,
      body: { status: 'closing', isChanging: false },
    })
    await settle()
    expect(await botOf(user, id)).toBeUndefined()
    const returned =
      decimalToUnits((await user.call('getUser')).availableBalance) - decimalToUnits('50')
    expect(before - returned).toBeGreaterThan(0n)
    expect((before - returned) * 100n).toBeLessThan(before)
    expect(await reconcile(world.context)).toEqual([])
  },
)

test('a paused or closing bot, a stranger’s bot and impossible settings are refused', async () => {
  const { user, id } = await investor()
  const stranger = await world.user()
  const refused = async (body: Settings, answer: object) =>
    expect(await change(user, id, body)).toMatchObject(answer)
  await refused(
    { tradingPairs: [] },
    { status: 422, body: { code: 'bot-pairs-missing', field: 'tradingPairs' } },
  )
  await refused(
    { tradingPairs: [BTC, BTC] },
    { status: 422, body: { code: 'bot-pairs-duplicate', field: 'tradingPairs' } },
  )
  await refused(
    { tradingPairs: ['ETH/USDT'] },
    { status: 422, body: { code: 'bot-pair-unavailable', field: 'tradingPairs' } },
  )
  await refused({ riskLevel: 'reckless' }, { status: 400, body: { field: 'riskLevel' } })
  expect(await change(stranger, id, { tradingPairs: [XRP] })).toMatchObject({ status: 404 })
  expect(await change(user, id, { tradingPairs: [BTC], riskLevel: 'moderate' })).toMatchObject({
    status: 200,
    body: { isChanging: false },
  })
  const paused = { status: 409, body: { code: 'bot-paused', message: PAUSED_SENTENCE } }
  await refused({ tradingPairs: [XRP], isActive: false }, paused)
  await user.call('updateBot', { params: { id }, body: { isActive: false } })
  await settle()
  await refused({ tradingPairs: [XRP] }, paused)
  await refused({ tradingPairs: [XRP], isActive: true }, paused)
  expect(await botOf(user, id)).toMatchObject({ status: 'paused', tradingPairs: [BTC] })
  await user.call('deleteBot', { params: { id } })
  await refused({ tradingPairs: [XRP] }, { status: 409, body: { code: 'bot-closing' } })
})

test('of sixteen changes at once, one is accepted', async () => {
  const { user, id } = await investor()
  const levels = ['conservative', 'aggressive']
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) =>
      change(user, id, {
        riskLevel: levels[at % 2] ?? '',
        tradingPairs: at % 4 < 2 ? [BTC] : [XRP],
      }),
    ),
  )
  const kept = await botOf(user, id)
  const accepted = answers.filter(({ status }) => status === 200)
  expect(
    new Set(accepted.map(({ body }) => `${body.riskLevel} ${String(body.tradingPairs)}`)),
  ).toEqual(new Set([`${kept?.riskLevel} ${String(kept?.tradingPairs)}`]))
  expect(accepted).toHaveLength(4)
  await settle()
  expect(await reconcile(world.context)).toEqual([])
})

test('an engine killed at any statement of a change loses and doubles nothing', async () => {
  const { user, id } = await investor()
  const { context } = world
  const figures = { statements: 0, transactions: 0, faults: {}, repeated: 0 }
  let isKilled = true
  for (let at = 1; isKilled; at += 1) {
    const before = await worthOf(user, id)
    const tradingPairs = [[XRP], [BTC, XRP], [BTC]][at % 3] ?? []
    expect((await change(user, id, { tradingPairs })).status).toBe(200)
    const life = openLife({ base: context.sql, terminate: () => Promise.resolve(), figures })
    const engine = await openEngine({ ...context, ...bookOn(life.sql, context.seals) })
    life.arm({ kind: 'kill', at })
    isKilled = await served(engine).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    )
    await world.restartEngine()
    await settle()
    expect(await botOf(user, id)).toMatchObject({
      tradingPairs,
      isChanging: false,
      investmentAmount: '200.00',
    })
    const lost = before - (await worthOf(user, id))
    expect(lost * 200n, `killed at statement ${at}`).toBeLessThan(before)
    expect(lost).toBeGreaterThan(-3_000_000n)
    expect(await reconcile(context)).toEqual([])
  }
  expect(Object.values(figures.faults)[0]).toBeGreaterThan(20)
})

async function served(engine: Engine): Promise<void> {
  for (let round = 0; round < 3; round += 1) await engine.serve()
}

const named = (
  { riskLevel = 'moderate', tradingPairs = [BTC] }: Settings,
  taken: readonly string[] = [],
) =>
  suggestedName(
    { strategy: 'trend', riskLevel: riskLevel as RiskLevel, tradingPairs: tradingPairs as Pair[] },
    taken,
  )

test("a suggested name, in any language, follows every change; an owner's name stays", async () => {
  const user = await world.user()
  await user.deposit('2000')
  const create = async (settings: Settings, name: string) =>
    (
      await user.call('createBot', {
        body: {
          riskLevel: 'moderate',
          tradingPairs: [BTC],
          investmentAmount: '50',
          ...settings,
          name,
        },
      })
    ).id
  for (const [, from, to] of SWITCHES) {
    const names = LANGUAGES.map((language) => inLanguage(language, () => named(from)))
    const suggested = await Promise.all(
      [...names, `${named(from)} 2`].map((name) => create(from, name)),
    )
    const own = await create(from, `${named(from)} for Grandma`)
    await settle()
    const taken: string[] = []
    for (const id of suggested) {
      const { name } = (await change(user, id, to)).body
      expect(name).toBe(named(to, taken))
      taken.push(name)
    }
    expect((await change(user, own, to)).body.name).toBe(`${named(from)} for Grandma`)
    await settle()
    for (const id of [...suggested, own]) await user.call('deleteBot', { params: { id } })
    await settle()
  }
})

test("a change of nothing keeps a suggested name; an owner's new name replaces it", async () => {
  const { user, id } = await investor()
  await user.call('updateBot', { params: { id }, body: { name: named({}) } })
  expect((await change(user, id, { riskLevel: 'moderate', tradingPairs: [BTC] })).body.name).toBe(
    named({}),
  )
  expect(
    (
      await user.call('updateBot', {
        params: { id },
        body: { name: 'Mine', riskLevel: 'aggressive' },
      })
    ).name,
  ).toBe('Mine')
})
