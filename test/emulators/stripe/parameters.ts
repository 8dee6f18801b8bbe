import { invalid } from './problem.ts'

/** The parameters of a request, nested according to `a[b]=c` and `a[]=c`. */
export type Parameters = { [name: string]: string | string[] | Parameters }

export function readParameters(text: string): Parameters {
  const parameters: Parameters = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first = '', inner] = /^([^[]+)(?:\[([^\]]*)\])?$/.exec(name) ?? []
    if (inner === undefined) parameters[first] = value
    else if (inner === '' || /^\d+$/.test(inner))
      parameters[first] = [...listOf(parameters[first]), value]
    else parameters[first] = { ...nested(parameters[first]), [inner]: value }
  }
  return parameters
}

const listOf = (value: Parameters[string] | undefined): string[] =>
  Array.isArray(value) ? value : []
export const nested = (value: Parameters[string] | undefined): Parameters =>
  typeof value === 'object' && !Array.isArray(value) ? value : {}
export const textOf = (value: Parameters[string] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/**
 * Like Stripe, refuses unknown parameters, so that a misspelled one is not mistaken for a default.
 */
export function refuseUnknown(parameters: Parameters, known: readonly string[]): void {
  const unknown = Object.keys(parameters).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown}`, {
      code: 'parameter_unknown',
      param: unknown,
    })
}

export function required(parameters: Parameters, name: string): string {
  const value = textOf(parameters[name])
  if (value === undefined || value === '')
    throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
  return value
}

const MINIMUM_CENTS = 50
const MAXIMUM_CENTS = 99_999_999

/** A whole number of cents within Stripe's limits for cards in USD. */
export function centsOf(parameters: Parameters): number {
  const text = required(parameters, 'amount')
  if (!/^-?\d+$/.test(text))
    throw invalid(`Invalid integer: ${text}`, {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  const cents = Number(text)
  if (cents < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  if (cents < MINIMUM_CENTS)
    throw invalid('Amount must be at least $0.50 usd', {
      code: 'amount_too_small',
      param: 'amount',
    })
  if (cents > MAXIMUM_CENTS)
    throw invalid('Amount must be no more than $999,999.99', {
      code: 'amount_too_large',
      param: 'amount',
    })
  return cents
}

const CURRENCIES = ['usd', 'eur', 'gbp']

export function currencyOf(parameters: Parameters): string {
  const currency = required(parameters, 'currency').toLowerCase()
  if (!CURRENCIES.includes(currency))
    throw invalid(
      `Invalid currency: ${currency}. Stripe currently supports these currencies: ` +
        CURRENCIES.join(', '),
      { param: 'currency' },
    )
  return currency
}

/** At most 50 keys of 40 characters with values of 500. */
export function metadataOf(parameters: Parameters): Record<string, string> {
  const entries = Object.entries(nested(parameters['metadata'])).map(
    ([key, value]) => [key, textOf(value) ?? ''] as const,
  )
  if (entries.length > 50)
    throw invalid('Metadata can have at most 50 keys.', { param: 'metadata' })
  const long = entries.find(([key, value]) => key.length > 40 || value.length > 500)
  if (long !== undefined) throw invalid(`Metadata is too long: ${long[0]}`, { param: 'metadata' })
  return Object.fromEntries(entries)
}

/** Rows per page: 1 to 100, default 10. */
export function limitOf(parameters: Parameters): number {
  const limit = Number(textOf(parameters['limit']) ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalid('This value must be between 1 and 100.', { param: 'limit' })
  return limit
}
