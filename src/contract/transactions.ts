import { z } from 'zod'
import { TradeFigures } from './bots.ts'
import { Decimal, Timestamp, Usd } from './wire.ts'

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

export const TransactionPage = z.strictObject({ items: z.array(Transaction), nextCursor: z.string().nullable() })
export type TransactionPage = z.infer<typeof TransactionPage>

/** A row with the ledger lines behind it: what every figure on screen can be opened to. */
export const TransactionReceipt = z.strictObject({
  transaction: Transaction,
  reference: z.string(),
  lines: z.array(z.strictObject({ account: z.string(), asset: z.string(), amount: Decimal, at: Timestamp })),
  /** The card provider's name for the payment behind a deposit. */
  paymentIntentId: z.string().nullable(),
  /** The trade that the row tells of. */
  trade: TradeFigures.nullable(),
})
export type TransactionReceipt = z.infer<typeof TransactionReceipt>
