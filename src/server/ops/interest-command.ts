import { interestFunded } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { auditCommand } from '#server/security/audit.ts'
import { readInterest } from '#server/ledger/read.ts'
import { permit } from '#server/operators/operator.ts'
import { bookMoney, receiptOf } from './book-money.ts'
import { done, type Command } from './command.ts'
import { misused } from './usage.ts'

export const interestCommand: Command = async (context, [verb = '', ...words]) => {
  await permit(context, verb === '' ? 'read interest' : 'book interest')
  if (verb === '') return show(context)
  const receipt = receiptOf(words)
  if (verb !== 'funded' || !receipt) throw misused('interest')
  const movement = interestFunded(receipt)
  return done(
    (await bookMoney(context, { subject: 'interest', verb, movement, ...receipt }))
      ? `Booked: received ${englishMoneyText(receipt)} for interest`
      : 'This receipt is booked already.',
  )
}

async function show(context: Parameters<Command>[0]): ReturnType<Command> {
  await auditCommand(context, { action: 'interest.show', subject: 'interest' })
  const { paid, received } = await readInterest(context.sql)
  const lines: [string, Units][] = [
    ['paid to bots', paid],
    ['received by the bank', received],
    ['still to come', paid - received],
  ]
  return {
    lines: lines.map(([what, amount]) => `${what}: ${englishMoneyText({ amount })}`),
    ok: true,
  }
}
