import type { BotPerformance, Holding, TradeMark } from '#contract/bots.ts'
import { required } from '#core/assert.ts'
import { cashCurve } from '#core/bots/cash-curve.ts'
import { groupsOfEvents, stepCurve, stepTimes } from '#core/bots/event-groups.ts'
import { figuresOfHolding } from '#core/bots/bot-worth.ts'
import { growthOf } from '#core/bots/growth.ts'
import { holdFlows } from '#core/bots/hold-flows.ts'
import { holdWorth } from '#core/bots/hold-worth.ts'
import { gainsOfMonths, monthStarts } from '#core/bots/months.ts'
import { CURVE_POINTS } from '#core/bots/growing-curve.ts'
import { timeGrid, valueCurve } from '#core/bots/value-curve.ts'
import { guardReason } from '#core/guards/guard-reason.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { ceilToCents, floorToCents, paidText } from '#core/money/cents.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { percentOfFraction } from '#core/money/percent.ts'
import { EMPTY_POOL } from '#core/pool/pool.ts'
import { Refusal } from '#core/refusal.ts'
import { maxDrawdown, sharpe, type EquityPoint } from '#core/strategy/metrics.ts'
import { amountOf } from '#core/trading/allocation.ts'
import type { CashYield } from '#core/trading/cash-yield.ts'
import { splitInvestment } from '#core/trading/position.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { msg, say, t } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import {
  interestOfLives,
  readLives,
  tradesOfLives,
  type BotsTrade,
  type Lives,
} from '#server/holdings/derived-trades.ts'
import { findHeldSleeves, showHoldings } from '#server/holdings/held.ts'
import { nextDayOf } from '#server/market/next-day.ts'
import { findYieldsOfBot } from '#server/holdings/yields.ts'
import { aroundMoves, flowsOfBots, movesOf, pastOfPools } from './bot-flows.ts'
import { showRatio, showCurve } from './show-backtest.ts'
import { closingNow, nextStep, showBot } from './show-bot.ts'
import {
  findBot,
  findBotMoney,
  findHoldings,
  sumPlatformFees,
  type BotMoney,
  type StoredBot,
  type StoredHolding,
} from './store.ts'

/**
 * Computes the bot's curve from its holdings, and that of holding the same coins. All is read at
 * one moment, so that worth and holdings have the same prices.
 */
export const getBotPerformance: Handler<'getBotPerformance'> = async (
  context,
  { userId, params: { id } },
) => {
  const [bot, holdings, sleeves, lives, money, platformFees, yields] = await atOneMoment(
    context.sql,
    (tx) =>
      Promise.all([
        findBot(tx, { userId, id }),
        findHoldings(tx, { userId, id }),
        findHeldSleeves(tx, { userId, botId: id }),
        readLives(tx, { userId, botId: id }),
        findBotMoney(tx, { userId, botId: id }),
        sumPlatformFees(tx, { userId, id }),
        findYieldsOfBot(tx, { userId, id }),
      ]),
  )
  if (!bot) throw new Refusal('not-found')
  const trades = tradesOfLives(lives)
  const { botHoldings, pools } = showHoldings([bot], sleeves)
  const prices = new Map(holdings.map(({ pair, price }) => [pair, price ?? 0n]))
  const shown = [...groupBy(holdings, ({ pair }) => pair).values()].map((ofPair) =>
    showHolding(ofPair, bot),
  )
  return {
    bot: showBot(bot),
    botHoldings: required(botHoldings[id], 'the holdings of the bot'),
    pools,
    holdings: shown,
    nextDay: nextDayOf(context.candles, {
      strategy: bot.strategy,
      shares: sharesOf(shown),
      at: context.market.now(),
    }),
    ...curvesOf(context, { bot, lives, money, trades, yields, prices }),
    venueFees: paidText(trades.map(({ share }) => share.fee)),
    platformFees: unitsToDecimal(platformFees, 2),
    interest: unitsToDecimal(interestOfLives(lives), 2),
    tradeCount: trades.length,
  }
}

type Past = {
  bot: StoredBot
  lives: Lives
  money: readonly BotMoney[]
  trades: readonly BotsTrade[]
  yields: readonly CashYield[]
  prices: ReadonlyMap<Pair, Units>
}
type Curves = Pick<
  BotPerformance,
  | 'equityCurve'
  | 'buyAndHoldCurve'
  | 'heldInstead'
  | 'investedCurve'
  | 'cashCurve'
  | 'tradeMarks'
  | 'maxDrawdown'
  | 'sharpe'
  | 'months'
