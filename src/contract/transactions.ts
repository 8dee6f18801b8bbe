import { z } from 'zod'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { msg } from '#words/words.ts'
import type { CallRows } from './call-row.ts'
import { TradeFigures } from './bots.ts'
import { MAX_SEARCH } from './query-values.ts'
import { CursorQuery, Decimal, Id, pageOf, Timestamp, Usd, WaitingPair } from './wire.ts'

export const TRANSACTION_TYPES = [
  'deposit',
  'withdrawal',
  'trade',
  'transfer',
  'refund',
  'dispute',
] as const

export const Transaction = z.strictObject({
  id: z.string(),
  type: z.enum(TRANSACTION_TYPES),
  description: z.string(),
  /**
   * Signed change of the cash balance as shown. The balance is the sum of all rows except trades,
   * whose money stays inside the bot. The amount of a trade excludes the venue's fee.
   */
  amount: Usd,
  currency: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  createdAt: Timestamp,
  marketTime: Timestamp,
  bot: z.strictObject({ id: Id, name: z.string() }).nullable(),
  /** The venue's fee of a trade. */
  venueFee: Decimal.nullable(),
  /** Time until which a withdrawal waits, to protect the account. */
  sendsAfter: Timestamp.nullable(),
})
export type Transaction = z.infer<typeof Transaction>

/** PostgreSQL refuses year 0000, which `Timestamp` accepts. No row is older than 1970. */
const Moment = Timestamp.refine((text) => text >= '1970', msg('Please choose a date after 1970.'))

/** `from` is inclusive, `to` exclusive. */
export const ExportQuery = z.strictObject({
  bot: Id.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
})

export type ExportQuery = z.infer<typeof ExportQuery>

/** `q`: words in descriptions and in names of bots and pairs, or the beginnings of references. */
export const TransactionQuery = ExportQuery.extend({
  type: z.enum(TRANSACTION_TYPES).optional(),
  q: z.string().trim().max(MAX_SEARCH).refine(isOneLine, ONE_LINE_SENTENCE).optional(),
  ...CursorQuery.shape,
})
export type TransactionQuery = z.infer<typeof TransactionQuery>

/** `cash`: the available balance, the sum of all rows that are neither trades nor failed. */
export const TransactionPage = pageOf(Transaction).extend({ cash: Usd })
export type TransactionPage = z.infer<typeof TransactionPage>

const Digits = z.string().regex(/^\d+$/)

/**
 * The figures from which a bot's share of a trade was computed. Bots of one pool share by weight.
 * Coins bought and money received are rounded down; coins sold, money paid and fees are rounded up.
 */
export const TradePart = z.strictObject({
  /** Number of the change in its pool's journal. */
  change: Digits,
  weight: Digits,
  /** Total weight of all bots. */
  whole: Digits,
  /** Quantity and total of all bots. `total` includes the venue's fee. */
  quantity: Decimal,
  total: Decimal,
  fee: Decimal,
})
export type TradePart = z.infer<typeof TradePart>

const PriceAt = z.strictObject({ at: Timestamp, value: Decimal })

/** The price around a trade. `at`: market time. */
const TradePicture = z.strictObject({
  /** Oldest first, from before the purchase of the coins to a day after the trade. */
  prices: z.array(PriceAt),
  /** The last purchase before a sale; null if it was before the first of `prices`. */
  bought: PriceAt.nullable(),
  /** The high or stop that the trade's reason names. */
  level: z.strictObject({ days: z.int(), price: Decimal, isHigh: z.boolean() }).nullable(),
})

/** A row with its ledger lines or, for a trade, the computation of its share. */
export const TransactionReceipt = z.strictObject({
  transaction: Transaction,
  reference: z.string(),
  lines: z.array(
    z.strictObject({ account: z.string(), asset: z.string(), amount: Decimal, at: Timestamp }),
  ),
  /** The card provider's reference of a deposit. */
  paymentIntentId: z.string().nullable(),
  withdrawal: z.strictObject({ id: Id, cancelable: z.boolean() }).nullable(),
  /** Pairs that the bot could not sell yet when it paid this part of the money. */
  waitingPairs: z.array(WaitingPair),
  /** Null for other rows. A trade has no ledger lines: its figures are computed. */
  trade: TradeFigures.nullable(),
  part: TradePart.nullable(),
  /** Null for other rows, and for a pair whose prices are not known. */
  picture: TradePicture.nullable(),
})
export type TransactionReceipt = z.infer<typeof TransactionReceipt>

export const transactionCalls = {
  listTransactions: {
    summary: 'Your history, newest first',
    access: 'user',
    keys: 'read',
    query: TransactionQuery,
    response: TransactionPage,
    problems: ['cursor-invalid'],
  },
  getTransaction: {
    summary: 'The receipt of a row of your history',
    access: 'user',
    id: 'pair',
    keys: 'read',
    response: TransactionReceipt,
  },
} satisfies CallRows
