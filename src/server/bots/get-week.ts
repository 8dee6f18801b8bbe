import type { WeekResult } from '#contract/week.ts'
import { gainOf } from '#core/bots/gain.ts'
import { holdFlows } from '#core/bots/hold-flows.ts'
import { holdWorth } from '#core/bots/hold-worth.ts'
import { valueCurve, type FlowsOfOwner } from '#core/bots/value-curve.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents } from '#core/money/cents.ts'
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
import { findBotMoney, findCashFlows, type BotMoney, type CashFlow } from './store.ts'

const WEEK_MS = 7 * DAY_MS

/** Ends at the last prices, like the balance, and begins at the last close before. */
export const getWeek: Handler<'getWeek'> = async (context, { userId }) => {
  const week = await readWeek(context, userId)
  const { fromMs, toMs, cash, lives, money, end } = week
  const trades = tradesOfLives(lives).filter(({ change }) => isWithin(change.marketTime, week))
  const flows = cash
    .filter(({ isOutside, eventTime }) => isOutside && isWithin(eventTime, week))
    .map(({ amount }) => amount)
  const moves = money.filter(({ eventTime }) => isWithin(eventTime, week))
  const start = worthAtStart(context, week, [
    { flows: cash.map(cashFlow), feeBps: 0 },
    ...flowsOfBots({ stays: lives.stays, marks: lives.changes, money }),
  ])
  const { amount, percent } = gainOf({ start, flows, end })
  const firstMs = Math.min(cash[0]?.eventTime.getTime() ?? toMs, toMs)
  return {
    from: new Date(Math.max(fromMs, firstMs)).toISOString(),
    to: new Date(toMs).toISOString(),
    result: amount,
    percent,
    trades: countsOf(trades),
    tradingFees: sumText(trades.map(({ share }) => share.fee)),
    platformFees: sumText(moves.map(platformFee)),
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
  prices: ReadonlyMap<Pair, Units>
}

/** At one moment: a deposit or a price between two reads would look like a gain or a loss. */
function readWeek({ sql, market }: Context, userId: string): Promise<Week> {
  return atOneMoment(sql, async (tx) => {
    const toMs = ((await readMarketTime(tx)) ?? market.now()).getTime()
    const [balances, cash, lives, money, tickers] = await Promise.all([
      readBalances(tx, userId),
      findCashFlows(tx, userId),
      readLives(tx, { userId }),
      findBotMoney(tx, { userId }),
      findTickers(tx),
    ])
    const prices = new Map(tickers.map(({ pair, price }) => [pair, price]))
    return { fromMs: toMs - WEEK_MS, toMs, end: shownTotal(balances), cash, lives, money, prices }
  })
}

function isWithin(time: Date, { fromMs, toMs }: Week): boolean {
  return time.getTime() > fromMs && time.getTime() <= toMs
}

const cashFlow = ({ eventTime, amount }: CashFlow) => ({
  timeMs: eventTime.getTime(),
  cash: amount,
})

const sumText = (amounts: readonly Units[]): string =>
  unitsToDecimal(
    amounts.reduce((sum, amount) => sum + amount, 0n),
    2,
  )

function worthAtStart(
  { candles }: Context,
  { fromMs, lives }: Week,
  owners: readonly FlowsOfOwner[],
): Units {
  const [start] = valueCurve({
    owners,
    pools: pastOfPools(lives.changes),
    timesMs: [fromMs],
    seriesOf: (pair) => candles.until(pair, floorHour(fromMs)),
    rounded: floorToCents,
  })
  return start?.equity ?? 0n
}

/** Zero for money put in. */
function platformFee({ amount, received }: BotMoney): Units {
  return amount < 0n ? -amount - received : 0n
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
    ([botId, money]) => holdingOfBot(context, week, { botId, money }) ?? [],
  )
  const total = results.reduce((sum, result) => sum + result, 0n)
  return results.length === 0 ? null : unitsToDecimal(floorToCents(total), 2)
}

/** Undefined without money in this week. A bot that has joined no pool yet holds cash. */
function holdingOfBot(
  context: Context,
  week: Week,
  { botId, money }: { botId: string; money: readonly BotMoney[] },
): Units | undefined {
  const { fromMs, toMs, lives, prices } = week
  const stays = lives.stays.filter((stay) => stay.botId === botId)
  const owners = flowsOfBots({ stays, marks: lives.changes, money })
  const amount = worthAtStart(context, week, owners)
  const moves = [
    ...(amount > 0n ? [{ timeMs: fromMs, amount }] : []),
    ...movesOf(money).filter(({ timeMs }) => timeMs > fromMs),
  ]
  if (moves.length === 0) return undefined
  const pools = pastOfPools(lives.changes)
  const pairs = [...new Set(stays.flatMap(({ pool }) => pools.get(pool)?.pair ?? []))]
  if (pairs.length === 0) return 0n
  const seriesOf = (pair: Pair) => context.candles.until(pair, floorHour(toMs))
  const { held } = holdFlows({ pairs, seriesOf, costs: context.costs, moves })
  const put = moves.reduce((sum, move) => sum + move.amount, 0n)
  return holdWorth(held, (pair) => prices.get(pair) ?? 0n) - put
}