>

/**
 * `shown`: times of the curves' points. `closedMs`: end of the last candle with which they are
 * valued.
 */
type Times = {
  fromMs: number
  toMs: number
  closedMs: number
  shown: number[]
  days: number[]
  monthStarts: number[]
  /** Times of curves and ratios. */
  measured: number[]
}

function timesOf({ market }: Context, bot: StoredBot, moves: ReturnType<typeof movesOf>): Times {
  const fromMs = bot.marketStart.getTime()
  const toMs = Math.max(fromMs, market.now().getTime(), moves.at(-1)?.timeMs ?? fromMs)
  const span = { fromMs, toMs }
  const shown = inOrder(timeGrid({ ...span, points: CURVE_POINTS }), stepTimes(moves, span))
  const days = Array.from(
    { length: Math.floor((toMs - fromMs) / DAY_MS) + 1 },
    (_, day) => fromMs + day * DAY_MS,
  )
  const rightBeforeAndAt = aroundMoves(moves).filter((timeMs) => timeMs > fromMs)
  return {
    ...span,
    closedMs: floorHour(toMs),
    shown,
    days,
    monthStarts: monthStarts({ firstMs: moves[0]?.timeMs ?? fromMs, toMs }),
    measured: inOrder(shown, days, rightBeforeAndAt),
  }
}

const inOrder = (...times: readonly (readonly number[])[]): number[] =>
  [...new Set(times.flat())].toSorted((a, b) => a - b)

/** Both curves include money put in and taken out; the ratios exclude it. */
function curvesOf(context: Context, past: Past): Curves {
  const { bot, money, trades, yields } = past
  const moves = movesOf(money)
  const times = timesOf(context, bot, moves)
  const { shown, days } = times
  const points = equityOf(context, past, times)
  const growth = growthOf(pointsAt(times.measured, points), moves)
  return {
    equityCurve: showCurve(pointsAt(shown, points)),
    ...heldInstead(context, past, times),
    investedCurve: showCurve(
      stepCurve(money.map(investedFlow), { start: 0n, timesMs: shown }).map(ceilPoint),
    ),
    cashCurve: yields.length === 0 ? [] : showCurve(cashCurve({ moves, yields, timesMs: shown })),
    tradeMarks: groupsOfEvents(
      trades.map(timedTrade).toSorted((a, b) => a.timeMs - b.timeMs),
      times,
    ).map(showTradeMark),
    maxDrawdown: percentOfFraction(maxDrawdown(growth)),
    sharpe: showRatio(sharpe(pointsAt(days, growth).map(({ equity }) => Number(equity)))),
    months: monthsOf(points, { times, moves }),
  }
}

/** Each month ends as it is shown: the present one with the bot's worth in whole cents. */
function monthsOf(
  points: readonly EquityPoint[],
  { times, moves }: { times: Times; moves: ReturnType<typeof movesOf> },
): BotPerformance['months'] {
  const months = gainsOfMonths({
    startsMs: times.monthStarts,
    worths: pointsAt(times.monthStarts, points).map(({ equity }) => equity),
    end: floorToCents(points.at(-1)?.equity ?? 0n),
    moves,
  })
  return months.map(({ fromMs, gain, putIn }) => ({
    from: new Date(fromMs).toISOString(),
    result: unitsToDecimal(gain, 8),
    putIn: unitsToDecimal(putIn, 8),
  }))
}

/** The bot's worth at all times that curves, ratios and months need. */
function equityOf(
  { candles }: Context,
  { bot, lives: { stays, changes }, money }: Past,
  times: Times,
): EquityPoint[] {
  const { toMs, closedMs, measured } = times
  const earlier = valueCurve({
    owners: flowsOfBots({ stays, marks: changes, money }),
    pools: pastOfPools(changes),
    timesMs: inOrder(measured, times.monthStarts).slice(0, -1),
    seriesOf: (pair) => candles.until(pair, closedMs),
  })
  return [...earlier, { timeMs: toMs, equity: closingNow(bot).equity }]
}

