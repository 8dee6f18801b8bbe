import type { Portfolio } from '#contract/market.ts'
import { t } from '#words/words.ts'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { DailyChange } from './daily-change.tsx'

/**
 * The balance of somebody who has no money here yet: there is nothing to draw and nothing to hide.
 */
export function StartPanel({
  total,
  dailyChange,
}: {
  total: string
  dailyChange: Portfolio['dailyChange'] | undefined
}) {
  return (
    <section aria-labelledby="total-balance" className="px-5 pt-5">
      <h2 id="total-balance" className="text-16 text-ink2">
        {t('Total Balance')}
      </h2>
      <Money size="hero" amount={total} />
      {dailyChange ? (
        <DailyChange change={dailyChange} />
      ) : (
        <Skeleton className="mt-0.5 h-5 w-36" />
      )}
    </section>
  )
}
