import type { Exchange } from 'ccxt'
import type { Units } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import type { Side } from '#core/trading/fill.ts'

/** A JSON object of an exchange's answer. Decimals in it are strings. */
export type Answer = Readonly<Record<string, unknown>>

/** An immediate-or-cancel limit order. `market`: the exchange's own name of the pair. */
export type Placing = {
  id: string
  market: string
  side: Side
  quantity: Units
  limit: Units
  sentAt: Date
  /** Whether the exchange only checks the order, without placing it. */
  isTest?: boolean
}

/** `fees`: by the exchange's name of the asset, or by 'quote' and 'base'. */
export type Found = {
  /** undefined: a state that the documentation does not list. */
  state: 'open' | 'ended' | undefined
  /** Units of base and of quote; undefined where the exchange gives no readable figure. */
  quantity: Units | undefined
  notional: Units | undefined
  fees: ReadonlyMap<string, Units> | undefined
  cancel: () => Promise<unknown>
}

/** How one exchange handles orders, by its documentation and through its own API. */
export type Dialect = {
  /** The exchange refuses an order that arrives later than this after it was signed. */
  deadlineMs: number
  /** Time after the deadline within which an executed order may still be missing from the lists. */
  listingMs: number
  /** Whether a market takes a limit order now. */
  isOpen: (market: Answer) => boolean
  /**
   * Codes of answers which mean that nothing was or will be executed. After any other code the
   * outcome is unknown.
   */
  refusals: ReadonlySet<string>
  /**
   * Codes in an answer to an order. The order is refused only if all of them are refusals. Empty if
   * the answer has no code.
   */
  codesOf: (status: number, body: Answer) => string[]
  /** Places an order. Returns the order id echoed in the answer; undefined if none is. */
  place: (client: Exchange, order: Placing) => Promise<string | undefined>
  look: (client: Exchange, order: Placing) => Promise<Found | undefined>
  readAccount: (client: Exchange) => Promise<AccountAnswer>
}

/**
 * `held`: balances, by the client's names of assets. `faults`: account settings that would make the
 * exchange's balances drift from the book's, a sentence each.
 */
type AccountAnswer = { held: Map<string, Units>; faults: string[] }

export const recordOf = (value: unknown): Answer =>
  typeof value === 'object' && value !== null ? (value as Answer) : {}

export const listOf = (value: unknown): Answer[] =>
  Array.isArray(value) ? value.map(recordOf) : []

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** An exchange's decimal, truncated to eight places; undefined if it is missing or no decimal. */
export function unitsOf(value: unknown): Units | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value)
  const isScientific = /e/i.test(text)
  return parseDecimal(isScientific ? plainDecimal(text) : text.replace(/(\.\d{8})\d+$/, '$1'))
}

/** '1e-8' as '0.00000001': some exchanges' form of steps. */
function plainDecimal(text: string): string {
  const [, digits = '0', exponent = '0'] = /^(\d+)(?:\.0*)?e-(\d+)$/i.exec(text) ?? []
  return `0.${digits.padStart(Number(exponent), '0')}`.slice(0, 10)
}

/**
 * An exchange's decimal, rounded up to eight places, because some exchanges use more places than
 * the book.
 */
export function ceilOf(value: unknown): Units | undefined {
  const units = unitsOf(value)
  return units !== undefined && /\.\d{8}0*[1-9]/.test(String(value)) ? units + 1n : units
}

/** Prints without trailing zeros, which some exchanges count as precision. */
export const printed = (units: Units): string => unitsToDecimal(units, 8).replace(/\.?0+$/, '')

export const words = (all: string): string[] => all.split(' ')

/** The sum; undefined if one of the numbers cannot be parsed. */
export function sumOf(all: readonly unknown[]): Units | undefined {
  let sum = 0n
  for (const each of all) {
    const units = unitsOf(each)
    if (units === undefined) return undefined
    sum += units
  }
  return sum
}

export function states({
  open,
  ended,
}: Record<'open' | 'ended', readonly string[]>): ReadonlyMap<unknown, 'open' | 'ended'> {
  return new Map<unknown, 'open' | 'ended'>([
    ...open.map((name) => [name, 'open'] as const),
    ...ended.map((name) => [name, 'ended'] as const),
  ])
}

/** Balances by name. Throws if one cannot be parsed, because it is not 0. */
export function sumByName(
  all: readonly (readonly [string, Units | undefined])[],
): Map<string, Units> {
  const sums = new Map<string, Units>()
  for (const [name, units] of all) {
    if (units === undefined) throw new Error(`the balance of ${name} cannot be read`)
    sums.set(name, (sums.get(name) ?? 0n) + units)
  }
  return sums
}
