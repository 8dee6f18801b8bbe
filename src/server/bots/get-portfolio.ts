import type { Portfolio } from '#contract/market.ts'
import { timeGrid, valueCurve, type Flow } from '#core/bots/value-curve.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { showBalances } from '#server/holdings/show-balances.ts'
import { findMarks, findStays } from '#server/holdings/stays.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { flowsOfBots, pastOfPools } from './bot-flows.ts'
import { showCurve } from './show-backtest.ts'
import { showBot } from './show-bot.ts'
import { findBotMoney, findBots, findCashFlows, type CashFlow } from './store.ts'

const POINTS = 160
const RANGE_MS = { '1D': DAY_MS, '1W': 7 * DAY_MS, '1M': 30 * DAY_MS, '1Y': 365 * DAY_MS } as const

/** Everything the user owns, now and over market time: ledger entries of the cash, and the bots' holdings, read at one moment. */
export const getPortfolio: Handler<'getPortfolio'> = async ({ sql, market, candles }, { userId, query: { range } }) => {
  const backMs = range === 'All' ? Number.POSITIVE_INFINITY : RANGE_MS[range]
  const { nowMs, moves, owners, pools, balances, bots } = await readPortfolio(sql, { userId, backMs, clockMs: market.now().getTime() })
  const total = balances.cash + balances.hold + balances.invested
  const closedMs = floorHour(nowMs)
  const cash = moves.map(cashFlow)
  const value = (timesMs: number[]) =>
    valueCurve({ owners: [cash, ...owners], pools, timesMs, seriesOf: (pair) => candles.until(pair, closedMs), feeBps: PERFORMANCE_FEE_BPS })
  const firstMs = Math.min(cash[0]?.timeMs ?? nowMs, nowMs)
  const fromMs = range === 'All' ? firstMs : Math.max(firstMs, nowMs - RANGE_MS[range])
  const curve = [...value(timeGrid({ fromMs, toMs: nowMs, points: POINTS })).slice(0, -1), { timeMs: nowMs, equity: total }]
  const outside = moves.filter(({ isOutside }) => isOutside).map(cashFlow)
  return {
    range,
    ...showBalances(balances),
    bots: bots.map(showBot),
    curve: showCurve(curve),
    dailyChange: dailyChange({ before: value([nowMs - DAY_MS]), flows: outside, nowMs, total }),
  }
}

/** `backMs`: the length of the curve; `clockMs`: the time to use if the database has no market clock yet. */
type Reading = { userId: string; backMs: number; clockMs: number }

/** Reads everything at one moment: a deposit or a price between two reads would look like a gain or a loss. */
function readPortfolio(sql: Sql, { userId, backMs, clockMs }: Reading) {
  return atOneMoment(sql, async (tx) => {
    const nowMs = (await readMarketTime(tx))?.getTime() ?? clockMs
    const [moves, marks, stays, money, balances, bots] = await Promise.all([
      findCashFlows(tx, userId),
      findMarks(tx, { userId }, new Date(Math.max(0, nowMs - backMs))),
      findStays(tx, { userId }),
      findBotMoney(tx, { userId }),
      readBalances(tx, userId),
      findBots(tx, userId),
    ])
    return { nowMs, moves, owners: flowsOfBots({ stays, marks, money }), pools: pastOfPools(marks), balances, bots }
  })
}

/** Counts as invested, because cash is never profit. */
function cashFlow({ eventTime, amount }: CashFlow): Flow {
  return { timeMs: eventTime.getTime(), cash: amount, invested: amount }
}

type Day = { before: readonly EquityPoint[]; flows: readonly Flow[]; nowMs: number; total: Units }

/** The gain or loss by trading in 24 market hours, without deposits and withdrawals. */
function dailyChange({ before, flows, nowMs, total }: Day): Portfolio['dailyChange'] {
  const start = before[0]?.equity ?? 0n
  const moved = flows.filter(({ timeMs }) => timeMs > nowMs - DAY_MS)
  const added = moved.reduce((sum, { cash }) => sum + cash, 0n)
  const deposited = moved.reduce((sum, { cash }) => (cash > 0n ? sum + cash : sum), 0n)
  const amount = total - start - added
  return { amount: unitsToDecimal(amount, 2), percent: percentOf({ part: amount, whole: start + deposited }) }
}
