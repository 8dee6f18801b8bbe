import type { Portfolio } from '#contract/market.ts'
import { timeGrid, valueCurve, type Flow } from '#core/bots/value-curve.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOf } from '#core/money/percent.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import type { Handler } from '#server/http/handler.ts'
import { readBalances } from '#server/ledger/read.ts'
import { showBalances } from '#server/ledger/show-balances.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { flowOf } from './get-bot-performance.ts'
import { showCurve } from './show-backtest.ts'
import { showBot } from './show-bot.ts'
import { findBots, findExternalFlows, findFlows } from './store.ts'

const POINTS = 160
const DAY_MS = 24 * HOUR_MS
const RANGE_MS = { '1D': DAY_MS, '1W': 7 * DAY_MS, '1M': 30 * DAY_MS, '1Y': 365 * DAY_MS } as const

/** Everything the user owns, now and over market time, from ledger entries and trades as they were at one moment. */
export const getPortfolio: Handler<'getPortfolio'> = async ({ sql, market, candles }, { userId, query: { range } }) => {
  const { marketTime, external, trades, balances, bots } = await readPortfolio(sql, userId)
  const total = balances.cash + balances.hold + balances.invested
  const nowMs = (marketTime ?? market.now()).getTime()
  const outside = external.map(({ eventTime, amount }): Flow => ({ timeMs: eventTime.getTime(), cash: amount }))
  const flows = [...outside, ...trades.map(flowOf)].toSorted((a, b) => a.timeMs - b.timeMs)
  const closedMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const value = (timesMs: number[]) => valueCurve({ flows, timesMs, seriesOf: (pair) => candles.until(pair, closedMs) })
  const firstMs = Math.min(flows[0]?.timeMs ?? nowMs, nowMs)
  const fromMs = range === 'All' ? firstMs : Math.max(firstMs, nowMs - RANGE_MS[range])
  const curve = [...value(timeGrid({ fromMs, toMs: nowMs, points: POINTS })).slice(0, -1), { timeMs: nowMs, equity: total }]
  return {
    range,
    ...showBalances(balances),
    bots: bots.map(showBot),
    curve: showCurve(curve),
    dailyChange: dailyChange({ before: value([nowMs - DAY_MS]), flows: outside, nowMs, total }),
  }
}

/** Read apart, a deposit or a price that comes in between would make a gain or a loss that never was. */
function readPortfolio(sql: Sql, userId: string) {
  return atOneMoment(sql, async (tx) => {
    const [marketTime, external, trades, balances, bots] = await Promise.all([
      readMarketTime(tx),
      findExternalFlows(tx, userId),
      findFlows(tx, { userId }),
      readBalances(tx, userId),
      findBots(tx, userId),
    ])
    return { marketTime, external, trades, balances, bots }
  })
}

type Day = { before: readonly EquityPoint[]; flows: readonly Flow[]; nowMs: number; total: Units }

/** What trading made or lost in 24 market hours: deposits and withdrawals are not a change. */
function dailyChange({ before, flows, nowMs, total }: Day): Portfolio['dailyChange'] {
  const start = before[0]?.equity ?? 0n
  const moved = flows.filter(({ timeMs }) => timeMs > nowMs - DAY_MS)
  const added = moved.reduce((sum, { cash }) => sum + cash, 0n)
  const deposited = moved.reduce((sum, { cash }) => (cash > 0n ? sum + cash : sum), 0n)
  const amount = total - start - added
  return { amount: unitsToDecimal(amount, 2), percent: percentOf({ part: amount, whole: start + deposited }) }
}
