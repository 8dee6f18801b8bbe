import { z } from 'zod'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { TAX_FORMATS } from '#core/statement/tax-format.ts'
import type { CallRows } from './call-row.ts'
import { Decimal, Timestamp, Usd } from './wire.ts'

/** A fast simulated market outlives the year 9999. Each of these is a valid date. */
const Year = z.string().regex(/^([1-9]\d{3,4}|1\d{5})$/)

/** By default the present year of the market. */
export const YearQuery = z.strictObject({ year: Year.optional() })
export const TaxExportQuery = z.strictObject({ format: z.enum(TAX_FORMATS) })

const Result = z.strictObject({ cost: Usd, result: Usd })

/** Sales of a coin in all bots. Costs and proceeds include trading fees. */
export const CoinResult = z.strictObject({
  coin: z.enum(CRYPTO_ASSETS),
  quantity: Decimal,
  proceeds: Usd,
  /** First in, first out. */
  fifo: Result,
  average: Result,
})
export type CoinResult = z.infer<typeof CoinResult>

/**
 * A year of market time, in UTC. From `opening` on, changes are signed and add up to `closing`, by
 * the method first in, first out.
 */
export const YearStatement = z.strictObject({
  year: Year,
  isOver: z.boolean(),
  /** Newest first, as far as they have gone: years of the account since prices are known. */
  years: z.array(z.strictObject({ year: Year, from: Timestamp, to: Timestamp })),
  opening: Usd,
  deposits: Usd,
  refunds: Usd,
  withdrawals: Usd,
  realized: Usd,
  interest: Usd,
  /** Ours, on profit that left a bot. */
  fees: Usd,
  /** Change in the worth of what bots hold. */
  unrealized: Usd,
  closing: Usd,
  realizedByAverage: Usd,
  /** Contained in the results. */
  tradingFees: Usd,
  coins: z.array(CoinResult),
})
export type YearStatement = z.infer<typeof YearStatement>

export const statementCalls = {
  getStatement: {
    summary: 'Your year: results, fees, interest, and what came in and went out',
    access: 'user',
    query: YearQuery,
    response: YearStatement,
    problems: ['not-found'],
  },
} satisfies CallRows
