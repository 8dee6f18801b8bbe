import { MONTH_MS } from '#core/bots/months.ts'
import { t } from '#words/words.ts'
import { Change } from '#app/ui/money/money.tsx'
import { useMarketTime } from './market-time.ts'

/** A grid of at least two months, each with the day on which it began. */
export function Months({ months }: { months: readonly { from: string; percent: string }[] }) {
  const { tickText } = useMarketTime()
  if (months.length < 2) return null
  return (
    <section aria-labelledby="months" className="pt-6">
      <h2 id="months" className="text-17 font-semibold">
        {t('Every 30 days')}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2 pt-3">
        {months.map(({ from, percent }, index) => (
          <li key={from} className="rounded-control bg-raised px-3 py-2">
            <p className="text-14 text-ink2">
              {index < months.length - 1
                ? tickText(from, MONTH_MS)
                : t('{day}, so far', { day: tickText(from, MONTH_MS) })}
            </p>
            <Change percent={percent} className="text-16 font-semibold" />
          </li>
        ))}
      </ul>
    </section>
  )
}
