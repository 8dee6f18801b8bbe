import { z } from 'zod'
import { PairSchema, Timestamp } from './wire.ts'

/** Facts about this installation that screens need before anyone signs in. */
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
    /** A warning about the prices of a simulated market, in one sentence. */
    note: z.string().optional(),
    /** Market seconds per real second. */
    speed: z.number(),
    /** Market time at which this book's market began: the start of Day 1 of a simulated market. */
    start: Timestamp,
    pairs: z.array(PairSchema),
  }),
  licence: z.string(),
  /**
   * The returns that screens name: the targets of the risk levels, or the figures of the evidence
   * in their place.
   */
  claims: z.enum(['targets', 'evidence']),
  /** Where users reach the operator, as text and as a link; null if no address is configured. */
  support: z.strictObject({ address: z.string(), href: z.string() }).nullable(),
  /** Whether messages leave by mail, are kept in a mailbox that a page shows, or cannot be sent. */
  mail: z.enum(['smtp', 'mailbox', 'none']),
  assistant: z.enum(['AI Powered', 'Help search']),
  deposit: z.strictObject({ minimum: z.string(), maximum: z.string() }),
  /** The venue's fee on each trade, in percent of its amount: '0.10'. */
  tradingFee: z.string(),
  /** Platform fee on profit taken out of a bot, in percent with two decimals: '15.00'. */
  feePercentage: z.string(),
  /** The same for a new bot that holds. */
  holdFeePercentage: z.string(),
  /**
   * Yearly interest on idle cash of bots, in percent, and where that money is from; null without
   * interest.
   */
  cashYield: z.strictObject({ percent: z.string(), source: z.string() }).nullable(),
  /** Fee, half spread and slippage of a trade, in basis points of the money traded. */
  tradingCostBps: z.number().int(),
  /** Hours that withdrawals wait after a change of an account, such as a new bank account. */
  withdrawalHoldHours: z.number().int(),
})
export type PublicConfig = z.infer<typeof PublicConfig>
