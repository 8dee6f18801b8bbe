import { ONE } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { venueFunded } from '#core/ledger/movements.ts'
import { auditCommand } from '#server/security/audit.ts'
import { post } from '#server/ledger/post.ts'
import { permit } from '#server/operators/operator.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { haltOrders, resumeOrders } from '#server/trading/halt.ts'
import type { Command } from './command.ts'

/** Once it returns, no process sends an order; orders on their way are still booked. */
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
  return {
    lines: [wasRunning ? `Orders are halted: ${reason}` : 'Orders were already halted.'],
    ok: true,
  }
}

export const resumeCommand: Command = async (context) => {
  await permit(context, 'resume orders')
  const wasHalted = await context.atomically(async (tx) => {
    const isNew = await resumeOrders(tx.sql)
    await auditCommand(context, { action: 'orders.resume', subject: 'engine' }, tx)
    return isNew
  })
  return { lines: [wasHalted ? 'Orders are allowed again.' : 'Orders were not halted.'], ok: true }
}

const MOST = 10n ** 9n * ONE

/**
 * Compares the exchange's balances with the book, and books money that the operator moved between
 * bank and exchange.
 */
export const venueCommand: Command = async (
  context,
  [verb = 'compare', amountText = '', reference = ''],
) => {
  await permit(context, verb === 'compare' ? 'compare the exchange' : 'book money at the exchange')
  if (verb === 'compare') return compare(context)
  const amount = parseDecimal(amountText)
  if (
    (verb !== 'funded' && verb !== 'withdrew') ||
    amount === undefined ||
    amount <= 0n ||
    amount > MOST ||
    !/^[\w.-]{1,60}$/.test(reference)
  ) {
    throw new Refusal('invalid-input', {
      sentence:
        'Use venue compare, venue funded AMOUNT REFERENCE or venue withdrew AMOUNT REFERENCE, ' +
        'with the bank’s own reference.',
    })
  }
  const posted = await context.atomically(async (tx) => {
    const movement = venueFunded({ amount: verb === 'funded' ? amount : -amount })
    const answer = await post(tx, {
      id: context.newId(),
      dedupKey: `venue:${verb}:${reference}`,
      movement,
      eventTime: context.market.now(),
    })
    if (answer !== 'posted') return answer
    const details = { amount: unitsToDecimal(amount, 8), reference }
    await auditCommand(context, { action: `venue.${verb}`, subject: 'venue', details }, tx)
    return answer
  })
  return {
    lines: [
      posted === 'posted'
        ? `Booked: ${verb} ${moneyText({ amount })}`
        : 'That reference is booked already.',
    ],
    ok: true,
  }
}

async function compare(context: Parameters<Command>[0]): ReturnType<Command> {
  await auditCommand(context, { action: 'venue.compare', subject: 'venue' })
  const differences = await compareVenue(context)
  if (differences === undefined)
    return { lines: ['An order is in progress: try again in a moment.'], ok: false }
  if (differences.length === 0)
    return { lines: [`${context.venue.name} and the book agree.`], ok: true }
  const lines = differences.map(
    ({ asset, held, booked }) =>
      `${asset}: ${context.venue.name} ${unitsToDecimal(held, 8)}, book ` +
      unitsToDecimal(booked, 8),
  )
  return { lines, ok: false }
}
