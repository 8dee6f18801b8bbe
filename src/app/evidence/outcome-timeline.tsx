import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { percentText } from '#app/ui/money/money-format.ts'
import { barsOf } from './timeline-bars.ts'

const WIDTH = 1_000
const HEIGHT = 400

/** One bar per start day: up and green for a gain after twelve months, down and red for a loss. Screen readers get one sentence. */
export function OutcomeTimeline({ level, figures }: { level: LevelEvidence; figures: EvidenceFigures }) {
  const values = figures.timeline[level.riskLevel]
  const { bars, zero } = barsOf(values, { width: WIDTH, height: HEIGHT })
  const lastStart = new Date(Date.parse(figures.to) - figures.windowDays * DAY_MS).toISOString()
  return (
    <figure className="mt-4">
      <div className="relative">
        <svg role="img" aria-label={sentenceFor(level)} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="block h-44 w-full">
          {bars.map(({ x, y, width, height, gains }) => (
            <rect key={x} x={x} y={y} width={width} height={height} className={gains ? 'fill-gain' : 'fill-loss'} />
          ))}
          <path d={`M0 ${zero}H${WIDTH}`} className="stroke-ink" strokeWidth={1} vectorEffect="non-scaling-stroke" />
        </svg>
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-4 px-5 pt-2 text-12 text-ink2">
        <span>Started {utcDayText(figures.from)}</span>
        <span>Started {utcDayText(lastStart)}</span>
        <span className="w-full pt-1 text-14">Each bar is a start day, one a week, and what 12 months from there gave. Below the line: a loss.</span>
      </figcaption>
    </figure>
  )
}

function sentenceFor({ median, worst, best, losingPercent }: LevelEvidence): string {
  return (
    `Result of 12 months by start day: median ${percentText(median.percent)}; worst ${percentText(worst.percent)}, started ${utcDayText(worst.from)}; ` +
    `best ${percentText(best.percent)}, started ${utcDayText(best.from)}; ${percentText(losingPercent, { sign: 'never' })} lost money.`
  )
}
