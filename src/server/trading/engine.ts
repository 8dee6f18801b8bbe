import { required } from '#core/assert.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { explain } from '#core/strategy/reason.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import { appliedAfterClose } from '#core/trading/drift.ts'
import type { Settlement, WaitReason } from '#core/trading/wait.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { publish } from '#server/events/bus.ts'
import {
  asLeader,
  raiseEpoch,
  readMarketTime,
  settleHour,
  startClock,
  writeExposures,
  writeTickers,
} from '#server/market/clock.ts'
import type { LiveMarket } from '#server/ports/feed.ts'
import { openMarket, type Market } from './engine-market.ts'
import { Halted } from './halt.ts'
import { payInterest } from './pay-interest.ts'
import type { PairInput } from './plan-blocks.ts'
import { returnMoney } from './return-money.ts'
import { runBlocks } from './run-blocks.ts'
import { moveSleeves, runTick } from './run-tick.ts'
import { readModel } from '#server/market/range-days.ts'
import { findPools, findUnsettledBlocks, setApplied, type StoredPool } from './store.ts'
import { findSettlements, findWaits, reportWaits, writeWaits, type Tries } from './waits.ts'
import { watchGuards } from './watch-guards.ts'

/** Moves the market's clock and trades for all bots. One engine leads a database. */
export type Engine = {
  /** Market time, milliseconds since 1970. */
  nowMs: () => number
  /**
   * Moves market time to `ms`, deciding and trading at each whole hour; on a live market once, by
   * the latest closed hour.
   */
  advanceTo: (ms: number) => Promise<void>
  /**
   * Serves joining and leaving bots at the current price. Returning money stops after `forMs`, so
   * that many closing bots never stop the market; the next call continues.
   */
  serve: (forMs?: number) => Promise<void>
}

/** A market for `openEngine`: new, prepared, or from an engine that lost its lead. */
export const marketOf = ({ feed, candles, costs }: Context): Market =>
  openMarket({ feed, candles, costs })

/** Takes the lead: finishes what a crash left behind, then continues at the clock's time. */
export async function openEngine(
  context: Context,
  market: Market = marketOf(context),
): Promise<Engine> {
  const { sql, feed } = context
  const beginsAt = new Date(feed.beginMs(context.now().getTime()))
  // Throws for another market than the book's, before this process takes the lead.
  await startClock(sql, { feed: feed.identity, at: beginsAt })
  // Read after taking the lead, because the last leader may have committed an hour until then.
  const clock = await raiseEpoch(sql)
  const lead: EngineState = {
    market,
    epoch: clock.leaderEpoch,
    nowMs: clock.marketTime.getTime(),
    due: new Set(feed.pairs),
    rests: new Map(),
    waits: await findWaits(sql),
    hasStops: true,
    mayBeUnsettled: true,
  }
  await resume(context, lead)
  await catchUp(context, lead, clock.settledTime.getTime())
  return {
    nowMs: () => lead.nowMs,
    advanceTo: (ms) => guarded(context, lead, () => advance(context, lead, ms)),
    serve: (forMs = Number.POSITIVE_INFINITY) =>
      guarded(context, lead, () => serve(context, lead, forMs)),
  }
}

type EngineState = {
  market: Market
  epoch: bigint
  nowMs: number
  /** Pairs that may have something to trade; all of them after a restart or a failure. */
  due: Set<Pair>
  /** Market time until which a pair is skipped after not all of its orders could be traded. */
  rests: Map<Pair, number>
  /** Pairs whose coins could not be sold at the last try, as stored. */
  waits: Map<Pair, WaitReason>
  /** Guards may have stopped or resumed bots whose sleeves have not moved yet. */
  hasStops: boolean
  /** A failure may have left blocks unfinished, or the outcome of an order is unknown. */
  mayBeUnsettled: boolean
}

/** Repeats an unsettled hour at its own prices. Pools already traded have nothing left to trade. */
async function catchUp(context: Context, lead: EngineState, settledMs: number): Promise<void> {
  const hourMs = floorHour(lead.nowMs)
  lead.market.moveTo(hourMs)
  if (settledMs < hourMs) {
    await writeMarket(context, lead, { exposures: true })
    await tradeHour(context, lead, hourMs)
  }
  lead.market.moveTo(lead.nowMs)
  await writeMarket(context, lead, { exposures: true })
}

/**
 * Runs `work` after finishing unfinished blocks. Blocks of unknown outcome only block their own
 * pair.
 */
