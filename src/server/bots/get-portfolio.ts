import type { MoneyMark, Portfolio } from '#contract/market.ts'
import { RANGE_DAYS, WHOLE_RANGE } from '#contract/query-values.ts'
import { groupsOfEvents, stepCurve, stepTimes } from '#core/bots/event-groups.ts'
import { gainOf } from '#core/bots/gain.ts'
import { timeGrid, valueCurve, type Flow } from '#core/bots/value-curve.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { floorToCents } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentenceText } from '#words/sentence-text.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { readBalances, type Balances, showBalances, shownTotal } from '#server/holdings/balances.ts'
import { findHeldSleeves, showHoldings } from '#server/holdings/held.ts'
import { findMarks, findStays, findChangesUntil } from '#server/holdings/stays.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { flowsOfBots, pastOfPools } from './bot-flows.ts'
import { showCurve } from './show-backtest.ts'
import { showBot } from './show-bot.ts'
import {
  findBotMoney,
  findBots,
  findCashFlows,
  type CashFlow,
  type MoneyRow,
  type StoredBot,
} from './store.ts'
import type { Queries } from '#server/db/statement.ts'

const POINTS = 160

/** Everything the user owns, now and over market time, read at one moment. */
export const getPortfolio: Handler<'getPortfolio'> = async (
  { sql, market, candles },
  { userId, query: { range } },
) => {
  const backMs = RANGE_DAYS[range] * DAY_MS
  const reading = { userId, backMs, clockMs: market.now().getTime() }
  const { nowMs, moves, owners, pools, balances, ...held } = await readPortfolio(sql, reading)
  const total = shownTotal(balances)
  const cash = moves.map(cashFlow)
  const value = (timesMs: number[]) =>
    valueCurve({
      owners: [{ flows: cash, feeBps: 0 }, ...owners],
      pools,
      timesMs,
      seriesOf: (pair) => candles.until(pair, floorHour(nowMs)),
      rounded: floorToCents,
    })
  const firstMs = Math.min(cash[0]?.timeMs ?? nowMs, nowMs)
  const fromMs = range === WHOLE_RANGE ? firstMs : Math.max(firstMs, nowMs - backMs)
  const span = { fromMs, toMs: nowMs }
  const outside = moves.filter(({ isOutside }) => isOutside).map(outsideFlow)
  const timesMs = pointsOf(outside, span)
  const curve = [...value(timesMs).slice(0, -1), { timeMs: nowMs, equity: total }]
  const start = fromMs === firstMs ? depositsUntil(outside, firstMs) : (curve[0]?.equity ?? 0n)
  const since = outside.filter(({ timeMs }) => timeMs > fromMs)
  return {
    range,
    ...showBalances(balances),
    bots: held.bots.map(showBot),
    ...showHoldings(held.bots, held.sleeves),
    firstStep: held.firstStep,
    curve: showCurve(curve),
    ...showDay(value, { nowMs, outside, total }),
    withoutTrading: showCurve(stepCurve(since, { start, timesMs })),
    moneyMarks: showMarks(outside, span),
    since: new Date(firstMs).toISOString(),
    change: gainOf({ start, flows: since.map(amountOf), end: total }),
  }
}

/** The account began with its deposits, even if its bots traded at the same moment. */
const depositsUntil = (flows: readonly OutsideFlow[], untilMs: number): Units =>
  sumOf(flows.filter(({ timeMs }) => timeMs <= untilMs))

type Span = { fromMs: number; toMs: number }

function pointsOf(flows: readonly OutsideFlow[], span: Span): number[] {
  const grid = timeGrid({ ...span, points: POINTS })
  return [...new Set([...grid, ...stepTimes(flows, span)])].toSorted((a, b) => a - b)
}

function showMarks(flows: readonly OutsideFlow[], span: Span): MoneyMark[] {
  const within = flows.filter(({ timeMs }) => timeMs >= span.fromMs)
  return groupsOfEvents(within, span).map(showMark)
}