/** Curve of the same money in the same coins, bought to hold. */
function heldInstead(
  { candles, costs }: Context,
  { bot, money, prices }: Past,
  { toMs, closedMs, shown }: Times,
): Pick<Curves, 'buyAndHoldCurve' | 'heldInstead'> {
  const seriesOf = (pair: Pair) => candles.until(pair, closedMs)
  const moves = movesOf(money)
  const { flows, pools, held } = holdFlows({ pairs: bot.tradingPairs, seriesOf, costs, moves })
  const owners = [{ flows, feeBps: 0 }]
  const earlier = valueCurve({ owners, pools, seriesOf, timesMs: shown.slice(0, -1) })
  const equity = holdWorth(held, (pair) => prices.get(pair) ?? 0n)
  return {
    buyAndHoldCurve: showCurve([...earlier, { timeMs: toMs, equity }]),
    heldInstead: {
      cash: unitsToDecimal(held.cash, 8),
      coins: Object.fromEntries(
        [...held.coins].map(([pair, quantity]) => [pair, unitsToDecimal(quantity, 8)]),
      ),
    },
  }
}

function ceilPoint({ timeMs, equity }: EquityPoint): EquityPoint {
  return { timeMs, equity: ceilToCents(equity) }
}

function investedFlow({ eventTime, invested }: BotMoney): { timeMs: number; amount: Units } {
  return { timeMs: eventTime.getTime(), amount: invested }
}

type TimedTrade = { timeMs: number; trade: BotsTrade }

function timedTrade(trade: BotsTrade): TimedTrade {
  return { timeMs: trade.change.marketTime.getTime(), trade }
}

function showTradeMark(trades: readonly TimedTrade[]): TradeMark {
  const {
    timeMs,
    trade: { side, share, change },
  } = required(trades.at(-1), 'a group has a trade')
  const bought = trades.filter(({ trade }) => trade.side === 'buy').length
  return {
    at: new Date(trades[0]?.timeMs ?? timeMs).toISOString(),
    bought,
    sold: trades.length - bought,
    latest: {
      side,
      tradingPair: change.pair,
      amount: unitsToDecimal(amountOf({ share, side }), 2),
      at: change.marketTime.toISOString(),
    },
  }
}

function pointsAt(timesMs: readonly number[], points: readonly EquityPoint[]): EquityPoint[] {
  const wanted = new Set(timesMs)
  return points.filter(({ timeMs }) => wanted.has(timeMs))
}

function sharesOf(holdings: readonly Holding[]): (readonly [Pair, number])[] {
  const units = holdings.map(({ pair, value, cash }) => {
    const coins = decimalToUnits(value)
    return { pair, coins: Number(coins), whole: Number(coins + decimalToUnits(cash)) }
  })
  const worth = units.reduce((sum, { whole }) => sum + whole, 0)
  return units.map(({ pair, coins }) => [pair, worth > 0 ? coins / worth : 0] as const)
}

/** The sleeve's part of money that its bot has not placed yet. */
function pendingOf(
  { pending, tradingPairs }: StoredBot,
  { place, isWanted }: StoredHolding,
): Units {
  return isWanted && place !== null
    ? (splitInvestment({ invested: pending, count: tradingPairs.length })[place - 1] ?? 0n)
    : 0n
}

const LEAVING = msg('Being sold: you changed the settings of this bot.')

/**
 * A pair's holding. While a bot changes its risk level the pair has two sleeves, the wanted one
 * first.
 */
function showHolding(sleeves: readonly StoredHolding[], bot: StoredBot): Holding {
  const wanted = required(sleeves[0], 'a group has a sleeve')
  const { pair, isWanted, exposureBps, reason } = wanted
  const cash = sleeves.reduce((sum, sleeve) => sum + sleeve.cash + pendingOf(bot, sleeve), 0n)
  const pools = new Map(
    sleeves.map(({ pool, price }, place) => [
      place,
      { ...EMPTY_POOL, ...pool, price: price ?? 0n },
    ]),
  )
  return {
    pair,
    ...figuresOfHolding(
      { cash, sleeves: sleeves.map(({ base, units }, pool) => ({ pool, base, units })) },
      pools,
    ),
    ownCash: unitsToDecimal(cash, 8),
    wantedPercent: percentOfFraction(
      isWanted && bot.stop === null ? (exposureBps ?? 0) / 10_000 : 0,
    ),
    reason: reasonOf({ isWanted, reason }, bot),
    next: isWanted && bot.status === 'active' ? nextStep(wanted, bot.strategy) : null,
  }
}

function reasonOf(
  { isWanted, reason }: Pick<StoredHolding, 'isWanted' | 'reason'>,
  { stop }: StoredBot,
): string {
  if (stop !== null) return sentenceText(guardReason(stop))
  if (!isWanted) return say(LEAVING)
  return reason === null ? t('Waiting for the market.') : sentenceText(reason)
}
