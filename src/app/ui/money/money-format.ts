import { parseDecimal } from '#core/money/decimal.ts'

/**
 * How many decimals: always two (`cents`), all that the figure has (`exact`), as many as a price of its size needs (`price`),
 * two unless that would make a small cost look like none (`fine`), or six, as wallets show coins (`coin`).
 */
export type Precision = 'cents' | 'exact' | 'price' | 'fine' | 'coin'

export type MoneyStyle = {
  /** Decimal text as the server sends it; it is never turned into a floating-point number. */
  amount: string
  /** 'USD' prints a dollar sign, any other asset its symbol after the figure. */
  asset?: string
  /** `always` puts a plus before gains; a minus is always shown, as U+2212. */
  sign?: 'always' | 'auto'
  precision?: Precision
}

export type MoneyParts = { sign: string; whole: string; cents: string; unit: string }

const MINUS = '\u2212'
const formats = new Map<string, Intl.NumberFormat>()

function formatWith({ minimum, maximum }: { minimum: number; maximum: number }): Intl.NumberFormat {
  const key = `${minimum}-${maximum}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', { minimumFractionDigits: minimum, maximumFractionDigits: maximum, roundingMode: 'trunc' })
  formats.set(key, made)
  return made
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text)
}

/** −1, 0 or 1, decided on the exact units. */
export function signOf(decimal: string): -1 | 0 | 1 {
  const units = parseDecimal(decimal) ?? 0n
  if (units === 0n) return 0
  return units < 0n ? -1 : 1
}

/** '1234567.8' as '1,234,567.80': grouped on the text itself, so no digit is ever lost. */
export function groupDigits(decimal: string, digits: { minimum: number; maximum: number }): string {
  return isNumeric(decimal) ? formatWith(digits).format(decimal) : decimal
}

function digitsOf({ amount, precision, asset }: { amount: string; precision: Precision; asset: string }) {
  if (precision === 'coin') return { minimum: 6, maximum: 6 }
  if (precision === 'exact' || asset !== 'USD') return { minimum: asset === 'USD' ? 2 : 0, maximum: 8 }
  if (precision === 'cents') return { minimum: 2, maximum: 2 }
  if (precision === 'fine') return { minimum: 2, maximum: /^0+\.00/.test(amount) ? 6 : 2 }
  return /^0*\./.test(amount) ? { minimum: 4, maximum: 6 } : { minimum: 2, maximum: 2 }
}

export function moneyParts({ amount, asset = 'USD', sign = 'auto', precision = 'cents' }: MoneyStyle): MoneyParts {
  const direction = signOf(amount)
  const absolute = amount.replace(/^-/, '')
  const grouped = groupDigits(absolute, digitsOf({ amount: absolute, precision, asset }))
  const [whole = '0', fraction] = grouped.split('.')
  const plus = sign === 'always' ? '+' : ''
  return {
    sign: direction < 0 ? MINUS : plus,
    whole: asset === 'USD' ? `$${whole}` : whole,
    cents: fraction === undefined ? '' : `.${fraction}`,
    unit: asset === 'USD' ? '' : ` ${asset}`,
  }
}

/** The one spelling of an amount, for labels and sentences; on screen `<Money>` prints it. */
export function moneyText(style: MoneyStyle): string {
  const { sign, whole, cents, unit } = moneyParts(style)
  return sign + whole + cents + unit
}

/** A plain figure, such as a ratio, with a true minus. */
export function figureText(figure: string): string {
  return figure.replace(/^-/, MINUS)
}

/** '-0.62' as '−0.62%', '1.8' as '+1.80%' where the sign is asked for. */
export function percentText(percent: string, { sign = 'always' }: { sign?: 'always' | 'never' | 'auto' } = {}): string {
  const digits = groupDigits(percent.replace(/^-/, ''), { minimum: 2, maximum: 2 })
  if (sign === 'never') return `${digits}%`
  if (signOf(percent) < 0) return `${MINUS}${digits}%`
  return sign === 'always' ? `+${digits}%` : `${digits}%`
}