type Present = { nowMs: number; outside: readonly OutsideFlow[]; total: Units }

function showDay(
  value: (timesMs: number[]) => EquityPoint[],
  { nowMs, outside, total }: Present,
): Pick<Portfolio, 'day' | 'dailyChange'> {
  const fromMs = nowMs - DAY_MS
  const day = value([fromMs, ...hoursAfter(fromMs, nowMs)])
  const flows = outside.filter(({ timeMs }) => timeMs > fromMs).map(amountOf)
  return {
    day: showCurve(day),
    dailyChange: gainOf({ start: day[0]?.equity ?? 0n, flows, end: total }),
  }
}

function hoursAfter(fromMs: number, toMs: number): number[] {
  const firstMs = floorHour(fromMs) + HOUR_MS
  return Array.from(
    { length: Math.max(0, Math.floor((toMs - firstMs) / HOUR_MS) + 1) },
    (_, hour) => firstMs + hour * HOUR_MS,
  )
}

/** `backMs`: the length of the curve; `clockMs`: the time if the market has no clock yet. */
type Reading = { userId: string; backMs: number; clockMs: number }

/** At one moment: a deposit or a price between two reads would look like a gain or a loss. */
function readPortfolio(sql: Sql, { userId, backMs, clockMs }: Reading) {
  return atOneMoment(sql, async (tx) => {
    const nowMs = (await readMarketTime(tx))?.getTime() ?? clockMs
    const [moves, marks, stays, money, balances, bots, sleeves] = await Promise.all([
      findCashFlows(tx, userId),
      findMarks(tx, { userId }, new Date(Math.max(0, nowMs - backMs))),
      findStays(tx, { userId }),
      findBotMoney(tx, { userId }),
      readBalances(tx, userId),
      findBots(tx, userId),
      findHeldSleeves(tx, { userId }),
    ])
    const firstStep = await readFirstStep(tx, { userId, balances, bots })
    return {
      nowMs,
      moves,
      firstStep,
      owners: flowsOfBots({ stays, marks, money }),
      pools: pastOfPools(marks),
      balances,
      bots,
      sleeves,
    }
  })
}

/** Counts as invested, because cash is never profit. */
function cashFlow({ eventTime, amount }: CashFlow): Flow {
  return { timeMs: eventTime.getTime(), cash: amount, invested: amount }
}

const amountOf = ({ amount }: OutsideFlow): Units => amount

type OutsideFlow = { timeMs: number; amount: Units; row: MoneyRow | null }

function outsideFlow({ eventTime, amount, row }: CashFlow): OutsideFlow {
  return { timeMs: eventTime.getTime(), amount, row }
}

function showMark(flows: readonly OutsideFlow[]): MoneyMark {
  const latest = flows.at(-1)?.row
  return {
    at: new Date(flows[0]?.timeMs ?? 0).toISOString(),
    count: flows.length,
    amount: unitsToDecimal(sumOf(flows), 2),
    latest: latest
      ? {
          ...latest,
          description: sentenceText(latest.description),
          createdAt: latest.createdAt.toISOString(),
        }
      : null,
  }
}

function sumOf(flows: readonly OutsideFlow[]): Units {
  return flows.reduce((sum, { amount }) => sum + amount, 0n)
}

type Standing = { userId: string; balances: Balances; bots: readonly StoredBot[] }

/** The next step of a user without a trade; null for all others. */
async function readFirstStep(
  sql: Queries,
  { userId, balances, bots }: Standing,
): Promise<Portfolio['firstStep']> {
  if (bots.some(({ holdsCoins }) => holdsCoins)) return null
  const trades = await findChangesUntil(sql, { userId }, { until: undefined, limit: 1 })
  if (trades.length > 0) return null
  if (bots.length > 0) return 'watch'
  return balances.cash > 0n ? 'bot' : 'deposit'
}
