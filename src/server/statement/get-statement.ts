import type { CoinResult, YearStatement } from '#contract/statement.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { historyStart } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents, paidText } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { openYear, type CoinYear, type YearSums } from '#core/statement/year.ts'
import type { Handler } from '#server/action.ts'
import { readPast, totalsAt } from '#server/bots/get-balance-curve.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { readBalances, shownTotal } from '#server/holdings/balances.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { streamBookRows } from './book-rows.ts'

type Asked = { userId: string; year?: string | undefined }

export const getStatement: Handler<'getStatement'> = (context, { userId, query: { year } }) =>
  readStatement(context, { userId, year })

export function readStatement(
  context: Pick<Context, 'sql' | 'candles' | 'market'>,
  { userId, year }: Asked,
): Promise<YearStatement> {
  const { sql, candles, market } = context
  return atOneMoment(sql, async (tx) => {
    const clockMs = market.now().getTime()
    const nowMs = (await readMarketTime(tx))?.getTime() ?? clockMs
    const asked = Number(year ?? yearAt(nowMs))
    const span = { fromMs: startOf(asked), toMs: startOf(asked + 1) }
    const backMs = Math.max(0, nowMs - span.fromMs) + HOUR_MS
    const past = await readPast(tx, { userId, backMs, clockMs })
    const firstMs = Math.min(past.cash[0]?.eventTime.getTime() ?? nowMs, nowMs)
    const years = yearsOf({ firstMs, nowMs })
    if (!years.some((one) => one.year === String(asked))) throw new Refusal('not-found')
    const isOver = nowMs >= span.toMs
    // Midnight belongs to the year that begins.
    const timesMs = [span.fromMs - 1, span.toMs - 1]
    const [opening, end] = totalsAt(past, { candles, timesMs })
    const closing = isOver ? (end?.equity ?? 0n) : shownTotal(await readBalances(tx, userId))
    return {
      year: String(asked),
      isOver,
      years,
      ...show(await sumYear(tx, userId, span), { opening: opening?.equity ?? 0n, closing }),
    }
  })
}

const startOf = (year: number): number => Date.UTC(year, 0, 1)
const yearAt = (ms: number): number => new Date(ms).getUTCFullYear()

async function sumYear(
  tx: Queries,
  userId: string,
  span: { fromMs: number; toMs: number },
): Promise<YearSums> {
  const { add, sums } = openYear(span)
  for await (const rows of streamBookRows(tx, userId)) rows.forEach(add)
  return sums
}

/** Newest first. Before the candles' history begins, what bots held has no price. */
function yearsOf({ firstMs, nowMs }: { firstMs: number; nowMs: number }): YearStatement['years'] {
  const pricedMs = historyStart(nowMs)
  const first = yearAt(Math.max(firstMs, pricedMs))
  const last = yearAt(nowMs)
  return Array.from({ length: last - first + 1 }, (_, back) => last - back)
    .filter((year) => Math.max(firstMs, startOf(year) - 1) >= pricedMs)
    .map((year) => ({
      year: String(year),
      from: new Date(Math.max(firstMs, startOf(year))).toISOString(),
      to: new Date(Math.min(nowMs, startOf(year + 1))).toISOString(),
    }))
}

const usd = (units: Units): string => unitsToDecimal(units, 2)

/** Each figure in whole cents, and sums of what is shown. */
function show(
  { money, fees, coins }: YearSums,
  { opening, closing }: { opening: Units; closing: Units },
) {
  const sales = [...coins].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sumOf = (cost: keyof CoinYear) =>
    sales.reduce((sum, [, sale]) => sum + resultOf(sale, cost), 0n)
  const changes = [money.deposit, money.refund, money.withdrawal, money.interest, money.fee]
  const [deposits = 0n, refunds = 0n, withdrawals = 0n, interest = 0n, fee = 0n] =
    changes.map(floorToCents)
  const realized = sumOf('fifoCost')
  const known = deposits + refunds + withdrawals + realized + interest + fee
  return {
    opening: usd(opening),
    deposits: usd(deposits),
    refunds: usd(refunds),
    withdrawals: usd(withdrawals),
    realized: usd(realized),
    interest: usd(interest),
    fees: usd(fee),
    unrealized: usd(closing - opening - known),
    closing: usd(closing),
    realizedByAverage: usd(sumOf('averageCost')),
    tradingFees: paidText([fees]),
    coins: sales.map(([coin, sale]) => showCoin(coin, sale)),
  }
}

const resultOf = (sale: CoinYear, cost: keyof CoinYear): Units =>
  floorToCents(sale.proceeds - sale[cost])

function showCoin(coin: CoinResult['coin'], sale: CoinYear): CoinResult {
  const proceeds = floorToCents(sale.proceeds)
  const by = (cost: keyof CoinYear) => {
    const result = resultOf(sale, cost)
    return { cost: usd(proceeds - result), result: usd(result) }
  }
  return {
    coin,
    quantity: unitsToDecimal(sale.quantity, 8),
    proceeds: usd(proceeds),
    fifo: by('fifoCost'),
    average: by('averageCost'),
  }
}
