import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { MINUS } from '#core/money/text.ts'
import { t } from '#words/words.ts'
import { extentOf } from '#app/ui/charts/curve.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { percentText } from '#app/ui/money/money.tsx'

const WIDTH = 1_000
const HEIGHT = 400
const HUNDREDTH = 4

/**
 * One bar per start day: up and green for a gain after twelve months, down and red for a loss.
 * Screen readers get one sentence.
 */
export function OutcomeTimeline({
  level,
  figures,
}: {
  level: LevelEvidence
  figures: EvidenceFigures
}) {
  const values = figures.timeline[level.riskLevel]
  const { bars, zero, lines } = barsOf(values, { width: WIDTH, height: HEIGHT })
  const lastStart = new Date(Date.parse(figures.to) - figures.windowDays * DAY_MS).toISOString()
  return (
    <figure className="mt-4">
      <div className="flex h-44 py-2 lg:h-64">
        <svg
          role="img"
          aria-label={sentenceFor(level)}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-full min-w-0 flex-1 overflow-visible"
        >
          {lines.map(({ y, percent }) => (
            <path
              key={percent}
              d={`M0 ${y}H${WIDTH}`}
              className="stroke-hairline forced-colors:stroke-[GrayText]"
              strokeWidth={1}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {bars.map(({ x, y, width, height, gains }) => (
            <rect
              key={x}
              x={x}
              y={y}
              width={width}
              height={height}
              className={gains ? 'fill-gain' : 'fill-loss'}
            />
          ))}
          <path
            d={`M0 ${zero}H${WIDTH}`}
            className="stroke-ink forced-colors:stroke-[CanvasText]"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <Scale lines={lines} />
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-4 px-5 pt-2 text-12 text-ink2">
        <span>{t('Started {day}', { day: utcDayText(figures.from) })}</span>
        <span>{t('Started {day}', { day: utcDayText(lastStart) })}</span>
        <span className="w-full pt-1 text-14">
          {t('One bar per weekly start date. Below the line: a loss.')}
        </span>
      </figcaption>
    </figure>
  )
}

function Scale({ lines }: { lines: ReturnType<typeof barsOf>['lines'] }) {
  return (
    <div aria-hidden="true" className="relative w-12 shrink-0 text-12 text-ink2">
      {lines.map(({ y, percent }) => (
        <span
          key={percent}
          className="absolute right-3 -translate-y-1/2"
          style={{ top: `${y / HUNDREDTH}%` }}
        >
          {lineText(percent)}
        </span>
      ))}
    </div>
  )
}

function lineText(percent: number): string {
  const sign = { '-1': MINUS, '0': '', '1': '+' }[Math.sign(percent)] ?? ''
  return t('{percent}%', { percent: `${sign}${Math.abs(percent)}` })
}

function sentenceFor({ median, worst, best, losingPercent }: LevelEvidence): string {
  return t(
    '12-month results by start day. Median: {median}. Worst: {worst}, started {worstStart}. Best: {best}, started {bestStart}. {losing} lost money.',
    {
      median: percentText(median.percent),
      worst: percentText(worst.percent),
      worstStart: utcDayText(worst.from),
      best: percentText(best.percent),
      bestStart: utcDayText(best.from),
      losing: percentText(losingPercent, { sign: 'never' }),
    },
  )
}

type OutcomeBar = { x: number; y: number; width: number; height: number; gains: boolean }

type Box = { width: number; height: number }

type PercentLine = { y: number; percent: number }

/**
 * Minimum reach of the scale on both sides of zero, so that the scale of calm years has grid lines
 * too.
 */
const LEAST: Units = decimalToUnits('25.00')
const STEPS = [25, 50, 100, 500, 1_000]
const MOST_LINES = 5

/**
 * Bars of `values` (percent, decimal text) in a box, the y of its zero line, and the lines of its
 * scale. Every bar is at least 1 unit tall.
 */
export function barsOf(
  values: readonly string[],
  { width, height }: Box,
): { bars: OutcomeBar[]; zero: number; lines: PercentLine[] } {
  const units = values.map(decimalToUnits)
  const { lowest, highest } = extentOf([-LEAST, LEAST, ...units])
  const range = highest - lowest
  const yOf = (value: bigint) => Number(((highest - value) * BigInt(height * 10)) / range) / 10
  const zero = yOf(0n)
  const step = width / Math.max(1, units.length)
  const bars = units.map((value, index): OutcomeBar => {
    const gains = value >= 0n
    const barHeight = Math.max(1, Math.abs(yOf(value) - zero))
    return {
      x: round(index * step),
      y: round(gains ? zero - barHeight : zero),
      width: round(step * 0.8),
      height: round(barHeight),
      gains,
    }
  })
  const lines = percentsIn({ lowest, highest }).map((percent) => ({
    y: round(yOf(BigInt(percent) * ONE)),
    percent,
  }))
  return { bars, zero: round(zero), lines }
}

function percentsIn({ lowest, highest }: { lowest: Units; highest: Units }): number[] {
  const [from, to] = [
    Math.ceil(Number(lowest) / Number(ONE)),
    Math.floor(Number(highest) / Number(ONE)),
  ]
  for (const step of STEPS) {
    const first = Math.ceil(from / step)
    const count = Math.floor(to / step) - first + 1
    if (count <= MOST_LINES)
      return Array.from({ length: count }, (_, index) => (first + index) * step)
  }
  return [0]
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
