import type { GuardFigures, GuardRow } from '#contract/evidence.ts'
import { WINDOW_INVESTED, type EvidenceOfGuards } from '#core/evidence/evidence.ts'
import type { GuardEvidence } from '#core/evidence/guard-evidence.ts'
import { typedOf } from '#core/guards/guard-settings.ts'
import { percentLost } from '#core/money/percent.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { day, gain, hundredths, shareOf } from './show-evidence.ts'

/**
 * The figures of guards for the wire. Rounded against the guard: differences are floored, and
 * shares that ended worse rounded up.
 */
export function showGuardEvidence({ windows, strategies }: EvidenceOfGuards): GuardFigures {
  return {
    hypothetical: true,
    windows: windows.length,
    from: day(windows[0]?.fromMs ?? 0),
    to: day(windows.at(-1)?.toMs ?? 0),
    strategies: strategies.map(({ strategy, rows }) => ({
      strategy,
      rows: rows.map((row) => showRow(row, windows.length)),
    })),
  }
}

function showRow(
  { guards, medianDifference, better, worse, reached, fall, fallWithout }: GuardEvidence,
  whole: number,
): GuardRow {
  return {
    guards: typedOf(guards),
    medianPoints: gain(WINDOW_INVESTED + medianDifference),
    betterPercent: hundredths(multiplyDivideFloor(shareOf({ part: better, whole }))),
    worsePercent: hundredths(multiplyDivideCeil(shareOf({ part: worse, whole }))),
    reachedPercent: hundredths(multiplyDivideFloor(shareOf({ part: reached, whole }))),
    fall: percentLost(fall),
    fallWithout: percentLost(fallWithout),
  }
}
