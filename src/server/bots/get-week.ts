import { gainOf, shownGain } from '#core/bots/gain.ts'
import { gainsOfMonths, monthStarts } from '#core/bots/months.ts'
import { worthsAt } from '#core/bots/value-curve.ts'
import { bestAndWorst, countTrades, heldInstead, type WeekOfBot } from '#core/bots/week.ts'
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
} from '#server/holdings/derived-trades.ts'
import { findTickers, readMarketTime } from '#server/market/clock.ts'
import { flowsOfBots, movesOf, ownerOfCash, pastOfPools } from './bot-flows.ts'
import { totalsAt } from './get-balance-curve.ts'
import { findBotMoney, findCashFlows, findPairs, sumFeesSince } from './store.ts'

const WEEK_MS = 7 * DAY_MS

/**
 * The week ends at the last prices, like the balance. It begins at the last close before its start.
 */
export const getWeek: Handler<'getWeek'> = async (context, { userId }) => {
  const week = await readWeek(context, userId)
  const { fromMs, toMs, cash, prices, fees, end } = week
  const isWithin = (time: Date) => time.getTime() > fromMs && time.getTime() <= toMs
  const trades = tradesOfLives(week.lives).filter(({ change }) => isWithin(change.marketTime))
  const flows = cash.filter(({ isOutside, eventTime }) => isOutside && isWithin(eventTime))
  const { start, bots } = worthOf(context, week)
  const { amount, percent } = gainOf({ start, flows: flows.map((flow) => flow.amount), end })
  const held = heldInstead(bots, {
    fromMs,
    seriesOf: seriesIn(context, week),
    costs: context.costs,
    priceOf: (pair) => prices.get(pair) ?? 0n,
  })
  const { best, worst } = bestAndWorst(trades)
  const firstMs = Math.min(cash[0]?.eventTime.getTime() ?? toMs, toMs)
  return {
    from: new Date(Math.max(fromMs, firstMs)).toISOString(),
    to: new Date(toMs).toISOString(),
    result: amount,
    percent,
    trades: countTrades(trades.map(({ side, change: { pair } }) => ({ side, pair }))),
    tradingFees: paidText(trades.map(({ share }) => share.fee)),
    platformFees: paidText([fees]),
    best: best && showSale(best),
    worst: worst && showSale(worst),
    holding: held === undefined ? null : unitsToDecimal(floorToCents(held), 2),
    months: monthsOf(context, { week, firstMs }),
  }
}

function monthsOf({ candles }: Context, { week, firstMs }: { week: Week; firstMs: number }) {
  const { toMs, end, cash, owners, pools } = week
  const startsMs = monthStarts({ firstMs, toMs })
  const worths = totalsAt({ nowMs: toMs, cash, owners, pools }, { candles, timesMs: startsMs })
  const months = gainsOfMonths({
    startsMs,
    worths: worths.map(({ equity }) => equity),
    end,
    moves: cash
      .filter(({ isOutside }) => isOutside)
      .map(({ eventTime, amount }) => ({ timeMs: eventTime.getTime(), amount })),
  })
  return months.map(({ fromMs, ...gain }) => {
    const { amount, percent } = shownGain(gain)
    return { from: new Date(fromMs).toISOString(), result: amount, percent }
  })
}

type Week = Awaited<ReturnType<typeof readWeek>>

/**
 * Reads at one moment, because a deposit or a price between two reads would look like a gain or a
 * loss.
 */
function readWeek({ sql, market }: Context, userId: string) {
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
    const end = shownTotal(balances)
    const owners = flowsOfBots({ stays: lives.stays, marks: lives.changes, money })
    const pools = pastOfPools(lives.changes)
    return { fromMs, toMs, end, cash, lives, owners, pools, money, prices, fees, pairsOf }
  })
}

/** Reads up to the present, because a shorter series would be reloaded for every other reader. */
const seriesIn =
  ({ candles }: Context, { toMs }: Week) =>
  (pair: Pair) =>
    candles.until(pair, floorHour(toMs))

/** `start`: the balance when the week began. */
function worthOf(context: Context, week: Week): { start: Units; bots: WeekOfBot[] } {
  const { fromMs, cash, owners, pools, money, pairsOf } = week
  const worths = worthsAt({
    owners: [...owners, ownerOfCash(cash)],
    pools,
    timeMs: fromMs,
    seriesOf: seriesIn(context, week),
  }).map(floorToCents)
  const moneyOf = groupBy(money, ({ botId }) => botId)
  const bots = owners.map(({ botId }, place) => ({
    pairs: pairsOf.get(botId) ?? [],
    worth: worths[place] ?? 0n,
    moves: movesOf(moneyOf.get(botId) ?? []).filter(({ timeMs }) => timeMs > fromMs),
  }))
  return { start: worths.reduce((sum, worth) => sum + worth, 0n), bots }
}

const showSale = (sale: BotsTrade & { profit: Units }) => ({
  id: tradeId(sale),
  at: sale.change.marketTime.toISOString(),
  coin: baseOf(sale.change.pair),
  profit: unitsToDecimal(sale.profit, 8),
})
