import { unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { venueFunded } from '#core/ledger/movements.ts'
import { auditCommand } from '#server/security/audit.ts'
import { permit } from '#server/operators/operator.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { haltOrders, resumeOrders } from '#server/trading/halt.ts'
import { bookMoney, receiptOf } from './book-money.ts'
import { done, type Command } from './command.ts'
import { misused } from './usage.ts'

/**
 * Halts orders. Once it returns, no process sends an order; orders already sent are still booked.
 */
export const haltCommand: Command = async (context, words) => {
  await permit(context, 'halt orders')
  const reason = words.join(' ') || 'halted by an operator'
  const wasRunning = await context.atomically(async (tx) => {
    const isNew = await haltOrders(tx.sql, reason)
    await auditCommand(
      context,
      { action: 'orders.halt', subject: 'engine', details: { reason } },
      tx,
    )
    return isNew
  })
  return done(wasRunning ? `Orders are halted: ${reason}` : 'Orders were already halted.')
}

export const resumeCommand: Command = async (context) => {
  await permit(context, 'resume orders')
  const wasHalted = await context.atomically(async (tx) => {
    const isNew = await resumeOrders(tx.sql)
    await auditCommand(context, { action: 'orders.resume', subject: 'engine' }, tx)
    return isNew
  })
  return done(wasHalted ? 'Orders are allowed again.' : 'Orders were not halted.')
}

export const venueCommand: Command = async (context, [verb = 'compare', ...words]) => {
  await permit(context, verb === 'compare' ? 'compare the exchange' : 'book money at the exchange')
  if (verb === 'compare') return compare(context)
  const receipt = receiptOf(words)
  if ((verb !== 'funded' && verb !== 'withdrew') || !receipt) throw misused('venue')
  const { amount } = receipt
  const movement = venueFunded({ amount: verb === 'funded' ? amount : -amount })
  return done(
    (await bookMoney(context, { subject: 'venue', verb, movement, ...receipt }))
      ? `Booked: ${verb} ${moneyText({ amount })}`
      : 'That reference is booked already.',
  )
}

async function compare(context: Parameters<Command>[0]): ReturnType<Command> {
  await auditCommand(context, { action: 'venue.compare', subject: 'venue' })
  const differences = await compareVenue(context)
  if (differences === undefined)
    return { lines: ['An order is in progress: try again in a moment.'], ok: false }
  if (differences.length === 0) return done(`${context.venue.name} and the book agree.`)
  const lines = differences.map(
    ({ asset, held, booked }) =>
      `${asset}: ${context.venue.name} ${unitsToDecimal(held, 8)}, book ` +
      unitsToDecimal(booked, 8),
  )
  return { lines, ok: false }
}
