import type { RestAnswer } from '../exchange-side.ts'
import { printParts, type Parts } from '../orders/decimals.ts'

/** A refusal with Binance's code and message. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number, sentence?: string) {
    super(sentence ?? SENTENCES[code] ?? '')
    this.code = code
  }
}

/** The answer of `work`, or its refusal. */
export function orRefused(work: () => unknown): RestAnswer {
  try {
    return { body: work() }
  } catch (error) {
    if (error instanceof Refused) return refusalOf(error)
    throw error
  }
}

/** '-1015', or with a sentence of its own: '-2010 Market is closed.'. */
export function refusal(code: string): RestAnswer {
  const [, number = '', sentence = ''] = /^(-\d+)\s*(.*)$/.exec(code) ?? []
  if (number === '') throw new Error(`not a code of Binance: ${code}`)
  return refusalOf(new Refused(Number(number), sentence === '' ? undefined : sentence))
}

const refusalOf = ({ code, message }: Refused): RestAnswer => ({
  status: STATUSES[code] ?? 400,
  body: { code, msg: message },
})

/** 5XX leaves open what happened; 429 is a limit, 401 a key. The others are 400. */
const STATUSES: Readonly<Record<number, number>> = {
  [-1000]: 500,
  [-1001]: 500,
  [-1002]: 401,
  [-1003]: 429,
  [-1006]: 500,
  [-1007]: 504,
  [-1008]: 503,
  [-1015]: 429,
  [-1016]: 503,
  [-2014]: 401,
  [-2015]: 401,
}

/** The sentence of a code in Binance's errors.md, if it has one. */
const SENTENCES: Readonly<Record<number, string>> = {
  [-1000]: 'An unknown error occurred while processing the request.',
  [-1001]: 'Internal error; unable to process your request. Please try again.',
  [-1002]: 'You are not authorized to execute this request.',
  [-1003]: 'Too many requests queued.',
  [-1006]: 'An unexpected response was received from the message bus. Execution status unknown.',
  [-1007]:
    'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  [-1008]: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
  [-1013]: 'Market is closed.',
  [-1014]: 'Unsupported order combination.',
  [-1015]: 'Too many new orders.',
  [-1016]: 'This service is no longer available.',
  [-1020]: 'This operation is not supported.',
  [-1021]: 'Timestamp for this request is outside of the recvWindow.',
  [-1022]: 'Signature for this request is not valid.',
  [-1100]: 'Illegal characters found in a parameter.',
  [-1115]: 'Invalid timeInForce.',
  [-1116]: 'Invalid orderType.',
  [-1117]: 'Invalid side.',
  [-1120]: 'Invalid interval.',
  [-1121]: 'Invalid symbol.',
  [-2010]: 'Account has insufficient balance for requested action.',
  [-2011]: 'Unknown order sent.',
  [-2013]: 'Order does not exist.',
  [-2014]: 'API-key format invalid.',
  [-2015]: 'Invalid API-key, IP, or permissions for action.',
}

/** Binance prints every amount with eight decimals. */
export const eight = (parts: Parts): string => printParts(parts, 8)

/** The value of a mandatory parameter. */
export function mandatory(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === '')
    throw new Refused(
      -1102,
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
    )
  return value
}
