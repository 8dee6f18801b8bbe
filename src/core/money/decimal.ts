import { assert } from '#core/assert.ts'
import { ONE, SCALE, type Units } from './amount.ts'
import { multiplyDivideFloor } from './rounding.ts'

const DECIMAL = /^(-?)(\d{1,11})(?:\.(\d{1,8}))?$/

/**
 * The one converter from text to units. Undefined for anything but plain decimals of at most 8
 * places: it never rounds.
 */
export function parseDecimal(text: string): Units | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, sign, whole = '0', fraction = ''] = match
  const units = BigInt(whole) * ONE + BigInt(fraction.padEnd(SCALE, '0'))
  return sign === '-' ? -units : units
}

/** Like `parseDecimal`, for text that our own code or database wrote: anything else is a bug. */
export function decimalToUnits(text: string): Units {
  const units = parseDecimal(text)
  assert(units !== undefined, `not a decimal: ${text.slice(0, 40)}`)
  return units
}

/**
 * The one writer from units to text: exactly `places` decimals (0 to 8), rounded towards minus
 * infinity. Example: `unitsToDecimal(1_050_000_000n, 2)` is '10.50'.
 */
export function unitsToDecimal(units: Units, places: number): string {
  assert(Number.isInteger(places) && places >= 0 && places <= SCALE, 'places must be 0 to 8')
  const floored = multiplyDivideFloor({ a: units, b: 1n, divisor: 10n ** BigInt(SCALE - places) })
  const digits = String(floored)
    .replace('-', '')
    .padStart(places + 1, '0')
  const sign = floored < 0n ? '-' : ''
  return places === 0
    ? sign + digits
    : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
