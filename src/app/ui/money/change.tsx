import { moneyText, signOf } from '#core/money/text.ts'
import { percentText } from './money-format.ts'

type Props = {
  /** Percent with a plain minus, '-0.62'. */
  percent?: string
  /** Dollars, '-12.40'. If both are given, the percentage follows in parentheses. */
  amount?: string
  /** The color of zero: neutral, or green like a gain. */
  zero?: 'neutral' | 'gain'
  className?: string
}

/** A change, shown by arrow, sign and color together, never by color alone. */
export function Change({ percent, amount, zero = 'neutral', className = '' }: Props) {
  const direction = signOf(amount ?? percent ?? '0')
  const color = { '-1': 'text-loss', '0': zero === 'gain' ? 'text-gain' : 'text-ink2', '1': 'text-gain' }[direction]
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${color} ${className}`}>
      {direction !== 0 && <Arrow up={direction > 0} />}
      <span>{changeText({ percent, amount })}</span>
    </span>
  )
}

function changeText({ percent, amount }: { percent: string | undefined; amount: string | undefined }) {
  if (amount === undefined) return percentText(percent ?? '0')
  const money = moneyText({ amount, sign: 'always' })
  return percent === undefined ? money : `${money} (${percentText(percent, { sign: 'never' })})`
}

function Arrow({ up }: { up: boolean }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true" className={`size-[0.62em] shrink-0 fill-current ${up ? '' : 'rotate-180'}`}>
      <path d="M5 1 10 9.5H0Z" />
    </svg>
  )
}
