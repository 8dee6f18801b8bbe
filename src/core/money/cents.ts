import { assert } from '#core/assert.ts'
import { ONE, type Units } from './amount.ts'

const UNITS_PER_CENT = ONE / 100n

/** Units of USD as a whole number of cents, as card providers count. Throws `AssertionFailed` where a fraction of a cent would be lost. */
export function unitsToCents(units: Units): number {
  assert(units % UNITS_PER_CENT === 0n, 'an amount in cents has no fraction of a cent')
  const whole = units / UNITS_PER_CENT
  const cents = Number(whole)
  assert(Number.isSafeInteger(cents), 'an amount in cents is a safe integer')
  return cents
}

/** A card provider's whole number of cents in units of USD. Throws `AssertionFailed` for anything but a whole number. */
export function centsToUnits(cents: number): Units {
  assert(Number.isSafeInteger(cents), 'a card provider counts in whole cents')
  return BigInt(cents) * UNITS_PER_CENT
}
