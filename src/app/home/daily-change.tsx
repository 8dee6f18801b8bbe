import type { Portfolio } from '#contract/market.ts'
import { usePastDay } from '#app/market/past-day.ts'
import { Change } from '#app/ui/money/change.tsx'

export function DailyChange({ change }: { change: Portfolio['dailyChange'] }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-16 font-medium">
      <Change amount={change.amount} percent={change.percent} />
      <span className="text-14 font-normal text-ink2">{usePastDay()}</span>
    </p>
  )
}
