import { useState, type ReactNode } from 'react'
import { MINUS, signOf, type MoneyStyle } from '#core/money/text.ts'
import {
  digitsText,
  groupDigits,
  moneyParts,
  moneyText,
  withDollar,
  withPercent,
} from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'

/** Shows an amount. In sentences, use `useMoneyText`. */
export function Money({
  size = 'inline',
  own = true,
  className = '',
  ...style
}: MoneyStyle & {
  /** `hero` prints the cents raised at half size and animates the digits that change. */
  size?: 'inline' | 'hero'
  /**
   * False for amounts that are shown even if the reader hides amounts: limits, examples, and an
   * amount being typed.
   */
  own?: boolean
  className?: string
}) {
  const { hidden } = useHiddenBalance()
  if (hidden && own && isHideable(style))
    return <HiddenMoney text={hiddenText(style)} size={size} className={className} />
  if (size === 'hero') return <HeroMoney className={className} {...style} />
  return <Figure className={`whitespace-nowrap ${className}`}>{moneyText(style)}</Figure>
}

/**
 * Keeps signs and digits in their order in a right-to-left page, and excludes them from translation
 * by the browser.
 */
function Figure({ className, children }: { className: string; children: ReactNode }) {
  return (
    <bdi dir="ltr" translate="no" className={className}>
      {children}
    </bdi>
  )
}

/** A sentence whose amounts and percentages are treated like `Figure`. */
export function FigureText({ children }: { children: string }) {
  return children.split(/(\$\d[\d.,]*(?<=\d)|\d[\d.,]*\u00A0?[$%])/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      <Figure key={place} className="whitespace-nowrap">
        {part}
      </Figure>
    ),
  )
}

function HiddenMoney({
  text,
  size,
  className,
}: {
  text: string
  size: 'inline' | 'hero'
  className: string
}) {
  return (
    <Figure
      className={
        `whitespace-nowrap ${size === 'hero' ? 'block text-hero font-semibold' : ''} ` + className
      }
    >
      <span className="sr-only">{t('Hidden')}</span>
      <span aria-hidden="true">{text}</span>
    </Figure>
  )
}

function HeroMoney({ className, ...style }: MoneyStyle & { className: string }) {
  const [first] = useState(style.amount)
  const { sign, whole, cents, unit } = moneyParts(style)
  const roll = first === style.amount ? '' : 'motion-safe:animate-roll'
  const long = whole.length + unit.length > 9
  return (
    <Figure
      className={
        `block font-semibold tracking-[-0.02em] ${long ? 'text-hero-long' : 'text-hero'} ` +
        className
      }
    >
      <span className="sr-only">{moneyText(style)}</span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {Array.from(sign + whole, (digit, place) => (
          <span key={`${whole.length - place}${digit}`} className={`inline-block ${roll}`}>
            {digit}
          </span>
        ))}
        <span
          className={
            'mt-[0.14em] inline-block align-top text-[0.5em] leading-[1.2] font-medium ' +
            'tracking-normal text-ink2'
          }
        >
          {cents + unit}
        </span>
      </span>
    </Figure>
  )
}

/** A neutral percentage, without color or arrow. For gains and losses, use `<Change>`. */
export function Percent({
  value,
  sign = 'auto',
}: {
  value: string
  sign?: 'always' | 'never' | 'auto'
}) {
  return <Figure className="whitespace-nowrap">{percentText(value, { sign })}</Figure>
}

/**
 * Shows a change by arrow, sign and color together, never by color alone. The percentage stays
 * visible while amounts are hidden, because it does not reveal how much somebody has.
 */
export function Change({
  percent,
  amount,
  percentSign = 'never',
  zero = 'neutral',
  isFees = false,
  className = '',
}: {
  percent?: string
  /** Dollars, such as '-12.40'. If `percent` is given too, it follows in parentheses. */
  amount?: string
  /** Whether a percentage in parentheses has a sign of its own. */
  percentSign?: 'always' | 'never'
  zero?: 'neutral' | 'gain'
  /** A loss that trading fees explain does not have the color of losses. */
  isFees?: boolean
  className?: string
}) {
  const { hidden } = useHiddenBalance()
  const direction = signOf(amount ?? percent ?? '0')
  const color = {
    '-1': isFees ? 'text-ink' : 'text-loss',
    '0': zero === 'gain' ? 'text-gain' : 'text-ink2',
    '1': 'text-gain',
  }[direction]
  return (
    <Figure className={`inline-flex items-center gap-1 ${color} ${className}`}>
      <span className="sr-only">{spokenChange({ percent, amount, hidden })}</span>
      {direction !== 0 && <Arrow up={direction > 0} />}
      <span aria-hidden="true">{changeText({ percent, amount, percentSign, hidden })}</span>
    </Figure>
  )
}

/** 'down $11.25 or 2.81%', because screen readers may skip a sign. */
export function spokenChange({
  percent,
  amount,
  hidden = false,
}: {
  percent?: string | undefined
  amount?: string | undefined
  hidden?: boolean
}): string {
  const money = amount && (hidden ? t('Hidden') : moneyText({ amount: amount.replace('-', '') }))
  const share = percent && percentText(percent, { sign: 'never' })
  const change = money && share ? t('{money} or {share}', { money, share }) : (money ?? share ?? '')
  return signOf(amount ?? percent ?? '0') < 0
    ? t('down {change}', { change })
    : t('up {change}', { change })
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

export function figureText(figure: string): string {
  return digitsText(figure.replace(/^-/, MINUS))
}

/** '-0.62' as '−0.62%', '1.8' as '+1.80%' if a sign is requested. */
export function percentText(
  percent: string,
  { sign = 'always' }: { sign?: 'always' | 'never' | 'auto' } = {},
): string {
  const digits = groupDigits(percent.replace(/^-/, ''), { minimum: 2, maximum: 2 })
  if (sign === 'never') return withPercent(digits)
  if (signOf(percent) < 0) return withPercent(MINUS + digits)
  return withPercent(sign === 'always' ? `+${digits}` : digits)
}

/** A mask of fixed length, so that it does not reveal the size of the hidden amount. */
export function hiddenText({ asset = 'USD' }: Pick<MoneyStyle, 'asset'> = {}): string {
  return asset === 'USD' ? withDollar('••••••') : `•••••• ${asset}`
}

/** Whether a figure can be hidden. Prices never are, because they belong to the market. */
function isHideable({ precision }: Pick<MoneyStyle, 'precision'>): boolean {
  return precision !== 'price'
}

export function useMoneyText(): (style: MoneyStyle) => string {
  const { hidden } = useHiddenBalance()
  return (style) => (hidden && isHideable(style) ? hiddenText(style) : moneyText(style))
}
