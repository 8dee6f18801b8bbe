import { ONE } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'

export type Share = 'lost' | 'between' | 'reached'

/**
 * Outcomes in percent as dots of 100: losses rounded up, reached targets down, so that no picture
 * is better than its figures. Without `reachedPercent`, all others count as reached.
 */
export function dotsOf({
  losingPercent,
  reachedPercent,
}: {
  losingPercent: string
  reachedPercent?: string | undefined
}): Record<Share, number> {
  const lost = Number((decimalToUnits(losingPercent) + ONE - 1n) / ONE)
  const reached =
    reachedPercent === undefined ? 100 - lost : Number(decimalToUnits(reachedPercent) / ONE)
  return { lost, between: Math.max(0, 100 - lost - reached), reached }
}

/** Losses are squares, the rest dots: color is not the only sign. A text has the figures. */
export function HundredDots({ dots: { lost, between } }: { dots: Record<Share, number> }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 276 66"
      fill="none"
      className="block w-full max-w-100 overflow-visible"
    >
      <path
        d={rowsOf(0, lost, 0)}
        className="stroke-loss"
        strokeWidth={10}
        strokeDasharray="10 4"
      />
      <g strokeLinecap="round" strokeDasharray="0 14">
        <path d={rowsOf(lost, lost + between, 5)} className="stroke-control" strokeWidth={7} />
        <path d={rowsOf(lost + between, 100, 5)} className="stroke-gain" strokeWidth={10} />
      </g>
    </svg>
  )
}

/**
 * A path with a line through each row of the dots `from` to `to - 1`, 20 in a row and 14 apart. The
 * caller dashes it. `indent`: from a dot's left edge to its dash.
 */
function rowsOf(from: number, to: number, indent: number): string {
  let path = ''
  for (let dot = from; dot < to;) {
    const row = Math.floor(dot / 20)
    const next = Math.min(to, row * 20 + 20)
    path += `M${(dot % 20) * 14 + indent} ${row * 14 + 5}h${(next - dot) * 14 - 4 - indent}`
    dot = next
  }
  return path
}
