import { DAY_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { gainIn } from './gain.ts'
import type { MoneyMove } from './growth.ts'

export const MONTH_MS = 30 * DAY_MS
const MONTHS_SHOWN = 12

/**
 * The times right before each of the latest months, counted from the first money at `firstMs`. So
 * the first money is a flow of the first month. The last month may not be over.
 */
export function monthStarts({ firstMs, toMs }: { firstMs: number; toMs: number }): number[] {
  const count = Math.ceil((toMs - firstMs) / MONTH_MS)
  const first = Math.max(0, count - MONTHS_SHOWN)
  return Array.from(
    { length: count - first },
    (_, index) => firstMs + (first + index) * MONTH_MS - 1,
  )
}

/**
 * A month begins with the worth at the end of the month before, so that the gains add up. `worths`:
 * at `startsMs`; `end`: now. `moves`: outside money.
 */
export function gainsOfMonths({
  startsMs,
  worths,
  end,
  moves,
}: {
  startsMs: readonly number[]
  worths: readonly Units[]
  end: Units
  moves: readonly MoneyMove[]
}) {
  return startsMs.map((startMs, index) => {
    const untilMs = startsMs[index + 1] ?? Number.POSITIVE_INFINITY
    return {
      fromMs: startMs + 1,
      ...gainIn({
        start: worths[index] ?? 0n,
        flows: moves
          .filter(({ timeMs }) => timeMs > startMs && timeMs <= untilMs)
          .map(({ amount }) => amount),
        end: worths[index + 1] ?? end,
      }),
    }
  })
}
