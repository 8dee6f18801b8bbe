import type { NextStep } from '#contract/bots.ts'

export type Trends = NextStep['trends']

/** A picture of the trends, which the text beside it names. */
export function TrendLamps({ trends }: { trends: Trends }) {
  return (
    <span aria-hidden="true" className="flex gap-1">
      {trends.map(({ days, isUp }) => (
        <span
          key={days}
          className={
            'size-2.5 rounded-full border-2 forced-color-adjust-none ' +
            'forced-colors:border-[CanvasText] ' +
            (isUp ? 'border-ink bg-ink forced-colors:bg-[CanvasText]' : 'border-ink3')
          }
        />
      ))}
    </span>
  )
}
