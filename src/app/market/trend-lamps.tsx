import type { NextStep } from '#contract/bots.ts'
import { digitsText } from '#words/figures.ts'

type Trends = NextStep['trends']

/** Each trend with its days, filled while it is up. `label`: the trends for screen readers. */
export function TrendLamps({ trends, label }: { trends: Trends; label?: string }) {
  if (trends.length === 0) return null
  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className="flex flex-wrap gap-1"
    >
      {trends.map(({ days, isUp }) => (
        <span
          key={days}
          aria-hidden="true"
          className={
            'min-w-7 rounded-full border border-control px-1 text-center text-14 ' +
            (isUp ? 'bg-ink text-paper forced-color-adjust-none' : 'text-ink2')
          }
        >
          {digitsText(String(days))}
        </span>
      ))}
    </span>
  )
}
