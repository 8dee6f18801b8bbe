import type { ReactNode } from 'react'
import type { ChartTime, Scale } from './curve.ts'
import { timeTicks, valueTicks, type ValueTick } from './ticks.ts'

/**
 * The axes of a chart: round values beside the plot, and below it the times of its start, middle
 * and end, which run to the right in every language. The height never changes.
 */
export function ChartFrame({
  scale,
  time,
  ticks = valueTicks(scale),
  note,
  height = 'h-44',
  children,
}: {
  scale: Scale
  time: ChartTime
  /** Shown beside the plot; by default round amounts of money. */
  ticks?: readonly ValueTick[]
  note?: string | undefined
  height?: string
  children: ReactNode
}) {
  return (
    <div dir="ltr" className="@container relative flex md:pl-5">
      <div className="min-w-0 flex-1">
        <div className={`relative ${height}`}>{children}</div>
        <Times scale={scale} time={time} hidden={note !== undefined} />
      </div>
      {ticks.length > 0 && <Values ticks={ticks} />}
      {note !== undefined && (
        <p
          aria-hidden="true"
          className="absolute inset-x-5 bottom-0 truncate text-12 leading-5 text-ink"
        >
          {note}
        </p>
      )}
    </div>
  )
}

function Values({ ticks }: { ticks: readonly ValueTick[] }) {
  return (
    <div aria-hidden="true" className="flex shrink-0 pt-6 pr-5 pb-11 pl-1.5 text-12 text-ink2">
      <div className="relative">
        {ticks.map(({ y, text }) => (
          <span key={text} className="block h-0">
            <span className="invisible">{text}</span>
            <span className="absolute right-0 -translate-y-1/2" style={{ top: `${y * 100}%` }}>
              {text}
            </span>
          </span>
        ))}
      </div>
    </div>
  )
}

function Times({ scale, time, hidden }: { scale: Scale; time: ChartTime; hidden: boolean }) {
  const { start, middle, end } = timeTicks(scale, time)
  return (
    <p
      aria-hidden="true"
      className={
        'flex h-5 items-center justify-between gap-3 overflow-hidden pl-5 text-12 md:pl-0 ' +
        `whitespace-nowrap text-ink2 ${hidden ? 'invisible' : ''}`
      }
    >
      <span>{start}</span>
      <span className="hidden @min-[28rem]:inline">{middle}</span>
      <span>{end}</span>
    </p>
  )
}
