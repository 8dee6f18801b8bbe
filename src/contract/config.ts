import { z } from 'zod'
import type { CallRows } from './call-row.ts'
import { PairSchema, Timestamp } from './wire.ts'

/** Settings for screens before sign-in. */
export const PublicConfig = z.strictObject({
  book: z.enum(['paper', 'live']),
  payments: z.strictObject({
    provider: z.enum(['sandbox', 'stripe', 'none']),
    publishableKey: z.string().optional(),
  }),
  feed: z.strictObject({
    kind: z.enum(['simulated', 'replay', 'live']),
    /** 'Simulated market', 'Recorded market', or the exchange's name. */
    label: z.string(),
    /** A warning that prices are simulated. */
    note: z.string().optional(),
    /** Market seconds per real second. */
    speed: z.number(),
    /** Market time of Day 1. */
    start: Timestamp,
    pairs: z.array(PairSchema),
  }),
  licence: z.string(),
  /** The returns that screens name: targets or past results. */
  claims: z.enum(['targets', 'evidence']),
  /** The operator's contact. */
  support: z.strictObject({ address: z.string(), href: z.string() }).nullable(),
  /** 'mailbox': messages are kept and shown on a page. */
  mail: z.enum(['smtp', 'mailbox', 'none']),
  assistant: z.enum(['AI Powered', 'Help search']),
  deposit: z.strictObject({ minimum: z.string(), maximum: z.string() }),
  /** The venue's fee, in percent of a trade's amount: '0.10'. */
  tradingFee: z.string(),
  /** The platform fee, in percent of profit taken out: '15.00'. */
  feePercentage: z.string(),
  /** The platform fee for a new hold bot. */
  holdFeePercentage: z.string(),
  /** Yearly interest on idle cash, and its payer; null without interest. */
  cashYield: z.strictObject({ percent: z.string(), source: z.string() }).nullable(),
  /** Fee, half spread and slippage, in basis points of the money traded. */
  tradingCostBps: z.int(),
  /** Hours for which withdrawals wait after a change of the account, such as a new bank account. */
  withdrawalHoldHours: z.int(),
})
export type PublicConfig = z.infer<typeof PublicConfig>

export const configCalls = {
  getConfig: {
    summary: 'Book, market, limits and fees of this installation',
    access: 'public',
    keys: 'read',
    response: PublicConfig,
  },
} satisfies CallRows
