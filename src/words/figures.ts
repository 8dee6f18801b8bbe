import {
  englishDigits,
  englishMoneyParts,
  type MoneyParts,
  type MoneyStyle,
} from '#core/money/text.ts'
import { language } from './language.ts'

/** The spelling of texts that core prints as '$1,234.50' and '12.5%', in one language. */
type Spelling = { group: string; decimal: string; percent: string; dollarFirst: boolean }

export const SPELLINGS = {
  en: { group: ',', decimal: '.', percent: '%', dollarFirst: true },
  de: { group: '.', decimal: ',', percent: '\u00a0%', dollarFirst: false },
} as const satisfies Record<ReturnType<typeof language>, Spelling>

const DOLLAR_LAST = '\u00a0$'

/** '$1,234.50' in the reader's spelling, such as '1.234,50 $'. */
export function moneyText(style: MoneyStyle): string {
  const { sign, whole, cents, unit } = moneyParts(style)
  return sign + whole + cents + unit
}

/** The parts of `moneyText`, for screens that show the cents in another style. */
export function moneyParts(style: MoneyStyle): MoneyParts {
  const { sign, whole, cents, unit } = englishMoneyParts(style)
  const dollarFirst = isDollarFirst()
  const isDollar = whole.startsWith('$')
  return {
    sign,
    whole: digitsText(dollarFirst ? whole : whole.replace('$', '')),
    cents: digitsText(cents),
    unit: isDollar && !dollarFirst ? DOLLAR_LAST : unit,
  }
}

/** '1234567.8' as '1,234,567.80' in the reader's spelling. */
export function groupDigits(decimal: string, digits: { minimum: number; maximum: number }): string {
  return digitsText(englishDigits(decimal, digits))
}

/** 12345 as '12,345' in the reader's spelling. */
export function countText(count: number): string {
  return groupDigits(String(count), { minimum: 0, maximum: 0 })
}

/** `figure`, already in the reader's spelling, with the reader's percent sign: '12.5%'. */
export function withPercent(figure: string): string {
  return figure + SPELLINGS[language()].percent
}

export function withDollar(digits: string): string {
  return isDollarFirst() ? `$${digits}` : digits + DOLLAR_LAST
}

export function isDollarFirst(): boolean {
  return SPELLINGS[language()].dollarFirst
}

/** The reader's locale, for the formatters of the browser and of Node. */
export function locale(): string {
  return { en: 'en-US', de: 'de-DE' }[language()]
}

/** A figure with the reader's decimal mark, such as '1,234.5'. */
export function digitsText(figure: string): string {
  const { group, decimal } = SPELLINGS[language()]
  return group === ','
    ? figure
    : figure.replaceAll(/[.,]/g, (mark) => (mark === ',' ? group : decimal))
}
