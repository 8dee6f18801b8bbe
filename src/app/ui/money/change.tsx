import { signOf } from '#core/money/text.ts'
import { moneyText } from '#words/figures.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { hiddenText } from './hidden-amount.ts'
import { percentText } from './money-format.ts'
import { Figure } from './money.tsx'

/**
 * A change, shown by arrow, sign and color together, never by color alone. While own amounts are
 * hidden, the percentage stays: it does not say how much somebody has.
 */
export function Change({
  percent,
  amount,
  percentSign = 'never',
  zero = 'neutral',
  className = '',
}: {
  /** Percent with a plain minus, '-0.62'. */
  percent?: string
  /** Dollars, '-12.40'. If both are given, the percentage follows in parentheses. */
  amount?: string
  /** Whether a percentage in parentheses has a sign of its own. */
  percentSign?: 'always' | 'never'
  /** The color of zero: neutral, or green like a gain. */
  zero?: 'neutral' | 'gain'
  className?: string
}) {
  const { hidden } = useHiddenBalance()
  const direction = signOf(amount ?? percent ?? '0')
  const color = {
    '-1': 'text-loss',
    '0': zero === 'gain' ? 'text-gain' : 'text-ink2',
    '1': 'text-gain',
  }[direction]
  return (
    <Figure className={`inline-flex items-center gap-1 ${color} ${className}`}>
      {direction !== 0 && <Arrow up={direction > 0} />}
      <span>{changeText({ percent, amount, percentSign, hidden })}</span>
    </Figure>
  )
}

type Shown = {
  percent: string | undefined
  amount: string | undefined
  percentSign: 'always' | 'never'
  hidden: boolean
}

function changeText({ percent, amount, percentSign, hidden }: Shown) {
  if (amount === undefined) return percentText(percent ?? '0')
  const money = hidden ? hiddenText() : moneyText({ amount, sign: 'always' })
  // A line may begin with the percentage, but no line ends with the sign of an amount.
  const whole = <span className="whitespace-nowrap">{money}</span>
  return percent === undefined ? (
    whole
  ) : (
    <>
      {whole} ({percentText(percent, { sign: percentSign })})
    </>
  )
}

function Arrow({ up }: { up: boolean }) {
  return (
    <svg
      viewBox="0 0 10 10"
      aria-hidden="true"
      className={`size-[0.62em] shrink-0 fill-current ${up ? '' : 'rotate-180'}`}
    >
      <path d="M5 1 10 9.5H0Z" />
    </svg>
  )
}
