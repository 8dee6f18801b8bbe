import { cashCurve } from '#core/bots/cash-curve.ts'
import { growthSinceStart } from '#core/bots/compared-growth.ts'
import type { CashYield } from '#core/trading/cash-yield.ts'
import type { Queries } from '#server/db/statement.ts'

/** The rates paid on idle cash from midnight `fromMs` on and before `toMs`, in order. */
export async function findYields(
  sql: Queries,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<CashYield[]> {
  const rows = await sql<{ midnight: Date; rateBps: number }[]>`
    select midnight, rate_bps from cash_yields where midnight >= ${new Date(fromMs)}
       and midnight < ${new Date(toMs)} order by midnight`
  return rows.map(yieldOf)
}

export async function findYieldsOfBot(
  sql: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<CashYield[]> {
  const rows = await sql<{ midnight: Date; rateBps: number }[]>`
    select y.midnight, y.rate_bps from trading_bots b join cash_yields y
           on y.midnight > b.market_start where b.user_id = ${userId} and b.id = ${id}
     order by y.midnight`
  return rows.map(yieldOf)
}

const yieldOf = ({ midnight, rateBps }: { midnight: Date; rateBps: number }): CashYield => ({
  midnightMs: midnight.getTime(),
  rateBps,
})

/** Growth of cash by interest at these times; empty if the book paid none. */
export async function cashGrowth(
  sql: Queries,
  timesMs: readonly number[],
): Promise<{ at: string; percent: string }[]> {
  const [fromMs = 0, toMs = 0] = [timesMs[0], timesMs.at(-1)]
  const yields = await findYields(sql, { fromMs: fromMs + 1, toMs: toMs + 1 })
  if (yields.length === 0) return []
  const points = cashCurve({ moves: [{ timeMs: fromMs, amount: LARGE }], yields, timesMs })
  return growthSinceStart(points).map(({ timeMs, percent }) => ({
    at: new Date(timeMs).toISOString(),
    percent,
  }))
}

/** 100 million dollars, so that rounding does not matter. */
const LARGE = 10n ** 16n
