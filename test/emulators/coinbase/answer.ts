import { createHash } from 'node:crypto'
import type { RestAnswer } from '../exchange-side.ts'
import { printParts, type Parts } from '../orders/decimals.ts'

/** Refuses a call by its status. A refused order has status 200 and a body without success. */
export class Refused extends Error {
  readonly code: string
  readonly details: string
  constructor(code: string, details = '') {
    super(`${code} ${details}`)
    this.code = code
    this.details = details
  }
}

export function orRefused(work: () => unknown): RestAnswer {
  try {
    return { body: work() }
  } catch (error) {
    if (error instanceof Refused) return refusal(error.code, error.details)
    throw error
  }
}

/** Codes of calls; every other code is an order's. */
const STATUSES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  INTERNAL: 500,
  UNAVAILABLE: 503,
}

export const UNAUTHORIZED: RestAnswer = { status: 401, body: 'Unauthorized' }
/** As recorded: a page for browsers, unlike the documented JSON. */
const TOO_MANY: RestAnswer = {
  status: 429,
  body: '<html><head><title>Coinbase</title></head></html>',
}

export function refusal(code: string, details = code): RestAnswer {
  if (code === 'UNAUTHENTICATED') return UNAUTHORIZED
  if (code === 'RESOURCE_EXHAUSTED') return TOO_MANY
  const status = STATUSES[code]
  if (status === undefined) return { body: orderRefusal(code) }
  return { status, body: { error: code, error_details: details, message: details } }
}

const SENTENCES: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUND: 'Insufficient balance in source account',
  INVALID_PRICE_PRECISION: 'Too many decimals in order price',
  UNSUPPORTED_ORDER_CONFIGURATION: 'source is not enabled for trading',
}

/** A reason of the preview, or of the order itself. */
export function orderRefusal(code: string, configuration: object = {}): object {
  const isPreview = code.startsWith('PREVIEW_')
  const short = code.replace(/^PREVIEW_/, '')
  const hasOwn = isPreview && !(short in SENTENCES)
  return {
    success: false,
    error_response: {
      error: hasOwn ? 'UNKNOWN_FAILURE_REASON' : short,
      message: SENTENCES[short] ?? '',
      error_details: '',
      [isPreview ? 'preview_failure_reason' : 'new_order_failure_reason']: code,
    },
    order_configuration: configuration,
  }
}

/** Without trailing zeros: '3.92', '10', '0'. */
export function short(parts: Parts): string {
  return printParts(parts, 10).replace(/\.?0+$/, '')
}

/** The same UUID for the same words. */
export function uuidOf(...words: readonly string[]): string {
  const hex = createHash('sha256').update(words.join(' ')).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-5$3-8$4-$5')
}

/** '2023-11-26T10:19:47.423220Z': six decimals. */
export const microseconds = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z')
