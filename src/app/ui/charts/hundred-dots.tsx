import { ONE } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

const A_ROW = 20
const STEP = 14
const SIZE = 10

export type Share = 'lost' | 'between' | 'reached'

/**
 * Outcomes in percent as dots of 100: losses rounded up, reached targets down, so that no picture
 * is better than its figures. `reached`: null where no target is named.
 */
export function dotsOf({
  losingPercent,
  reachedPercent,
}: {
  losingPercent: string
  reachedPercent: string | null
}): Record<Share, number> {
  const lost = Number((decimalToUnits(losingPercent) + ONE - 1n) / ONE)
  const reached =
    reachedPercent === null ? 100 - lost : Number(decimalToUnits(reachedPercent) / ONE)
  return { lost, between: Math.max(0, 100 - lost - reached), reached }
}

const LOOKS = {
  lost: { className: 'stroke-loss', strokeWidth: SIZE, dash: [SIZE, STEP - SIZE], cap: 'butt' },
  between: { className: 'stroke-control', strokeWidth: 7, dash: [0, STEP], cap: 'round' },
  reached: { className: 'stroke-gain', strokeWidth: SIZE, dash: [0, STEP], cap: 'round' },
} as const

/** Losses are squares and the rest dots, so that colors are not needed. Words stand beside it. */
export function HundredDots({ dots }: { dots: Record<Share, number> }) {
  const { lost, between } = dots
  const parts = [
    { share: 'lost', from: 0, to: lost },
    { share: 'between', from: lost, to: lost + between },
    { share: 'reached', from: lost + between, to: 100 },
  ] as const
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${A_ROW * STEP - STEP + SIZE} ${(100 / A_ROW) * STEP - STEP + SIZE}`}
      fill="none"
      className="block w-full max-w-100"
    >
      {parts.map(({ share, from, to }) => {
        const { className, strokeWidth, dash, cap } = LOOKS[share]
        return (
          <path
            key={share}
            d={rowsOf({ from, to, indent: cap === 'round' ? SIZE / 2 : 0 })}
            className={className}
            strokeWidth={strokeWidth}
            strokeDasharray={dash.join(' ')}
            strokeLinecap={cap}
          />
        )
      })}
    </svg>
  )
}

/** One line for each row of dots: its dashes begin again with the line. */
function rowsOf({ from, to, indent }: { from: number; to: number; indent: number }): string {
  let path = ''
  for (let dot = from; dot < to; dot = nextRow(dot)) {
    const last = Math.min(to, nextRow(dot)) - 1
    const y = Math.floor(dot / A_ROW) * STEP + SIZE / 2
    const end = (last % A_ROW) * STEP + (indent > 0 ? indent + 0.1 : SIZE)
    path += `M${(dot % A_ROW) * STEP + indent} ${y}H${end}`
  }
  return path
}

const nextRow = (dot: number): number => (Math.floor(dot / A_ROW) + 1) * A_ROW
