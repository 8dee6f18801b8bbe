import { z } from 'zod'
import { TradeFigures } from './bots.ts'
import { Decimal, Id, Timestamp, Usd } from './wire.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdrawal', 'trade', 'transfer', 'refund', 'dispute'] as const

/** One row of a user's history. `amount` is signed: what the row did to the user's money. */
export const Transaction = z.strictObject({
  id: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  description: z.string(),
  /** Signed USD. A trade shows the money it moved between cash and coins of the bot: minus for a purchase, plus for a sale. */
  amount: Usd,
  currency: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  createdAt: Timestamp,
})
export type Transaction = z.infer<typeof Transaction>

export const TransactionQuery = z.strictObject({
  type: z.enum(TRANSACTION_TYPES).optional(),
  cursor: z.string().max(200).optional(),
})

/** Of the trade export: those of one bot, else of all. */
export const TradesQuery = z.strictObject({ bot: Id.optional() })

export const TransactionPage = z.strictObject({ items: z.array(Transaction), nextCursor: z.string().nullable() })
export type TransactionPage = z.infer<typeof TransactionPage>

/**
 * How a trade was computed: bots of one level trade together, and each has its part by what it weighs. Bought coins and received money are
 * rounded down, sold coins, paid money and fees up.
 */
export const TradePart = z.strictObject({
  /** The number of the change in which they traded, counted for each level and pair. */
  change: z.string().regex(/^\d+$/),
  /** What the bot weighed, of the weight of all together. */
  weight: z.string().regex(/^\d+$/),
  whole: z.string().regex(/^\d+$/),
  /** What all together bought or sold, the money of it with the venue's fee, and that fee. */
  quantity: Decimal,
  total: Decimal,
  fee: Decimal,
})
export type TradePart = z.infer<typeof TradePart>

/** A row with the ledger lines behind it, or the computation: what every figure on screen can be opened to. */
export const TransactionReceipt = z.strictObject({
  transaction: Transaction,
  reference: z.string(),
  lines: z.array(z.strictObject({ account: z.string(), asset: z.string(), amount: Decimal, at: Timestamp })),
  /** The card provider's name for the payment behind a deposit. */
  paymentIntentId: z.string().nullable(),
  /** The trade that the row tells of. Its lines are computed, not booked. */
  trade: TradeFigures.nullable(),
  part: TradePart.nullable(),
})
export type TransactionReceipt = z.infer<typeof TransactionReceipt>
