import type { Movement } from '#core/ledger/transfer.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { post } from '#server/ledger/post.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { auditCommand } from '#server/security/audit.ts'

const MOST = 10n ** 9n * ONE

type Receipt = { amount: Units; reference: string }

/** The amount and the bank's own reference as typed; undefined if one of them is wrong. */
export function receiptOf([amountText = '', reference = '']: readonly string[]):
  | Receipt
  | undefined {
  const amount = parseDecimal(amountText)
  return amount !== undefined && amount > 0n && amount <= MOST && /^[\w.-]{1,60}$/.test(reference)
    ? { amount, reference }
    : undefined
}

type OperatorBooking = Receipt & { subject: 'venue' | 'interest'; verb: string; movement: Movement }

/** Books money that the operator moved. False if its reference is booked already. */
export function bookMoney(
  context: OperatorContext,
  { subject, verb, movement, amount, reference }: OperatorBooking,
): Promise<boolean> {
  return context.atomically(async (tx) => {
    const answer = await post(tx, {
      id: context.newId(),
      dedupKey: `${subject}:${verb}:${reference}`,
      movement,
      eventTime: context.market.now(),
    })
    if (answer !== 'posted') return false
    const details = { amount: unitsToDecimal(amount, 8), reference }
    await auditCommand(context, { action: `${subject}.${verb}`, subject, details }, tx)
    return true
  })
}
