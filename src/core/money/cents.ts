import { assert } from '#core/assert.ts'
import { maximum, ONE, type Units } from './amount.ts'
import { unitsToDecimal } from './decimal.ts'
import { multiplyDivideFloor } from './rounding.ts'

export const CENT: Units = ONE / 100n

/**
 * Whole cents, floored, as balances and gains are shown: a loss of less than a cent shows as a
 * cent.
 */
export function floorToCents(units: Units): Units {
  return multiplyDivideFloor({ a: units, b: 1n, divisor: CENT }) * CENT
}

/**
 * Upper bound of what pools round away from somebody's money: 10⁻⁶ dollars. Each join or leave
 * rounds away less than a hundredth of that.
 */
export const DUST: Units = ONE / 1_000_000n

/**
 * Somebody's money without the loss by pools' rounding: an amount up to `DUST` below a whole cent
 * becomes that cent.
 */
export function withoutDust(units: Units): Units {
  return maximum(units, floorToCents(units + DUST))
}

/** Like `floorToCents`, but rounded up: for amounts that were paid. */
export function ceilToCents(units: Units): Units {
  return -floorToCents(-units)
}

/** A sum that was paid, in whole cents: parts of a cent round up. */
export function paidText(amounts: readonly Units[]): string {
  return unitsToDecimal(ceilToCents(amounts.reduce((sum, amount) => sum + amount, 0n)), 2)
}

/** The change between two balances as shown, each floored to the cent; so listed changes add up. */
export function centsBetween({ before, after }: { before: Units; after: Units }): Units {
  return floorToCents(after) - floorToCents(before)
}

/**
 * Units of USD as a whole number of cents, as card providers count. Throws `AssertionFailed` if a
 * fraction of a cent would be lost.
 */
export function unitsToCents(units: Units): number {
  assert(units % CENT === 0n, 'an amount in cents has no fraction of a cent')
  const whole = units / CENT
  const cents = Number(whole)
  assert(Number.isSafeInteger(cents), 'an amount in cents is a safe integer')
  return cents
}

/**
 * A card provider's whole number of cents in units of USD. Throws `AssertionFailed` for anything
 * but a whole number.
 */
export function centsToUnits(cents: number): Units {
  assert(Number.isSafeInteger(cents), 'a card provider counts in whole cents')
  return BigInt(cents) * CENT
}
