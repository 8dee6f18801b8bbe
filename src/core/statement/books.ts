import { required } from '#core/assert.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import type { Units } from '#core/money/amount.ts'
import type { Side } from '#core/trading/fill.ts'

/** Reasons for a change of a user's money, apart from trades. `fee`: the platform fee. */
export type MoneyReason = 'deposit' | 'refund' | 'withdrawal' | 'interest' | 'fee'

/** `amount`: the signed change. `atMs`: market time. */
export type MoneyRow = { reason: MoneyReason; id: string; atMs: number; amount: Units }

/**
 * `quantity`: coins as traded. `coins`: those that enter or leave the holdings; a sale of
 * everything includes the dust of pools. `total`: money paid or received, after `fee`.
 */
export type TradeRow = {
  side: Side
  id: string
  atMs: number
  coin: CryptoAsset
  quantity: Units
  coins: Units
  total: Units
  fee: Units
}

/** A row of all that changes a user's taxable holdings: the source of statements and exports. */
export type BookRow = MoneyRow | TradeRow

export const isTrade = (row: BookRow): row is TradeRow => 'side' in row

/**
 * A transfer of the ledger. `cash`: the change of cash and holds. `fee`: the platform fee in it.
 */
export type MoneyMove = { id: string; kind: string; eventTime: Date; cash: Units; fee: Units }

/** Transfers that bring money into the account or take it out. Others move money inside it. */
const REASONS: Readonly<Record<string, MoneyReason>> = {
  deposit: 'deposit',
  refund: 'refund',
  'refund-returned': 'refund',
  dispute: 'refund',
  'dispute-returned': 'refund',
  'debt-repaid': 'refund',
  'payout-submitted': 'withdrawal',
  'payout-failed': 'withdrawal',
  'payout-returned': 'withdrawal',
}
const INSIDE = new Set(['bot-funded', 'bot-returned'])

/** The rows of a transfer: none if the money stays inside. Throws for an unknown kind. */
export function moneyRows({ id, kind, eventTime, cash, fee }: MoneyMove): BookRow[] {
  const atMs = eventTime.getTime()
  const rows: BookRow[] = fee === 0n ? [] : [{ reason: 'fee', id, atMs, amount: -fee }]
  if (cash === 0n || INSIDE.has(kind)) return rows
  const reason = required(REASONS[kind], `the statement knows transfers of the kind ${kind}`)
  return [...rows, { reason, id, atMs, amount: cash }]
}
