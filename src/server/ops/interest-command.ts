import { interestFunded } from '#core/ledger/movements.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { readInterest } from '#server/ledger/read.ts'
import { post } from '#server/ledger/post.ts'
import { permit } from '#server/operators/operator.ts'
import type { Command } from './command.ts'

const MOST = 10n ** 9n * ONE

/**
 * Shows the interest that the house paid on idle cash, and books what the operator's bank received
 * for it.
 */
export const interestCommand: Command = async (
  context,
  [verb = '', amountText = '', reference = ''],
) => {
  await permit(context, verb === '' ? 'read interest' : 'book interest')
  if (verb === '') return show(context)
  const amount = parseDecimal(amountText)
  if (
    verb !== 'funded' ||
    amount === undefined ||
    amount <= 0n ||
    amount > MOST ||
    !/^[\w.-]{1,60}$/.test(reference)
  ) {
    throw new Refusal('invalid-input', {
      sentence: 'Use interest, or interest funded AMOUNT REFERENCE with the bank’s own reference.',
    })
  }
  const posted = await context.atomically(async (tx) => {
    const answer = await post(tx, {
      id: context.newId(),
      dedupKey: `interest:funded:${reference}`,
      movement: interestFunded({ amount }),
      eventTime: context.market.now(),
    })
    if (answer !== 'posted') return answer
    const details = { amount: unitsToDecimal(amount, 8), reference }
    await auditCommand(context, { action: 'interest.funded', subject: 'interest', details }, tx)
    return answer
  })
  return {
    lines: [
      posted === 'posted'
        ? `Booked: received ${moneyText({ amount })} for interest`
        : 'This receipt is booked already.',
    ],
    ok: true,
  }
}

async function show(context: Parameters<Command>[0]): ReturnType<Command> {
  await auditCommand(context, { action: 'interest.show', subject: 'interest' })
  const { paid, received } = await readInterest(context.sql)
  const lines: [string, Units][] = [
    ['paid to bots', paid],
    ['received by the bank', received],
    ['still to come', paid - received],
  ]
  return { lines: lines.map(([what, amount]) => `${what}: ${moneyText({ amount })}`), ok: true }
}
