import type { YearStatement } from '#contract/statement.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { Refusal } from '#core/refusal.ts'
import { startOfYear, statementYears, yearAt, yearFigures } from '#core/statement/figures.ts'
import { openYear, type YearSums } from '#core/statement/year.ts'
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
    const chosen = Number(year ?? yearAt(nowMs))
    const span = { fromMs: startOfYear(chosen), toMs: startOfYear(chosen + 1) }
    const backMs = Math.max(0, nowMs - span.fromMs) + HOUR_MS
    const past = await readPast(tx, { userId, backMs, clockMs })
    const firstMs = Math.min(past.cash[0]?.eventTime.getTime() ?? nowMs, nowMs)
    const years = statementYears({ firstMs, nowMs })
    if (!years.some((one) => one.year === String(chosen))) throw new Refusal('not-found')
    const isOver = nowMs >= span.toMs
    // One millisecond earlier, because midnight belongs to the new year.
    const timesMs = [span.fromMs - 1, span.toMs - 1]
    const [opening, end] = totalsAt(past, { candles, timesMs })
    const closing = isOver ? (end?.equity ?? 0n) : shownTotal(await readBalances(tx, userId))
    return {
      year: String(chosen),
      isOver,
      years,
      ...yearFigures(await sumYear(tx, userId, span), { opening: opening?.equity ?? 0n, closing }),
    }
  })
}

async function sumYear(
  tx: Queries,
  userId: string,
  span: { fromMs: number; toMs: number },
): Promise<YearSums> {
  const { add, sums } = openYear(span)
  for await (const rows of streamBookRows(tx, userId)) rows.forEach(add)
  return sums
}
