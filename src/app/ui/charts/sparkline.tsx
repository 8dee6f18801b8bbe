import { decimalToUnits } from '#core/money/decimal.ts'

type Props = { values: readonly string[]; rises: boolean; className?: string }

const WIDTH = 100
const HEIGHT = 40

/** The shape of the last hours beside a figure that says the same in words: hidden from readers, drawn without any scale. */
export function Sparkline({ values, rises, className = '' }: Props) {
  const path = sparkPath(values)
  if (path === undefined) return <span aria-hidden="true" className={className} />
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={`overflow-visible ${className}`}>
      <path d={path} fill="none" strokeWidth={1.5} strokeLinejoin="round" vectorEffect="non-scaling-stroke" className={rises ? 'stroke-gain' : 'stroke-loss'} />
    </svg>
  )
}

function sparkPath(values: readonly string[]): string | undefined {
  const units = values.map(decimalToUnits)
  const [first] = units
  if (first === undefined || units.length < 2) return undefined
  const lowest = units.reduce((least, value) => (value < least ? value : least), first)
  const highest = units.reduce((most, value) => (value > most ? value : most), first)
  const range = highest - lowest || 1n
  const place = (value: bigint) => HEIGHT - Number(((value - lowest) * BigInt(HEIGHT * 10)) / range) / 10
  return units.map((value, index) => `${index === 0 ? 'M' : 'L'}${Math.round((index * WIDTH) / (units.length - 1))} ${place(value)}`).join('')
}
