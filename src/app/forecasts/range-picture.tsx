import { AHEAD } from '#core/forecast/rows.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'

/** Of 100 days, those whose price ended in, below and above its range. */
export type DaysOfHundred = { held: number; below: number; above: number }

const STEP = 14
const IN_ROW = 10
/** Horizontal positions of the forecast's start, of its widest range, and of the first day. */
const [NOW, WIDEST, DAYS] = [124, 200, 214]
const WIDTH = 350

/**
 * A price with the range forecast for it, and a hundred days at its end: dots in the range, squares
 * outside. The text beside it has the same figures.
 */
export function RangePicture({ days: { held, below, above } }: { days: DaysOfHundred }) {
  const top = rowsFor(above) * STEP
  const bottom = top + rowsFor(held) * STEP
  const middle = (top + bottom) / 2
  const height = bottom + rowsFor(below) * STEP
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${height + 28}`}
      fill="none"
      className="block w-full max-w-100 text-14"
    >
      <path d={fanPath({ top, middle, bottom })} className="fill-accent" fillOpacity={0.15} />
      <path
        d={`M2 ${middle + 18}l14 -9 14 7 15 -22 14 8 15 12 15 -19 15 -8 14 16 ${NOW - 118} -3`}
        className="stroke-ink"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <circle cx={NOW} cy={middle} r={5} className="fill-ink" />
      <g strokeDasharray={`0 ${STEP}`} strokeLinecap="round" strokeWidth={9}>
        <path d={daysPath(held, { at: top, step: STEP, indent: 5 })} className="stroke-accent" />
      </g>
      <g strokeDasharray="9 5" strokeWidth={9} className="stroke-ink">
        <path d={daysPath(above, { at: top - STEP, step: -STEP, indent: 0 })} />
        <path d={daysPath(below, { at: bottom, step: STEP, indent: 0 })} />
      </g>
      <g textAnchor="middle" className="fill-ink2">
        <text x={NOW} y={height + 22}>
          {t('Now')}
        </text>
        <text x={DAYS + (IN_ROW * STEP) / 2 - 5} y={height + 22}>
          {t('In {hours} hours', { hours: countText(AHEAD) })}
        </text>
      </g>
    </svg>
  )
}

function rowsFor(days: number): number {
  return Math.ceil(days / IN_ROW)
}

/** It widens fast and then slowly, like the square root of time. */
function fanPath({ top, middle, bottom }: Record<'top' | 'middle' | 'bottom', number>): string {
  const bend = (middle - top) / 3
  return (
    `M${NOW} ${middle}C${NOW + 6} ${top + bend} ${WIDEST - 30} ${top} ${WIDEST} ${top}` +
    `H${WIDTH}V${bottom}H${WIDEST}` +
    `C${WIDEST - 30} ${bottom} ${NOW + 6} ${bottom - bend} ${NOW} ${middle}Z`
  )
}

/**
 * A path with a line through each row of days. The caller dashes it. `indent`: where its first dash
 * begins.
 */
function daysPath(
  days: number,
  { at, step, indent }: { at: number; step: number; indent: number },
): string {
  return Array.from({ length: rowsFor(days) }, (_, row) => {
    const count = Math.min(IN_ROW, days - row * IN_ROW)
    return `M${DAYS + indent} ${at + row * step + STEP / 2}h${count * STEP - 5 - indent}`
  }).join('')
}
