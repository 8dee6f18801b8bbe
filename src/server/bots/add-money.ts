import { botFunded } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
import { publishMoney, wakeEngine } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { addToBot } from './change-bots.ts'
import { raiseMarks } from './guards.ts'

/** `cause`: names the event among those of its bot, so that it is booked once. */
type Added = {
  userId: string
  id: string
  amount: Units
  cause: string
  description: string
  eventTime: Date
}

/**
 * Moves money from the user's locked cash to a locked bot at once; the engine trades with it at the
 * next price. Returns the transfer's id.
 */
export async function addMoney(
  { newId }: Context,
  tx: Transaction,
  { userId, id, amount, cause, description, eventTime }: Added,
): Promise<string> {
  const transferId = newId()
  await post(tx, {
    id: transferId,
    dedupKey: `bot:${id}:${cause}`,
    movement: botFunded({ userId, amount }),
    userId,
    eventTime,
  })
  await addToBot(tx, { userId, id, amount })
  await raiseMarks(tx, { userId, id, amount })
  await writeTransaction(tx, {
    id: newId(),
    userId,
    type: 'transfer',
    status: 'completed',
    transferId,
    botId: id,
    amount: -amount,
    description,
  })
  await publishMoney(tx, userId, ['bots'])
  await wakeEngine(tx)
  return transferId
}
