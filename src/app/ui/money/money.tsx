import { useState, type ReactNode } from 'react'
import { type MoneyStyle } from '#core/money/text.ts'
import { moneyParts, moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { hiddenText, isHideable } from './hidden-amount.ts'

/** Shows an amount. Sentences print theirs with `useMoneyText`. */
export function Money({
  size = 'inline',
  own = true,
  className = '',
  ...style
}: MoneyStyle & {
  /** `hero` prints the cents raised at half size and animates the digits that change. */
  size?: 'inline' | 'hero'
  /**
   * False for amounts that are not the reader's money, such as limits and examples, and for those
   * that the reader is typing: they stay visible while own amounts are hidden, as prices always do.
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
 * Keeps signs and digits in their order in a page that runs from right to left, and translators
 * away from them.
 */
export function Figure({ className, children }: { className: string; children: ReactNode }) {
  return (
    <bdi dir="ltr" translate="no" className={className}>
      {children}
    </bdi>
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
      <span aria-hidden="true" className="flex items-start whitespace-nowrap">
        {Array.from(sign + whole, (digit, place) => (
          <span key={`${whole.length - place}${digit}`} className={`inline-block ${roll}`}>
            {digit}
          </span>
        ))}
        <span className="mt-[0.14em] text-[0.5em] leading-[1.2] font-medium tracking-normal text-ink2">
          {cents + unit}
        </span>
      </span>
    </Figure>
  )
}
