import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { allocate } from '#core/trading/allocation.ts'
import { totalCostBps, type TradingCosts } from '#core/trading/costs.ts'
import { payFee, performanceFee } from '#core/trading/fee.ts'
import { cashMoved, type Side } from '#core/trading/fill.ts'
import { paperFill, paperFillPrice } from '#core/trading/paper-fill.ts'
import { applyBuy, applySell, type Position } from '#core/trading/position.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { atomically } from '#server/db/atomically.ts'
import { INT8, type Transaction } from '#server/db/open.ts'
import { startClock } from '#server/market/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { randomFrom, SEED, type Random } from '../../../test/random.ts'
import { adoptStatuses, allocateBuys, allocateSells, expectLookUps, findStretches, nextPlan, planSides, type Ask, type FilledBlock, type SliceTotals } from './store.ts'

const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'XRP/USDT']
const PAIR = 'BTC/USDT'
const BLOCKS = 20
const BOTS_A_BLOCK = 500
const USERS_A_BLOCK = 25
const SLICES = 3
const HALF_OF_IDS = '80000000-0000-4000-8000-000000000000'
/** The largest sizes tried: 10 million dollars or coins in one sleeve, a million dollars a coin. */
const MOST = 10n ** 15n
const MOST_PRICE = 10n ** 14n

type Sleeve = { pair: Pair; position: Position }
type Bot = { id: string; userId: string; riskLevel: RiskLevel; invested: Units; feesPaid: Units; sleeves: Sleeve[] }
type Story = { bots: Bot[]; prices: Map<Pair, Units>; costs: TradingCosts; wants: { riskLevel: RiskLevel; exposureBps: number }[] }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await startClock(database.sql, { feed: 'test', at: new Date(0) })
})
afterAll(() => database.drop())