async function guarded(
  context: Context,
  lead: EngineState,
  work: () => Promise<void>,
): Promise<void> {
  try {
    if (lead.mayBeUnsettled) await resume(context, lead)
    await work()
  } catch (error) {
    lead.mayBeUnsettled = true
    lead.hasStops = true
    lead.due = new Set(context.feed.pairs)
    if (!(error instanceof Halted)) throw error
  }
}

/** Finishes unfinished blocks, also during a halt: it sends no order. */
async function resume(context: Context, lead: EngineState): Promise<void> {
  const blocks = await findUnsettledBlocks(context.sql)
  const { unknown } = await runBlocks(context, blocks, { epoch: lead.epoch, isResumed: true })
  lead.mayBeUnsettled = unknown.size > 0
}

async function advance(context: Context, lead: EngineState, targetMs: number): Promise<void> {
  if (context.feed.live) return goOn(context, lead, { live: context.feed.live, targetMs })
  const end = context.feed.endMs ?? Number.POSITIVE_INFINITY
  const stopMs = Math.min(targetMs, end)
  for (let hourMs = nextHour(lead.nowMs); hourMs <= stopMs; hourMs = nextHour(lead.nowMs))
    await closeHour(context, lead, hourMs)
  if (stopMs > lead.nowMs) {
    lead.market.moveTo(stopMs)
    await writeMarket(context, lead, { exposures: false })
    lead.nowMs = stopMs
  }
}

/**
 * Moves the clock on, but not past an hour whose candles are missing. In a live market, missed
 * hours are not traded: the latest closed hour decides, at the current price.
 */
async function goOn(
  context: Context,
  lead: EngineState,
  { live, targetMs }: { live: LiveMarket; targetMs: number },
): Promise<void> {
  const closedMs = live.closedUntilMs()
  const stopMs = Math.max(lead.nowMs, Math.min(targetMs, closedMs + HOUR_MS - 1))
  const isNewHour = closedMs > lead.nowMs
  if (isNewHour) lead.rests.clear()
  const changed = lead.market.moveTo(stopMs)
  for (const pair of changed) lead.due.add(pair)
  if (isNewHour) await readModel(context)
  await writeMarket(context, lead, { exposures: isNewHour || lead.due.size > 0, isNewHour })
  lead.nowMs = stopMs
  if (isNewHour || [...lead.due].some((pair) => lead.market.price(pair) !== undefined))
    await tradeHour(context, lead, closedMs)
}

const nextHour = (ms: number): number => floorHour(ms) + HOUR_MS

async function closeHour(context: Context, lead: EngineState, hourMs: number): Promise<void> {
  lead.rests.clear()
  for (const pair of lead.market.moveTo(hourMs)) lead.due.add(pair)
  await writeMarket(context, lead, { exposures: true, isNewHour: true })
  await tradeHour(context, lead, hourMs)
  lead.nowMs = hourMs
}

/** Delay before a pair that could not be traded is tried again, in market time. */
const REST_MS = 60_000

/**
 * Trades an hour. A pair with a hole in its data stays due. Bots stopped by a guard are sold with
 * this hour's trades.
 */
async function tradeHour(context: Context, lead: EngineState, hourMs: number): Promise<void> {
  if (lead.hasStops) {
    const { moving } = await moveSleeves(context, {
      marketTime: lead.market.now(),
      epoch: lead.epoch,
    })
    for (const pair of moving) lead.due.add(pair)
    lead.hasStops = false
  }
  await trade(context, lead, lead.due)
  await asLeader(context, lead.epoch, ({ sql }) => settleHour(sql, new Date(hourMs)))
}

/** Serves joining and leaving bots, and returns money for `forMs` of real time. */
async function serve(context: Context, lead: EngineState, forMs: number): Promise<void> {
  const untilMs = context.now().getTime() + forMs
  const { market, epoch } = lead
  const { moving, news } = await moveSleeves(context, { marketTime: market.now(), epoch })
  // A pair rests after orders that could not all be traded. Newly adopted bots do not wait for it.
  for (const pair of news) lead.rests.delete(pair)
  // Pairs without a price stay due, and are traded later with the strategies.
  for (const pair of moving) if (market.price(pair) === undefined) lead.due.add(pair)
  await trade(context, lead, moving)
  await returnMoney(context, { epoch, untilMs })
}

