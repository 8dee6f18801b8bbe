import { decimalToUnits } from '#core/money/decimal.ts'
import { extentOf } from './curve.ts'

/**
 * Width in units. Rounding to whole units keeps a page with a list of coins small; a unit is at
 * most one and a half pixels.
 */
const WIDTH = 100
const HEIGHT = 100

/**
 * The trend of the last hours, without a scale. Hidden from screen readers: the figure beside it
 * says the same in words.
 */
export function Sparkline({
  values,
  rises,
  className = '',
}: {
  values: readonly string[]
  rises: boolean
  className?: string
}) {
  const path = sparkPath(values)
  if (path === undefined) return <span aria-hidden="true" className={className} />
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`overflow-visible ${className}`}
    >
      <path
        d={path}
        fill="none"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className={rises ? 'stroke-gain' : 'stroke-loss'}
      />
    </svg>
  )
}

function sparkPath(values: readonly string[]): string | undefined {
  const units = values.map(decimalToUnits)
  if (units.length < 2) return undefined
  const { lowest, highest } = extentOf(units)
  const range = highest - lowest || 1n
  const y = (value: bigint) => HEIGHT - Number(((value - lowest) * BigInt(HEIGHT)) / range)
  return units
    .map(
      (value, index) =>
        `${index === 0 ? 'M' : 'L'}${Math.round((index * WIDTH) / (units.length - 1))} ${y(value)}`,
    )
    .join('')
}