test(`what SQL plans, shares and charges for ${BLOCKS * BOTS_A_BLOCK} random bots is what the core does (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const seen = { buys: 0, sells: 0, served: 0, fees: 0, losers: 0, multi: 0 }
  for (let number = 0; number < BLOCKS; number += 1) {
    const story = drawStory(random)
    await writeStory(story)
    const plan = await atomically(database.sql, nextPlan)
    const { served, wishes } = await comparePlan(story)
    seen.served += served
    for (const side of ['sell', 'buy'] as const) {
      const filledBps = random.chance(0.5) ? 10_000n : BigInt(1 + random.below(9_999))
      const result = await compareBlock(story, { plan, side, wishes: wishes.filter((wish) => wish.side === side), filledBps })
      seen[`${side}s`] += result.bots
      seen.fees += result.charged
      seen.losers += result.losers
      seen.multi += result.multi
    }
  }
  expect(Object.entries(seen).filter(([, count]) => count < 300)).toEqual([])
})

test('a closing bot sells all that it holds, also where nothing was applied, and nothing is left to sell afterwards', async () => {
  const story = drawStory(randomFrom(SEED + 1))
  await writeStory(story)
  await database.sql`update trading_bots set status = 'closing' where status = 'following'`
  await adoptStatuses(database.sql)
  const price = priceOf(story.prices, PAIR)
  const wants = RISK_LEVELS.map((riskLevel) => ({ riskLevel, exposureBps: 0 }))
  const plan = () => planSides(database.sql, { kind: 'exit', asks: [{ pair: PAIR, wants, price, buyPrice: price }], costBps: 17 })
  const held = story.bots.flatMap(({ sleeves }) => sleeves.filter(({ pair, position }) => pair === PAIR && position.base > 0n))
  const everything = sumOf(held, ({ position }) => position.base)
  expect(await plan()).toEqual([{ pair: PAIR, side: 'sell', wished: everything, bots: held.length }])
  await database.sql`update bot_positions set base = 0, applied_bps = 0`
  expect(await plan()).toEqual([])
})

test('all pairs planned in one statement want what each wants alone', async () => {
  const { bots, prices, wants, costs } = drawStory(randomFrom(SEED + 3))
  await writeStory({ bots, prices, wants, costs })
  const asks = PAIRS.map((pair) => askOf({ prices, wants, costs }, pair))
  const plan = (some: typeof asks) =>
    undone(async (tx) => {
      const sides = await planSides(tx, { kind: 'strategy', asks: some, costBps: totalCostBps(costs) })
      return { sides, positions: await tx`select bot_id, pair, applied_bps from bot_positions order by bot_id, pair` }
    })
  const together = await plan(asks)
  const alone = []
  for (const ask of asks) alone.push(await plan([ask]))
  expect(together.sides).toEqual(alone.flatMap(({ sides }) => sides))
  expect(together.sides.length).toBeGreaterThan(PAIRS.length)
  for (const [index, { pair }] of asks.entries()) {
    const ofPair = (rows: readonly { pair?: string }[] = []) => rows.filter((row) => row.pair === pair)
    expect(ofPair(together.positions)).toEqual(ofPair(alone[index]?.positions))
  }
})

test('who pauses or leaves between a plan and its share changes neither; from the next plan on it counts', async () => {
  const story = drawStory(randomFrom(SEED + 2))
  await writeStory(story)
  const ask = askOf(story, PAIR)
  const planned = () => undone((tx) => planSides(tx, { kind: 'strategy', asks: [ask], costBps: totalCostBps(story.costs) }))
  const before = await planned()
  await database.sql`update trading_bots set status = case when id < ${HALF_OF_IDS} then 'paused' else 'closing' end where status = 'following'`
  expect(await planned()).toEqual(before)
  await atomically(database.sql, adoptStatuses)
  expect(await planned()).toEqual([])
  const [left] = await database.sql<{ leaving: number }[]>`select count(distinct bot_id)::integer as leaving from bot_positions where engine_status = 'closing'`
  const ids = story.bots.map(({ id }) => id)
  expect(left?.leaving).toBe(ids.filter((id) => id >= HALF_OF_IDS).length)
})

test('the pages of all sleeves are taken apart without a gap, and pages added meanwhile belong to the last part', async () => {
  await writeStory(drawStory(randomFrom(SEED + 4)))
  const stretches = await findStretches(database.sql, SLICES)
  expect(stretches.map(({ from }) => from)).toEqual([0, ...stretches.slice(0, -1).map(({ to }) => to)])
  expect(stretches.every(({ from, to }) => to > from)).toBe(true)
  expect(await findStretches(database.sql, 1)).toEqual([{ from: 0, to: stretches[SLICES - 1]?.to }])
})

/** What `work` answers; whatever it wrote is as if it had never been. */
async function undone<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  let result: Result | undefined
  await atomically(database.sql, async (tx) => {
    result = await work(tx)
    throw new Error('undone')
  }).catch((error: unknown) => expect(String(error)).toBe('Error: undone'))
  return present(result, 'the result')
}

type Wish = { bot: Bot; side: Side; quantity: Units; exposureBps: number }

/** SQL counts and sums the orders that the core plans, and counts a sleeve without one as served. */
async function comparePlan(story: Story): Promise<{ served: number; wishes: Wish[] }> {
  const { bots, costs, wants } = story
  const ask = askOf(story, PAIR)
  const sides = await planSides(database.sql, { kind: 'strategy', asks: [ask], costBps: totalCostBps(costs) })
  const wishes: Wish[] = []
  let served = 0
  for (const bot of bots) {
    const sleeve = sleeveOf(bot)
    const exposureBps = wantOf(wants, bot)
    if (!sleeve || sleeve.position.appliedBps === exposureBps) continue
    const order = planOrder({ position: sleeve.position, exposureBps, price: ask.price, costs })
    if (order) wishes.push({ bot, ...order, exposureBps })
    else {
      sleeve.position = { ...sleeve.position, appliedBps: exposureBps }
      served += 1
    }
  }
  const expected = (['buy', 'sell'] as const).map((side) => {
    const ofSide = wishes.filter((wish) => wish.side === side)
    return { pair: PAIR, side, wished: sumOf(ofSide, ({ quantity }) => quantity), bots: ofSide.length }
  })
  expect(sides.toSorted((a, b) => (a.side < b.side ? -1 : 1))).toEqual(expected.filter((side) => side.bots > 0))
  expect(sides[0]?.side, 'the sale comes first').toBe(expected[1]?.bots === 0 ? 'buy' : 'sell')
  await expectPositions(bots)
  return { served, wishes }
}

type Compared = { bots: number; charged: number; losers: number; multi: number }

type Comparing = { plan: bigint; side: Side; wishes: readonly Wish[]; filledBps: bigint }

/** Fills one side, shares it slice by slice in SQL and at once in the core, charges the sellers, and compares every row. */
async function compareBlock(story: Story, { plan, side, wishes, filledBps }: Comparing): Promise<Compared> {
  const { price, buyPrice } = askOf(story, PAIR)
  const wished = sumOf(wishes, ({ quantity }) => quantity)
  const quantity = (wished * filledBps) / 10_000n
  if (quantity === 0n) return { bots: 0, charged: 0, losers: 0, multi: 0 }
  const isWhole = filledBps === 10_000n
  const fill = paperFill({ side, quantity, price, costs: story.costs })
  const blockId = randomUUID()
  const exposures = Object.fromEntries(story.wants.map(({ riskLevel, exposureBps }) => [riskLevel, exposureBps]))
  const sizes = { price, buyPrice, costBps: totalCostBps(story.costs), exposures, wished, bots: wishes.length }
  const block: FilledBlock = {
    id: blockId, kind: 'strategy', pair: PAIR, side, state: 'planned', ...sizes, slices: SLICES, plan, marketTime: new Date(0),
    fillQuantity: fill.quantity, fillPrice: fill.price, fillNotional: fill.notional, fillFee: fill.fee, fillWhole: isWhole, filledBy: 'venue',
  }
  const { shares, remainder } = allocate({ fill, wishes: wishes.map((wish) => wish.quantity) })
  const totals = await allocateInSlices(block)
  expect(await allocateInSlices(block), 'who has a share gets no other').toEqual({ quantity: 0n, total: 0n, fees: 0n, bots: 0 })
  const sign = side === 'buy' ? 1n : -1n
  expect(totals.bots).toBe(wishes.length)
  expect(totals.quantity + sign * remainder.base).toBe(fill.quantity)
  expect(totals.total - sign * remainder.quote).toBe(cashMoved(fill))
  expect(remainder.base >= 0n && remainder.quote >= 0n).toBe(true)
  const expected = new Map<string, unknown>()
  const compared = { bots: wishes.length, charged: 0, losers: 0, multi: 0 }
  const fees = new Map<string, unknown>()
  for (const [index, { bot, exposureBps: wantedBps }] of wishes.entries()) {
    const botId = bot.id
    const share = shares[index]
    const sleeve = sleeveOf(bot)
    if (!share || !sleeve) throw new Error('a wish has its sleeve and its share')
    const exposureBps = isWhole ? wantedBps : sleeve.position.appliedBps
    if (side === 'buy') sleeve.position = applyBuy({ position: sleeve.position, share, exposureBps })
    else {
      const sold = applySell({ position: sleeve.position, share, exposureBps })
      sleeve.position = sold.position
      const due = chargeInCore(story, bot)
      if (due.chargeable > 0n) fees.set(botId, { userProfit: due.chargeable, feeAmount: due.fee, feeBps: 1_500 })
      compared.charged += due.chargeable > 0n ? 1 : 0
      compared.losers += due.chargeable === 0n ? 1 : 0
      compared.multi += bot.sleeves.length > 1 ? 1 : 0
      expected.set(botId, { ...share, profit: sold.profit })
    }
    if (side === 'buy') expected.set(botId, { ...share, profit: null })
  }
  const trades = await database.sql<{ botId: string }[]>`select bot_id, quantity, total, fee, profit from bot_trades where block_id = ${blockId}`
  expect(new Map(trades.map(({ botId, ...trade }) => [botId, trade]))).toEqual(expected)
  const booked = await database.sql<{ botId: string; feeAmount: Units }[]>`
    select bot_id, user_profit, fee_amount, fee_bps from platform_fees where block_id = ${blockId}`
  expect(new Map(booked.map(({ botId, ...row }) => [botId, row]))).toEqual(fees)
  expect(totals.fees).toBe(sumOf(booked, ({ feeAmount }) => feeAmount))
  await expectPositions(story.bots)
  return compared
}

async function allocateInSlices(block: FilledBlock): Promise<Omit<SliceTotals, 'userIds'>> {
  const sum = { quantity: 0n, total: 0n, fees: 0n, bots: 0 }
  for (const stretch of await findStretches(database.sql, block.slices)) {
    const totals = await atomically(database.sql, async (tx) => {
      await expectLookUps(tx)
      return block.side === 'buy' ? allocateBuys(tx, block, stretch) : allocateSells(tx, block, { stretch, feeBps: 1_500 })
    })
    sum.quantity += totals.quantity
    sum.total += totals.total
    sum.fees += totals.fees
    sum.bots += totals.bots
  }
  return sum
}

/** A losing bot, or one below its mark, pays nothing. */
function chargeInCore({ prices }: Story, bot: Bot): { chargeable: Units; fee: Units } {
  const sleeve = sleeveOf(bot)
  if (!sleeve) throw new Error('a seller has its sleeve')
  const sleeves = bot.sleeves.map(({ pair, position }) => ({ position, price: priceOf(prices, pair) }))
  const due = performanceFee({ sleeves, invested: bot.invested, feesPaid: bot.feesPaid, feeBps: 1_500, cash: sleeve.position.cash })
  const realised = sumOf(bot.sleeves, ({ position }) => position.realised)
  const mark = sumOf(bot.sleeves, ({ position }) => position.mark)
  const equity = sumOf(sleeves, ({ position, price }) => position.cash + (position.base * price) / ONE)
  if (realised <= mark || equity + bot.feesPaid - bot.invested <= mark) expect(due.fee).toBe(0n)
  sleeve.position = payFee({ position: sleeve.position, due })
  bot.feesPaid += due.fee
  return due
}

function drawStory(random: Random): Story {
  const prices = new Map(PAIRS.map((pair) => [pair, random.units(MOST_PRICE)]))
  const costs = { feeBps: random.below(60), halfSpreadBps: random.below(20), slippageBps: random.below(20) }
  const wants = RISK_LEVELS.map((riskLevel) => ({ riskLevel, exposureBps: random.chance(0.25) ? 0 : random.below(101) * 100 }))
  return { bots: Array.from({ length: BOTS_A_BLOCK }, () => drawBot(random, prices)), prices, costs, wants }
}

function drawBot(random: Random, prices: Story['prices']): Bot {
  const pairs = PAIRS.filter((pair) => pair === PAIR || random.chance(0.4))
  const sleeves = pairs.map((pair) => ({ pair, position: drawPosition(random, priceOf(prices, pair)) }))
  const worth = sumOf(sleeves, ({ pair, position }) => position.cash + (position.base * priceOf(prices, pair)) / ONE)
  const invested = 1n + (worth * BigInt(random.below(200))) / 100n
  const feesPaid = random.chance(0.3) ? random.units(invested) : 0n
  return { id: randomUUID(), userId: '', riskLevel: random.pick(RISK_LEVELS), invested, feesPaid, sleeves }
}

/** Sizes up to what a column can hold once they are turned into money, or money into coins, at this price. */
function drawPosition(random: Random, price: Units): Position {
  const mostBase = least(MOST, (MOST * ONE) / price)
  const mostCash = least(MOST, (MOST * price) / ONE)
  const base = random.chance(0.2) ? 0n : random.units(mostBase)
  const cash = random.chance(0.1) || mostCash === 0n ? 0n : random.units(mostCash)
  const value = (base * price) / ONE
  const cost = base === 0n ? 0n : (value * BigInt(random.below(220))) / 100n
  const realised = (random.chance(0.4) ? -1n : 1n) * random.units(cash + value + 1n)
  const mark = random.chance(0.5) ? 0n : random.units(cash + value + 1n)
  return { cash, base, cost, realised, mark, appliedBps: random.chance(0.3) ? 0 : random.below(101) * 100 }
}

/** A few users own the bots of a story; fees paid before hang on a trade of an earlier block. */
async function writeStory({ bots, prices }: Story): Promise<void> {
  const { sql } = database
  const userIds = Array.from({ length: USERS_A_BLOCK }, () => randomUUID())
  const earlier = randomUUID()
  for (const [index, bot] of bots.entries()) bot.userId = userIds[index % USERS_A_BLOCK] ?? ''
  await sql`update trading_bots set status = 'paused'`
  await sql`
    insert into users (id, username, username_key, password, first_name, last_name)
    select id::uuid, id, id, '', 'A', 'B' from unnest(${userIds}::text[]) as id`
  await sql`
    insert into trading_bots (id, user_id, name, risk_level, trading_pairs, invested, status, market_start)
    select id, user_id, 'bot', risk_level, string_to_array(pairs, ' '), invested, 'following', now()
      from unnest(${bots.map(({ id }) => id)}::uuid[], ${bots.map(({ userId }) => userId)}::uuid[], ${bots.map(({ riskLevel }) => riskLevel)}::text[], ${units(bots.map(({ invested }) => invested))},
        ${bots.map(({ sleeves }) => sleeves.map(({ pair }) => pair).join(' '))}::text[]) as bot (id, user_id, risk_level, invested, pairs)`
  const rows = bots.flatMap(({ userId, id, riskLevel, sleeves }) => sleeves.map(({ pair, position }) => ({ userId, id, riskLevel, pair, ...position })))
  await sql`
    insert into bot_positions (user_id, bot_id, risk_level, pair, cash, base, cost, realised, mark, applied_bps)
    select sleeve.* from unnest(${rows.map(({ userId }) => userId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ riskLevel }) => riskLevel)}::text[], ${rows.map(({ pair }) => pair)}::text[],
      ${units(rows.map(({ cash }) => cash))}, ${units(rows.map(({ base }) => base))}, ${units(rows.map(({ cost }) => cost))},
      ${units(rows.map(({ realised }) => realised))}, ${units(rows.map(({ mark }) => mark))},
      ${rows.map(({ appliedBps }) => String(appliedBps))}::text[]::integer[]) as sleeve`
  await sql`
    insert into bot_trades (user_id, block_id, bot_id, quantity, total, fee)
    select user_id, ${earlier}, id, 0, 0, 0 from trading_bots where status = 'following'`
  await sql`
    insert into platform_fees (user_id, block_id, bot_id, user_profit, fee_amount)
    select user_id, ${earlier}, b.id, 1, paid
      from unnest(${bots.map(({ id }) => id)}::uuid[], ${units(bots.map(({ feesPaid }) => feesPaid))}) as fee (id, paid)
      join trading_bots b on b.id = fee.id where paid > 0`
  await sql`
    update bot_positions p set fees_paid = paid
      from unnest(${bots.map(({ id }) => id)}::uuid[], ${units(bots.map(({ feesPaid }) => feesPaid))}) as fee (id, paid)
     where p.bot_id = fee.id and p.pair = ${PAIR}`
  for (const [pair, price] of prices) {
    await sql`
      insert into market_tickers (pair, price, price_24h, market_time) values (${pair}, ${price}, ${price}, now())
      on conflict on constraint market_tickers_pkey do update set price = excluded.price`
  }
  await atomically(sql, adoptStatuses)
}

async function expectPositions(bots: readonly Bot[]): Promise<void> {
  const rows = await database.sql<(Position & { botId: string; pair: Pair })[]>`
    select bot_id, pair, cash, base, cost, realised, mark, applied_bps from bot_positions where user_id = any(${bots.map(({ userId }) => userId)}::uuid[])`
  const expected = bots.flatMap(({ id, sleeves }) => sleeves.map(({ pair, position }): [string, Position] => [`${id} ${pair}`, position]))
  expect(new Map(rows.map(({ botId, pair, ...position }) => [`${botId} ${pair}`, position]))).toEqual(new Map(expected))
}

const units = (list: Units[]) => database.sql.array(list, INT8)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const sleeveOf = ({ sleeves }: Bot): Sleeve | undefined => sleeves.find(({ pair }) => pair === PAIR)
const wantOf = (wants: Story['wants'], { riskLevel }: Bot): number => wants.find((want) => want.riskLevel === riskLevel)?.exposureBps ?? 0
const sumOf = <Item>(items: readonly Item[], of: (item: Item) => Units): Units => items.reduce((sum, item) => sum + of(item), 0n)

function askOf({ prices, wants, costs }: Pick<Story, 'prices' | 'wants' | 'costs'>, pair: Pair): Ask {
  const price = priceOf(prices, pair)
  return { pair, wants, price, buyPrice: paperFillPrice({ side: 'buy', price, costs }) }
}

function priceOf(prices: Story['prices'], pair: Pair): Units {
  const price = prices.get(pair)
  if (price === undefined) throw new Error(`no price of ${pair}`)
  return price
}
