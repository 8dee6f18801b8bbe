import type { BalanceCurve } from '#contract/market.ts'
import { paidText } from '#core/money/cents.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { firstPeriodText, firstTradesText, periodMessage } from '#words/trades-text.ts'
import { t } from '#words/words.ts'
import { gainOfDay } from '#app/api/curve-to.ts'
import { ResultSentence } from '#app/market/result-sentence.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/**
 * The past day in one sentence, or the first week or month that ended in it. Two lines are reserved
 * for it, so that nothing below moves.
 */
export function DayLine({ curve }: { curve: BalanceCurve }) {
  return (
    <div
      className={
        'mx-5 mt-2 flex min-h-16 flex-wrap items-center justify-between gap-x-3 rounded-sheet ' +
        'bg-raised px-4 py-1'
      }
    >
      <p className="min-w-[min(100%,11rem)] flex-1 text-16 text-pretty">
        <Sentence curve={curve} />
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

/** States what happened in the past day, whose beginning moves on as figures are updated. */
function Sentence({ curve }: { curve: BalanceCurve }) {
  const isOfDay = ({ at }: { at: string }) => at > (curve.day[0]?.at ?? '')
  const { firstPeriod: period, firstTradeAt } = curve
  if (period && isOfDay(period)) return <PeriodSentence period={period} />
  const trades = curve.dayTrades.filter(isOfDay)
  const fees = paidText(trades.map(({ fee }) => decimalToUnits(fee)))
  const isFirst = firstTradeAt !== null && isOfDay({ at: firstTradeAt })
  return (
    <ResultSentence
      trades={trades}
      traded={isFirst ? firstTradesText(trades) : undefined}
      result={gainOfDay(curve).amount}
      fees={fees}
    />
  )
}

/** 'First week: −$13.15, $0.42 of it trading fees.' */
function PeriodSentence({ period }: { period: NonNullable<BalanceCurve['firstPeriod']> }) {
  const { days, result, tradingFees: fees } = period
  return (
    <Trans
      message={periodMessage({ result, fees })}
      period={firstPeriodText(days)}
      result={<Money amount={result} sign="always" className="font-semibold" />}
      fees={<Money amount={fees} className="font-semibold" />}
    />
  )
}
