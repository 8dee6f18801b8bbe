import type { CashYield } from '#core/trading/cash-yield.ts'
import type { Queries } from '#server/db/statement.ts'

/** The rates that the book paid on idle cash, from midnight `fromMs` on and before `toMs`, in order. Midnights without interest have none. */
export async function findYields(sql: Queries, { fromMs, toMs }: { fromMs: number; toMs: number }): Promise<CashYield[]> {
  const rows = await sql<{ midnight: Date; rateBps: number }[]>`
    select midnight, rate_bps from cash_yields where midnight >= ${new Date(fromMs)} and midnight < ${new Date(toMs)} order by midnight`
  return rows.map(({ midnight, rateBps }) => ({ midnightMs: midnight.getTime(), rateBps }))
}
