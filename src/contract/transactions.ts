import { z } from 'zod'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { msg } from '#words/words.ts'
import { TradeFigures } from './bots.ts'
import { MAX_SEARCH } from './query-values.ts'
import { Decimal, Id, Timestamp, Usd } from './wire.ts'

export const TRANSACTION_TYPES = [
  'deposit',
  'withdrawal',
  'trade',
  'transfer',
  'refund',
  'dispute',
] as const

/** One row of a user's history. `amount` is signed. */
export const Transaction = z.strictObject({
  id: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  description: z.string(),
  /**
   * Signed USD. The change of the cash balance as it is shown, so that the rows add up to it. For a
   * trade, the same amount as on its bot: money that became coins inside the bot, or coins that
   * became money, without the venue's fee. It does not change the cash balance.
   */
  amount: Usd,
  currency: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  createdAt: Timestamp,
  /** The market's clock at that moment. */
  marketTime: Timestamp,
  /** The bot that trades, or that the money went to or came from. */
  bot: z.strictObject({ id: Id, name: z.string() }).nullable(),
  /** The venue's fee of a trade. */
  venueFee: Decimal.nullable(),
  /**
   * Until when a withdrawal is not sent, to protect the account; null if it need not wait, and for
   * other rows.
   */
  sendsAfter: Timestamp.nullable(),
})
export type Transaction = z.infer<typeof Transaction>

/**
 * A moment that begins or ends a period. The calendar of the database begins later than that of ISO
 * 8601.
 */
const Moment = Timestamp.refine((text) => text >= '1970', msg('Please choose a date after 1970.'))

/** `from` belongs to the period, `to` does not. */
const PeriodQuery = z.strictObject({
  bot: Id.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
})

/**
 * The rows to list. `q` finds words in descriptions, names of bots and pairs, and references by
 * their beginning.
 */
export const TransactionQuery = PeriodQuery.extend({
  type: z.enum(TRANSACTION_TYPES).optional(),
  q: z.string().trim().max(MAX_SEARCH).refine(isOneLine, ONE_LINE_SENTENCE).optional(),
  cursor: z.string().max(200).optional(),
})
export type TransactionQuery = z.infer<typeof TransactionQuery>

/** Query of the exports: everything, or one bot or period. */
export const ExportQuery = PeriodQuery
export type ExportQuery = z.infer<typeof ExportQuery>

/**
 * `cash` is the available balance in the moment of the page: the sum of all rows that are neither
 * trades nor failed.
 */
export const TransactionPage = z.strictObject({
  items: z.array(Transaction),
  nextCursor: z.string().nullable(),
  cash: Usd,
})
export type TransactionPage = z.infer<typeof TransactionPage>

/**
 * How a bot's share of a trade was computed. Bots of one risk level trade together and share by
 * weight. Coins bought and money received are rounded down; coins sold, money paid and fees are
 * rounded up.
 */
export const TradePart = z.strictObject({
  /** Number of the trade among the changes of its risk level and pair. */
  change: z.string().regex(/^\d+$/),
  /** The bot's weight, and the weight of all bots together. */
  weight: z.string().regex(/^\d+$/),
  whole: z.string().regex(/^\d+$/),
  /**
   * Totals of all bots together: the quantity bought or sold, the money including the venue's fee,
   * and that fee.
   */
  quantity: Decimal,
  total: Decimal,
  fee: Decimal,
})
export type TradePart = z.infer<typeof TradePart>

/**
 * A row with the ledger lines or the computation behind it. Every figure on screen opens to one.
 */
export const TransactionReceipt = z.strictObject({
  transaction: Transaction,
  reference: z.string(),
  lines: z.array(
    z.strictObject({ account: z.string(), asset: z.string(), amount: Decimal, at: Timestamp }),
  ),
  /** The card provider's reference of the payment behind a deposit. */
  paymentIntentId: z.string().nullable(),
  /** The request behind a withdrawal. `cancelable`: it can still be canceled. */
  withdrawal: z.strictObject({ id: Id, cancelable: z.boolean() }).nullable(),
  /** The trade that the row shows. Its lines are computed, not booked. */
  trade: TradeFigures.nullable(),
  part: TradePart.nullable(),
})
export type TransactionReceipt = z.infer<typeof TransactionReceipt>
