import type { Units } from '#core/money/amount.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import type { GuardMarks, Guards } from './guard.ts'

/** The worths after the closing fee at which guards are reached, from above or from below. */
export type GuardLevels = Record<'stopLoss' | 'takeProfit' | 'dailyLoss', Units | null>

/** `watch` stops a bot whose worth reaches or passes one of these. */
export function guardLevels(
  { stopLossBps, stopLossFrom, takeProfitBps, dailyLossBps }: Guards,
  { start, best, dayStart }: Pick<GuardMarks, 'start' | 'best' | 'dayStart'>,
): GuardLevels {
  const fallen = (mark: Units, bps: number | null) =>
    bps === null
      ? null
      : multiplyDivideFloor({ a: mark, b: ALL_BPS - BigInt(bps), divisor: ALL_BPS })
  return {
    stopLoss: fallen(stopLossFrom === 'best' ? best : start, stopLossBps),
    takeProfit:
      takeProfitBps === null
        ? null
        : multiplyDivideCeil({ a: start, b: ALL_BPS + BigInt(takeProfitBps), divisor: ALL_BPS }),
    dailyLoss: fallen(dayStart, dailyLossBps),
  }
}