async function trade(context: Context, lead: EngineState, pairs: ReadonlySet<Pair>): Promise<void> {
  const { market, epoch, due, rests, waits } = lead
  const marketTime = market.now()
  const inputs: PairInput[] = []
  const settlements: ReadonlyMap<Pair, Settlement> =
    waits.size > 0 ? await findSettlements(context.sql) : new Map()
  // A pair that was removed is no longer among those of the feed.
  for (const pair of new Set([...context.feed.pairs, ...settlements.keys()])) {
    const [price, settlement] = [market.price(pair), settlements.get(pair)]
    const isResting = marketTime.getTime() < (rests.get(pair) ?? 0)
    if (pairs.has(pair) && !isResting && (price !== undefined || settlement))
      inputs.push({ pair, wants: market.wants(pair), price, settlement })
  }
  const { left, tries } = await runTick(context, { inputs, marketTime, epoch })
  lead.mayBeUnsettled ||= [...tries.values()].includes('unknown')
  for (const { pair, price } of inputs) {
    if (left.has(pair)) rests.set(pair, marketTime.getTime() + REST_MS)
    if (left.has(pair) || price === undefined) due.add(pair)
    else due.delete(pair)
  }
  const priceless = [...pairs].filter((pair) => market.price(pair) === undefined)
  await noteWaits(context, lead, new Map([...tries, ...priceless.map(withoutPrice)]))
}

const withoutPrice = (pair: Pair) => [pair, 'no-price'] as const

/** Stores the waits that changed. */
async function noteWaits(
  context: Context,
  { market, epoch, waits }: EngineState,
  tries: Tries,
): Promise<void> {
  const changed = new Map([...tries].filter(([pair, reason]) => waits.get(pair) !== reason))
  if (changed.size === 0) return
  await asLeader(context, epoch, ({ sql }) => writeWaits(sql, changed, market.now()))
  for (const [pair, reason] of changed) {
    if (reason === undefined) waits.delete(pair)
    else waits.set(pair, reason)
  }
}

async function writeMarket(
  context: Context,
  lead: EngineState,
  { exposures, isNewHour = false }: MarketWrite,
): Promise<void> {
  const { market, epoch } = lead
  const at = market.now()
  const hour = new Date(floorHour(at.getTime()))
  const { drifted, hasStops } = await asLeader(context, epoch, async (tx) => {
    const before = required(await readMarketTime(tx.sql), 'the clock is started')
    await writeTickers(tx.sql, market.tickers(), at)
    if (exposures) await writeExposures(tx.sql, exposuresOf(context, market), at)
    await publish(tx.sql, { name: 'prices' })
    const moved = isNewHour ? await noteDrifts(tx.sql, market) : []
    if (isNewHour) await reportWaits(tx.sql, at)
    // Not for a repeated hour: it was judged before its trades. Their result is judged with the
    // next hour.
    const watched =
      isNewHour &&
      before < hour &&
      (await watchGuards(context, tx.sql, { at: hour, closes: market.lastCloses() }))
    // After this close's decisions, before the trades of the hour.
    await payInterest(context, tx, { fromMs: before.getTime(), toMs: at.getTime() })
    return { drifted: moved, hasStops: watched }
  })
  for (const pair of drifted) lead.due.add(pair)
  lead.hasStops ||= hasStops
}

/** `isNewHour`: candles were closed since the last write. */
type MarketWrite = { exposures: boolean; isNewHour?: boolean }

const exposuresOf = ({ feed }: Context, market: Market) =>
  feed.pairs.flatMap((pair) =>
    market.wants(pair).map(({ strategy, cause, outlook = null }) => ({
      pair,
      strategy,
      exposureBps: cause.exposureBps,
      reason: explain(cause),
      outlook,
    })),
  )

/**
 * For each balanced pool that the last close moved out of its band, stores the actual exposure as
 * the applied one, so that the pool is traded back. Must run once an hour, with the clock, because
 * a repeated hour would judge the pool after its trade. Returns the pairs.
 */
async function noteDrifts(tx: Queries, market: Market): Promise<Pair[]> {
  const drifted = (await findPools(tx))
    .map((pool) => ({ ...pool, exposureBps: appliedAfterHour(pool, market) }))
    .filter(({ exposureBps, appliedBps }) => exposureBps !== appliedBps)
  await setApplied(tx, drifted)
  return drifted.map(({ pair }) => pair)
}

/** The exposure is unchanged if the pair has left the market. */
function appliedAfterHour(pool: StoredPool, market: Market): number {
  const { pair, strategy, base, appliedBps } = pool
  const driftBps = allowedDriftBps(strategy)
  const want = market.wants(pair).find((one) => one.strategy === strategy)
  const close = market.closeOfHour(pair)
  if (base === 0n || driftBps === undefined || !want || close === undefined) return appliedBps
  return appliedAfterClose(pool, { exposureBps: want.cause.exposureBps, driftBps, close })
}
