import type { RestAnswer } from '../exchange-side.ts'

/** Kraken answers most refusals with 200 and `error`, possibly with a result. */
export type KrakenAnswer = { status?: number; error?: readonly string[]; result?: unknown }

export function printKraken({ status = 200, error = [], result }: KrakenAnswer): RestAnswer {
  return { status, body: { error, result } }
}
