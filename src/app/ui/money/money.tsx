import { useState } from 'react'
import { moneyParts, moneyText, type MoneyStyle } from '#core/money/text.ts'

type Props = MoneyStyle & {
  /** `hero` prints the cents raised at half size and animates the digits that change. */
  size?: 'inline' | 'hero'
  className?: string
}

/** Shows an amount. Sentences print theirs with `moneyText`. */
export function Money({ size = 'inline', className = '', ...style }: Props) {
  if (size === 'hero') return <HeroMoney className={className} {...style} />
  return <span className={`whitespace-nowrap ${className}`}>{moneyText(style)}</span>
}

function HeroMoney({ className, ...style }: MoneyStyle & { className: string }) {
  const [first] = useState(style.amount)
  const { sign, whole, cents } = moneyParts(style)
  const roll = first === style.amount ? '' : 'motion-safe:animate-roll'
  const long = whole.length > 9
  return (
    <span className={`block font-semibold tracking-[-0.02em] ${long ? 'text-[2.125rem] leading-[3.02rem]' : 'text-46'} ${className}`}>
      <span className="sr-only">{moneyText(style)}</span>
      <span aria-hidden="true" className="flex items-start whitespace-nowrap">
        {Array.from(sign + whole, (digit, place) => (
          <span key={`${whole.length - place}${digit}`} className={`inline-block ${roll}`}>
            {digit}
          </span>
        ))}
        <span className="mt-[0.14em] text-[0.5em] leading-[1.2] font-medium tracking-normal text-ink2">{cents}</span>
      </span>
    </span>
  )
}
