import type { WeekResult } from '#contract/week.ts'
import { gainOf } from '#core/bots/gain.ts'
import { holdFlows } from '#core/bots/hold-flows.ts'
import { holdWorth } from '#core/bots/hold-worth.ts'
import { valueCurve, type FlowsOfOwner, type PoolPast } from '#core/bots/value-curve.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents, paidText } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import { readBalances, shownTotal } from '#server/holdings/balances.ts'
import {
  readLives,
  tradeId,
  tradesOfLives,
  type BotsTrade,
  type Lives,
} from '#server/holdings/derived-trades.ts'
import { findTickers, readMarketTime } from '#server/market/clock.ts'
import { flowsOfBots, movesOf, pastOfPools } from './bot-flows.ts'
import {
  findBotMoney,
  findCashFlows,
  findPairs,
  sumFeesSince,
  type BotMoney,
  type CashFlow,
} from './store.ts'

const WEEK_MS = 7 * DAY_MS

/** Ends at the last prices, like the balance, and begins at the last close before. */
export const getWeek: Handler<'getWeek'> = async (context, { userId }) => {
  const week = await readWeek(context, userId)
  const { fromMs, toMs, cash, lives, end } = week
  const trades = tradesOfLives(lives).filter(({ change }) => isWithin(change.marketTime, week))
  const flows = cash
    .filter(({ isOutside, eventTime }) => isOutside && isWithin(eventTime, week))
    .map(({ amount }) => amount)
  const start = worthAtStart(context, week, [
    { flows: cash.map(cashFlow), feeBps: 0 },
    ...week.owners,
  ])
  const { amount, percent } = gainOf({ start, flows, end })
  const firstMs = Math.min(cash[0]?.eventTime.getTime() ?? toMs, toMs)
  return {
    from: new Date(Math.max(fromMs, firstMs)).toISOString(),
    to: new Date(toMs).toISOString(),
    result: amount,
    percent,
    trades: countsOf(trades),
    tradingFees: paidText(trades.map(({ share }) => share.fee)),
    platformFees: paidText([week.fees]),
    ...extremesOf(trades),
    holding: holdingOf(context, week),
  }
}

type Week = {
  fromMs: number
  toMs: number
  /** The balance at `toMs`. */
  end: Units
  cash: readonly CashFlow[]
  lives: Lives
  money: readonly BotMoney[]
  /** In the order of the bots in `money`. */
  owners: readonly FlowsOfOwner[]
  pools: ReadonlyMap<number, PoolPast>
  prices: ReadonlyMap<Pair, Units>
  /** Ours, of the week. */
  fees: Units
  pairsOf: ReadonlyMap<string, readonly Pair[]>
}

/** At one moment: a deposit or a price between two reads would look like a gain or a loss. */
function readWeek({ sql, market }: Context, userId: string): Promise<Week> {
  return atOneMoment(sql, async (tx) => {
    const toMs = ((await readMarketTime(tx)) ?? market.now()).getTime()
    const fromMs = toMs - WEEK_MS
    const [balances, cash, lives, money, tickers, fees, pairsOf] = await Promise.all([
      readBalances(tx, userId),
      findCashFlows(tx, userId),
      readLives(tx, { userId }),
      findBotMoney(tx, { userId }),
      findTickers(tx),
      sumFeesSince(tx, { userId, since: new Date(fromMs) }),
      findPairs(tx, userId),
    ])
    const prices = new Map(tickers.map(({ pair, price }) => [pair, price]))
    return {
      fromMs,
      toMs,
      end: shownTotal(balances),
      cash,
      lives,
      money,
      owners: flowsOfBots({ stays: lives.stays, marks: lives.changes, money }),
      pools: pastOfPools(lives.changes),
      prices,
      fees,
      pairsOf,
    }
  })
}

function isWithin(time: Date, { fromMs, toMs }: Week): boolean {
  return time.getTime() > fromMs && time.getTime() <= toMs
}

const cashFlow = ({ eventTime, amount }: CashFlow) => ({
  timeMs: eventTime.getTime(),
  cash: amount,
})

function worthAtStart(
  { candles }: Context,
  { fromMs, toMs, pools }: Week,
  owners: readonly FlowsOfOwner[],
): Units {
  const [start] = valueCurve({
    owners,
    pools,
    timesMs: [fromMs],
    // The series of now: an older one would be loaded again for every other reader.
    seriesOf: (pair) => candles.until(pair, floorHour(toMs)),
    rounded: floorToCents,
  })
  return start?.equity ?? 0n
}

function countsOf(trades: readonly BotsTrade[]): WeekResult['trades'] {
  const groups = groupBy(trades, ({ side, change }) => `${side} ${change.pair}`)
  return [...groups.values()].flatMap((group) =>
    group[0]
      ? [{ side: group[0].side, coin: baseOf(group[0].change.pair), count: group.length }]
      : [],
  )
}

function extremesOf(trades: readonly BotsTrade[]): Pick<WeekResult, 'best' | 'worst'> {
  const sales = trades
    .flatMap(({ profit, ...trade }) => (profit === null ? [] : [{ ...trade, profit }]))
    .toSorted((a, b) => (a.profit < b.profit ? 1 : -1))
    .map((sale) => ({
      id: tradeId(sale),
      at: sale.change.marketTime.toISOString(),
      coin: baseOf(sale.change.pair),
      profit: unitsToDecimal(sale.profit, 8),
    }))
  return { best: sales[0] ?? null, worst: sales.slice(1).at(-1) ?? null }
}

function holdingOf(context: Context, week: Week): string | null {
  const results = [...groupBy(week.money, ({ botId }) => botId)].flatMap(
    ([botId, money], which) =>
      holdingOfBot(context, week, {
        money,
        owner: week.owners[which],
        pairs: week.pairsOf.get(botId) ?? [],
      }) ?? [],
  )
  const total = results.reduce((sum, result) => sum + result, 0n)
  return results.length === 0 ? null : unitsToDecimal(floorToCents(total), 2)
}

type Held = { money: readonly BotMoney[]; owner: FlowsOfOwner | undefined; pairs: readonly Pair[] }

/** Undefined without money in this week. */
function holdingOfBot(
  context: Context,
  week: Week,
  { money, owner, pairs }: Held,
): Units | undefined {
  const { fromMs, toMs, prices } = week
  const amount = owner ? worthAtStart(context, week, [owner]) : 0n
  const moves = [
    ...(amount > 0n ? [{ timeMs: fromMs, amount }] : []),
    ...movesOf(money).filter(({ timeMs }) => timeMs > fromMs),
  ]
  if (moves.length === 0) return undefined
  const seriesOf = (pair: Pair) => context.candles.until(pair, floorHour(toMs))
  const { held } = holdFlows({ pairs, seriesOf, costs: context.costs, moves })
  const put = moves.reduce((sum, move) => sum + move.amount, 0n)
  return holdWorth(held, (pair) => prices.get(pair) ?? 0n) - put
}
