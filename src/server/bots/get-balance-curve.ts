import type { BalanceCurve, MoneyMark, TradeGroup } from '#contract/market.ts'
import { RANGE_DAYS, WHOLE_RANGE } from '#contract/query-values.ts'
import { groupsOfEvents, stepCurve, stepTimes } from '#core/bots/event-groups.ts'
import { gainOf } from '#core/bots/gain.ts'
import { CURVE_POINTS } from '#core/bots/growing-curve.ts'
import { timeGrid, valueCurve } from '#core/bots/value-curve.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { baseOf } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { floorToCents, paidText } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentenceText } from '#words/sentence-text.ts'
import type { Handler } from '#server/action.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { readTradesAfter, type HistoryTrade } from '#server/holdings/derived-trades.ts'
import { findMarks, findStays } from '#server/holdings/stays.ts'
import { readMarketTime } from '#server/market/clock.ts'
import type { Candles } from '#server/ports/market-view.ts'
import { flowsOfBots, ownerOfCash, pastOfPools } from './bot-flows.ts'
import { showCurve } from './show-backtest.ts'
import { findBotMoney, findCashFlows, type CashFlow, type MoneyRow } from './store.ts'

/**
 * The total balance over market time, up to the last closes. The app continues it with the balance
 * that it shows.
 */
export const getBalanceCurve: Handler<'getBalanceCurve'> = async (
  { sql, market, candles },
  { userId, query: { range } },
) => {
  const backMs = RANGE_DAYS[range] * DAY_MS
  const clockMs = market.now().getTime()
  // Read at one moment, because a deposit or a price between two reads would look like a gain or a
  // loss.
  const { past, trades, areAll, ended } = await atOneMoment(sql, (tx) =>
    readPastAndTrades(tx, { userId, backMs, clockMs }),
  )
  const { nowMs, cash } = past
  const outside = outsideUntil(nowMs, cash)
  const value = (timesMs: number[]) => totalsAt(past, { candles, timesMs })
  const firstMs = Math.min(cash[0]?.eventTime.getTime() ?? nowMs, nowMs)
  const fromMs = range === WHOLE_RANGE ? firstMs : Math.max(firstMs, nowMs - backMs)
  const span = { fromMs, toMs: nowMs }
  const timesMs = pointsOf(outside, span)
  const curve = value(timesMs)
  const start = fromMs === firstMs ? depositsUntil(outside, firstMs) : (curve[0]?.equity ?? 0n)
  const since = outside.filter(({ timeMs }) => timeMs > fromMs)
  const firstTrade = areAll ? trades.at(-1) : undefined
  return {
    range,
    netDeposits: unitsToDecimal(sumOf(outside), 2),
    curve: showCurve(curve),
    day: showCurve(value(hoursOfDay(nowMs))),
    dayTrades: showTradeGroups(trades),
    firstTradeAt: firstTrade?.change.marketTime.toISOString() ?? null,
    firstPeriod: ended && !firstTrade ? showEnded(ended, { outside, value }) : null,
    withoutTrading: showCurve(stepCurve(since, { start, timesMs })),
    moneyMarks: showMarks(outside, span),
    since: new Date(firstMs).toISOString(),
  }
}

/** `backMs`: the length of the curve; `clockMs`: the time if the market has no clock yet. */
type Reading = { userId: string; backMs: number; clockMs: number }
type Past = Awaited<ReturnType<typeof readPast>>

export async function readPast(tx: Queries, { userId, backMs, clockMs }: Reading) {
  const nowMs = (await readMarketTime(tx))?.getTime() ?? clockMs
  const [cash, marks, stays, money] = await Promise.all([
    findCashFlows(tx, userId),
    findMarks(tx, { userId }, new Date(Math.max(0, nowMs - backMs))),
    findStays(tx, { userId }),
    findBotMoney(tx, { userId }),
  ])
  return { nowMs, cash, owners: flowsOfBots({ stays, marks, money }), pools: pastOfPools(marks) }
}

async function readPastAndTrades(tx: Queries, reading: Reading) {
  const { userId } = reading
  const past = await readPast(tx, reading)
  const since = new Date(past.nowMs - DAY_MS)
  const dayTrades = await readTradesAfter(tx, { owner: { userId }, since })
  return { past, ...dayTrades, ended: await readEnded(tx, { userId, past }) }
}

