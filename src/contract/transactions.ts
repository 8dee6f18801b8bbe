import { z } from 'zod'
import { TradeFigures } from './bots.ts'
import { Decimal, Id, Timestamp, Usd } from './wire.ts'

export const TRANSACTION_TYPES = ['deposit', 'withdrawal', 'trade', 'transfer', 'refund', 'dispute'] as const

/** One row of a user's history. `amount` is signed: the change to the user's money. */
export const Transaction = z.strictObject({
  id: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  description: z.string(),
  /** Signed USD. For a trade, the money moved between the bot's cash and coins: negative for a purchase, positive for a sale. */
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

/** Query of the trade export: the trades of one bot, or of all bots. */
export const TradesQuery = z.strictObject({ bot: Id.optional() })

export const TransactionPage = z.strictObject({ items: z.array(Transaction), nextCursor: z.string().nullable() })
export type TransactionPage = z.infer<typeof TransactionPage>

/**
 * How a bot's share of a trade was computed. Bots of one risk level trade together and share by weight. Coins bought and money received are
 * rounded down; coins sold, money paid and fees are rounded up.
 */
export const TradePart = z.strictObject({
  /** Number of the trade among the changes of its risk level and pair. */
  change: z.string().regex(/^\d+$/),
  /** The bot's weight, and the weight of all bots together. */
  weight: z.string().regex(/^\d+$/),
  whole: z.string().regex(/^\d+$/),
  /** Totals of all bots together: the quantity bought or sold, the money including the venue's fee, and that fee. */
  quantity: Decimal,
  total: Decimal,
  fee: Decimal,
})
export type TradePart = z.infer<typeof TradePart>

/** A row with the ledger lines or the computation behind it. Every figure on screen opens to one. */
export const TransactionReceipt = z.strictObject({
  transaction: Transaction,
  reference: z.string(),
  lines: z.array(z.strictObject({ account: z.string(), asset: z.string(), amount: Decimal, at: Timestamp })),
  /** The card provider's reference of the payment behind a deposit. */
  paymentIntentId: z.string().nullable(),
  /** The trade that the row shows. Its lines are computed, not booked. */
  trade: TradeFigures.nullable(),
  part: TradePart.nullable(),
})
export type TransactionReceipt = z.infer<typeof TransactionReceipt>
