import { z } from 'zod'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { TAX_FORMATS } from '#core/statement/tax-format.ts'
import type { CallRows } from './call-row.ts'
import { Decimal, Timestamp, Usd } from './wire.ts'

/**
 * Years 1000 to 199999: a fast simulated market passes the year 9999. JavaScript has valid dates
 * for all of them.
 */
const Year = z.string().regex(/^([1-9]\d{3,4}|1\d{5})$/)

/** Default: the present year of the market. */
export const YearQuery = z.strictObject({ year: Year.optional() })
export const TaxExportQuery = z.strictObject({ format: z.enum(TAX_FORMATS) })

const Result = z.strictObject({ cost: Usd, result: Usd })

/** Sales of a coin, all bots together. Costs and proceeds include trading fees. */
export const CoinResult = z.strictObject({
  coin: z.enum(CRYPTO_ASSETS),
  quantity: Decimal,
  proceeds: Usd,
  /** Costs by first in, first out. */
  fifo: Result,
  average: Result,
})
export type CoinResult = z.infer<typeof CoinResult>

/**
 * A year of market time, in UTC. `opening` plus the signed changes is `closing`; results are by
 * first in, first out.
 */
export const YearStatement = z.strictObject({
  year: Year,
  isOver: z.boolean(),
  /** Years of the account for which prices are known, newest first. The present year ends now. */
  years: z.array(z.strictObject({ year: Year, from: Timestamp, to: Timestamp })),
  opening: Usd,
  deposits: Usd,
  refunds: Usd,
  withdrawals: Usd,
  realized: Usd,
  interest: Usd,
  /** Our fees, on profit that left a bot. */
  fees: Usd,
  /** Change in the worth of bots' holdings. */
  unrealized: Usd,
  closing: Usd,
  realizedByAverage: Usd,
  /** Already deducted from the results. */
  tradingFees: Usd,
  coins: z.array(CoinResult),
})
export type YearStatement = z.infer<typeof YearStatement>

export const statementCalls = {
  getStatement: {
    summary: 'Your year: results, fees, interest, and what came in and went out',
    access: 'user',
    keys: 'read',
    query: YearQuery,
    response: YearStatement,
    problems: ['not-found'],
  },
} satisfies CallRows