/** The total balance at these times, ascending. */
export function totalsAt(
  { nowMs, cash, owners, pools }: Past,
  { candles, timesMs }: { candles: Candles; timesMs: readonly number[] },
): EquityPoint[] {
  return valueCurve({
    owners: [ownerOfCash(cash), ...owners],
    pools,
    timesMs,
    seriesOf: (pair) => candles.until(pair, floorHour(nowMs)),
    rounded: floorToCents,
  })
}

type OutsideFlow = { timeMs: number; amount: Units; row: MoneyRow | null }

function outsideUntil(untilMs: number, cash: readonly CashFlow[]): OutsideFlow[] {
  return cash
    .filter(({ isOutside }) => isOutside)
    .map(({ eventTime, amount, row }) => ({ timeMs: eventTime.getTime(), amount, row }))
    .filter(({ timeMs }) => timeMs <= untilMs)
}

/**
 * Sum of the deposits until `untilMs`. The account begins with them, even if bots traded at the
 * same moment.
 */
const depositsUntil = (flows: readonly OutsideFlow[], untilMs: number): Units =>
  sumOf(flows.filter(({ timeMs }) => timeMs <= untilMs))

const sumOf = (flows: readonly OutsideFlow[]): Units =>
  flows.reduce((sum, { amount }) => sum + amount, 0n)

type Span = { fromMs: number; toMs: number }

function pointsOf(flows: readonly OutsideFlow[], span: Span): number[] {
  const grid = timeGrid({ ...span, points: CURVE_POINTS })
  return [...new Set([...grid, ...stepTimes(flows, span)])].toSorted((a, b) => a - b)
}

/** The time a day ago, and each whole hour since. */
function hoursOfDay(nowMs: number): number[] {
  const fromMs = nowMs - DAY_MS
  const firstMs = floorHour(fromMs) + HOUR_MS
  return [fromMs, ...Array.from({ length: 24 }, (_, hour) => firstMs + hour * HOUR_MS)]
}

/** Periods whose results are reported on the day after their end. */
const FIRST_PERIODS_DAYS = [7, 30]

type Ended = { days: number; atMs: number; trades: HistoryTrade[] }

/**
 * The user's first week or first 30 days with their trades, if that period ended within the last
 * day. It is counted like the months of `getWeek`.
 */
async function readEnded(
  tx: Queries,
  { userId, past: { nowMs, cash } }: { userId: string; past: Past },
): Promise<Ended | undefined> {
  const firstMs = cash[0]?.eventTime.getTime() ?? nowMs
  const days = FIRST_PERIODS_DAYS.find((period) => {
    const agoMs = nowMs - firstMs - period * DAY_MS
    return agoMs >= 0 && agoMs < DAY_MS
  })
  if (days === undefined) return undefined
  const since = new Date(firstMs - 1)
  const { trades } = await readTradesAfter(tx, { owner: { userId }, since })
  const atMs = firstMs + days * DAY_MS - 1
  const within = trades.filter(({ change }) => change.marketTime.getTime() <= atMs)
  return within.length === 0 ? undefined : { days, atMs, trades: within }
}

function showEnded(
  { days, atMs, trades }: Ended,
  {
    outside,
    value,
  }: { outside: readonly OutsideFlow[]; value: (timesMs: number[]) => EquityPoint[] },
): BalanceCurve['firstPeriod'] {
  const flows = outside.filter(({ timeMs }) => timeMs <= atMs).map(({ amount }) => amount)
  return {
    days,
    at: new Date(atMs).toISOString(),
    result: gainOf({ start: 0n, flows, end: value([atMs])[0]?.equity ?? 0n }).amount,
    tradingFees: paidText(trades.map(({ share }) => share.fee)),
  }
}

function showTradeGroups(trades: readonly HistoryTrade[]): TradeGroup[] {
  const groups = groupBy(
    trades,
    ({ change, side }) => `${change.marketTime.getTime()} ${change.pair} ${side}`,
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const fee = group.reduce((sum, { share }) => sum + share.fee, 0n)
    return [
      {
        at: first.change.marketTime.toISOString(),
        side: first.side,
        coin: baseOf(first.change.pair),
        count: group.length,
        fee: unitsToDecimal(fee, 8),
      },
    ]
  })
}

function showMarks(flows: readonly OutsideFlow[], span: Span): MoneyMark[] {
  const within = flows.filter(({ timeMs }) => timeMs >= span.fromMs)
  return groupsOfEvents(within, span).map(showMark)
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
