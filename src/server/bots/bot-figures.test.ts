import { afterAll, beforeAll, expect, test } from 'vitest'
import { assert } from '#core/assert.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { queriesOver } from '#server/db/statement.ts'
import { openMarketView } from '#server/market/market-view.ts'
import { createBotOwner, createRisingWorld } from '../../../test/world/small-book.ts'
import type { TestUser, World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

async function investor(): Promise<{ user: TestUser; id: string }> {
  const owner = await createBotOwner(world, '1000', { riskLevel: 'aggressive' })
  await world.hours(24)
  return owner
}

const figuresOf = (user: TestUser, id: string) => user.call('getBotPerformance', { params: { id } })
const values = (curve: { value: string }[]) => curve.map(({ value }) => Number(value))

type Figures = Awaited<ReturnType<typeof figuresOf>>

/** The bot's worth at each point before the closing fee, and the worth of holding. */
function bothWorths({
  equityCurve,
  buyAndHoldCurve,
  investedCurve,
}: Figures): { at: string; bot: number; hold: number }[] {
  expect(buyAndHoldCurve.map(({ at }) => at)).toEqual(equityCurve.map(({ at }) => at))
  return equityCurve.map(({ at, value }, index) => {
    const equity = Number(value)
    const invested = Number(investedCurve.findLast((step) => step.at <= at)?.value)
    const bot = equity > invested ? (equity - FEE * invested) / (1 - FEE) : equity
    return { at, bot, hold: Number(buyAndHoldCurve[index]?.value) }
  })
}

const FEE = PERFORMANCE_FEE_BPS / 10_000
/** Three figures in whole cents, one of them divided by 1 - FEE. */
const CENTS = 0.03

test('on a rising market a bot equals holding, minus the cost of take-outs', async () => {
  const { user, id } = await investor()
  const before = await figuresOf(user, id)
  await user.call('topUpBot', { params: { id }, body: { amount: '300' } })
  await world.hours(24)
  const grown = await figuresOf(user, id)
  const cash = Number((await user.call('getUser')).availableBalance)
  await user.call('takeOutOfBot', { params: { id }, body: { percent: 80 } })
  await world.hours(24)
  const left = await figuresOf(user, id)
  // Allows for trading costs, which count as a drawdown: a quarter of a percent, plus half of the
  // noise.
  for (const { maxDrawdown } of [before, grown, left]) expect(Number(maxDrawdown)).toBeLessThan(0.6)
  for (const { at, bot, hold } of [...bothWorths(before), ...bothWorths(grown)])
    expect(Math.abs(bot - hold), `at ${at}`).toBeLessThan(CENTS)
  const last = bothWorths(grown).at(-1)
  assert(last && last.bot > 500, 'the market rises')
  // Holding excludes exactly the money that the owner received. The bot gives up 80% of everything,
  // and pays the fee and the costs of selling.
  const received = Number((await user.call('getUser')).availableBalance) - cash
  const kept = { bot: last.bot * 0.2, hold: last.hold - received }
  const later = bothWorths(left).filter(({ at }) => at > last.at)
  expect(later.length).toBeGreaterThanOrEqual(24)
  for (const { at, bot, hold } of later)
    expect(Math.abs(hold - (bot * kept.hold) / kept.bot), `at ${at}`).toBeLessThan(2 * CENTS)
})

test('a late response about the market does not set the clock back', async () => {
  const { sql, feed, candles, now } = world.context
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let isFirst = true
  const slow = queriesOver(async (sent) => {
    const isLate = isFirst
    isFirst = false
    const rows = await sql.send(sent)
    if (isLate) await held
    return rows
  })
  const view = openMarketView(slow, { feed, candles, wallNow: now })
  const late = view.refresh()
  await world.hours(1)
  await view.refresh()
  const at = view.now()
  release()
  await late
  expect(at).toEqual(world.context.market.now())
  expect(view.now()).toEqual(at)
})

test('the buy-and-hold curve before a top-up excludes the added money', async () => {
  const { user, id } = await investor()
  await user.call('topUpBot', { params: { id }, body: { amount: '600' } })
  await world.hours(6)
  const { buyAndHoldCurve } = await figuresOf(user, id)
  expect(values(buyAndHoldCurve)[0]).toBeCloseTo(199.6, 0)
  expect(values(buyAndHoldCurve).at(-1)).toBeGreaterThan(800)
})

test('money that was just added is in both curves, and is not a drawdown', async () => {
  const { user, id } = await investor()
  await user.call('topUpBot', { params: { id }, body: { amount: '400' } })
  const { equityCurve, buyAndHoldCurve, maxDrawdown } = await figuresOf(user, id)
  for (const curve of [equityCurve, buyAndHoldCurve])
    expect(values(curve).at(-1)).toBeGreaterThan(600)
  expect(Number(maxDrawdown)).toBeLessThan(0.6)
})
