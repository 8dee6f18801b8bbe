import { csvCell } from '#core/csv-cell.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'

export type PayoutLine = {
  withdrawalId: string
  name: string
  routingNumber: string
  accountNumber: string
  accountType: 'checking' | 'savings'
  amount: Units
}

/** `number` identifies the batch and its file. */
export type PayoutBatch = { number: number; createdAt: Date; lines: readonly PayoutLine[] }

export function totalOf({ lines }: Pick<PayoutBatch, 'lines'>): Units {
  return lines.reduce((sum, { amount }) => sum + amount, 0n)
}

/** One line per payout, then count and total. */
export function payoutCsv(batch: PayoutBatch): string {
  const { number, lines } = batch
  const rows = lines.map(
    ({ withdrawalId, name, routingNumber, accountNumber, accountType, amount }, index) =>
      [
        number,
        index + 1,
        withdrawalId,
        csvCell(name),
        routingNumber,
        accountNumber,
        accountType,
        unitsToDecimal(amount, 2),
      ].join(','),
  )
  const trailer = [
    number,
    'total',
    lines.length,
    '',
    '',
    '',
    '',
    unitsToDecimal(totalOf(batch), 2),
  ].join(',')
  return [
    'batch,position,withdrawal,name,routing_number,account_number,account_type,amount',
    ...rows,
    trailer,
    '',
  ].join('\n')
}
