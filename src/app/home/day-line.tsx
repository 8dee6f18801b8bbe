import type { BalanceCurve } from '#contract/market.ts'
import { gainOfDay } from '#app/api/curve-to.ts'
import { ResultSentence } from '#app/market/result-sentence.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'

/** The past day in one sentence. Two lines are reserved: most sentences fit, so nothing moves. */
export function DayLine({ curve }: { curve: BalanceCurve }) {
  // Live figures let the day begin later than in the answer.
  const trades = curve.dayTrades.filter(({ at }) => at > (curve.day[0]?.at ?? ''))
  return (
    <div className="grid min-h-12 content-center lg:min-h-6">
      <p className="text-16 text-pretty">
        <ResultSentence
          trades={trades}
          result={gainOfDay(curve).amount}
          fees={sumOf(...trades.map(({ fee }) => fee))}
        />
      </p>
    </div>
  )
}
