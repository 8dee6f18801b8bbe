import { SCALE, type Units } from './amount.ts'
import { parseDecimal, unitsToDecimal } from './decimal.ts'

/**
 * Decimals shown: always two (`cents`), none (`whole`), all that the figure has (`exact`), enough
 * for a price of its size (`price`), two unless they would hide a small cost (`fine`), or six, as
 * wallets show coins (`coin`).
 */
export type Precision = 'cents' | 'whole' | 'exact' | 'price' | 'fine' | 'coin'

export type MoneyStyle = {
  /**
   * Units, or decimal text as the server sends it. Neither ever becomes a floating-point number.
   */
  amount: Units | string
  /** 'USD' prints a dollar sign before the figure, any other asset its symbol after it. */
  asset?: string
  /** `always` puts a plus before gains and zero. A loss always has a minus, U+2212. */
  sign?: 'always' | 'auto'
  precision?: Precision
}

export type MoneyParts = { sign: string; whole: string; cents: string; unit: string }

export const MINUS = '\u2212'

/** An amount of USD as typed, without separators: up to 8 digits and 2 decimals. */
export const TYPED_AMOUNT = /^\d{1,8}(\.\d{1,2})?$/

/**
 * The only printer of amounts: '$1,234.50', '−$0.99', '0.5 BTC'. Finer digits are cut off, never
 * rounded. `moneyText` of `src/words` respells the text for readers of other languages.
 */
export function englishMoneyText(style: MoneyStyle): string {
  const { sign, whole, cents, unit } = englishMoneyParts(style)
  return sign + whole + cents + unit
}

/** The parts that `englishMoneyText` joins. */
export function englishMoneyParts({
  amount,
  asset = 'USD',
  sign,
  precision = 'cents',
}: MoneyStyle): MoneyParts {
  const text = typeof amount === 'bigint' ? unitsToDecimal(amount, SCALE) : amount
  const absolute = text.replace(/^-/, '')
  const grouped = englishDigits(absolute, digitsOf({ absolute, precision, asset }))
  const [whole = '0', fraction] = grouped.split('.')
  const plus = sign === 'always' ? '+' : ''
  return {
    sign: signOf(text) < 0 ? MINUS : plus,
    whole: asset === 'USD' ? `$${whole}` : whole,
    cents: fraction === undefined ? '' : `.${fraction}`,
    unit: asset === 'USD' ? '' : ` ${asset}`,
  }
}

/** −1, 0 or 1, decided on the exact units. */
export function signOf(decimal: string): -1 | 0 | 1 {
  const units = parseDecimal(decimal) ?? 0n
  if (units > 0n) return 1
  return units < 0n ? -1 : 0
}

/**
 * '1234567.8' as '1,234,567.80': between `minimum` and `maximum` decimals, cut towards zero. Text
 * that is no decimal stays as it is.
 */
export function englishDigits(
  decimal: string,
  { minimum, maximum }: { minimum: number; maximum: number },
): string {
  const [, sign, whole, fraction = ''] = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === undefined) return decimal
  const grouped = `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}`
  const decimals = fraction.slice(0, maximum).replace(/0+$/, '').padEnd(minimum, '0')
  return decimals === '' ? grouped : `${grouped}.${decimals}`
}

function digitsOf({
  absolute,
  precision,
  asset,
}: {
  absolute: string
  precision: Precision
  asset: string
}) {
  if (precision === 'coin') return { minimum: 6, maximum: 6 }
  if (precision === 'exact' || asset !== 'USD')
    return { minimum: asset === 'USD' ? 2 : 0, maximum: SCALE }
  if (precision === 'whole') return { minimum: 0, maximum: 0 }
  if (precision === 'cents') return { minimum: 2, maximum: 2 }
  if (precision === 'fine') return { minimum: 2, maximum: /^0+\.00/.test(absolute) ? 6 : 2 }
  return /^0*\./.test(absolute) ? { minimum: 4, maximum: 6 } : { minimum: 2, maximum: 2 }
}
