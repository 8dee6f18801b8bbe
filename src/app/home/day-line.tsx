import type { BalanceCurve } from '#contract/market.ts'
import { paidText } from '#core/money/cents.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { t } from '#words/words.ts'
import { gainOfDay } from '#app/api/curve-to.ts'
import { ResultSentence } from '#app/market/result-sentence.tsx'
import { Link } from '#app/ui/frame/link.tsx'

/** The past day in one sentence. Two lines are reserved for it, so that nothing below moves. */
export function DayLine({ curve }: { curve: BalanceCurve }) {
  // Trades of the day, which begins later than in the answer once figures are updated.
  const trades = curve.dayTrades.filter(({ at }) => at > (curve.day[0]?.at ?? ''))
  const fees = paidText(trades.map(({ fee }) => decimalToUnits(fee)))
  return (
    <div
      className={
        'mx-5 mt-2 flex min-h-16 flex-wrap items-center justify-between gap-x-3 rounded-sheet ' +
        'bg-raised px-4 py-1'
      }
    >
      <p className="min-w-[min(100%,11rem)] flex-1 text-16 text-pretty">
        <ResultSentence trades={trades} result={gainOfDay(curve).amount} fees={fees} />
      </p>
      <Link
        href="/week"
        className="ml-auto inline-flex min-h-12 items-center text-16 font-semibold text-accent"
      >
        {t('Your week')}
      </Link>
    </div>
  )
}
