import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { venueFunded } from '#core/ledger/movements.ts'
import { isPlausible, type WaitReason } from '#core/trading/wait.ts'
import { auditCommand } from '#server/security/audit.ts'
import { type OperatorContext, permit } from '#server/operators/operator.ts'
import { isSecondPerson } from '#server/operators/second-person.ts'
import { compareVenue } from '#server/trading/check-venue.ts'
import { haltOrders, resumeOrders } from '#server/trading/halt.ts'
import { findWaitingSales, writeSettlement } from '#server/trading/waits.ts'
import { bookMoney, receiptOf } from './book-money.ts'
import { done, refusal, type Command } from './command.ts'
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
  if (verb === 'settle') return settle(context, words)
  const receipt = receiptOf(words)
  if ((verb !== 'funded' && verb !== 'withdrew') || !receipt) throw misused('venue')
  const { amount } = receipt
  const movement = venueFunded({ amount: verb === 'funded' ? amount : -amount })
  return done(
    (await bookMoney(context, { subject: 'venue', verb, movement, ...receipt }))
      ? `Booked: ${verb} ${englishMoneyText({ amount })}`
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

const MOST_REASON = 200

/**
 * Reasons of a dead pair. With other reasons the exchange may still sell the coins, or may have
 * sold them.
 */
const DEAD: readonly WaitReason[] = ['closed', 'no-price']

/**
 * Buys the coins of a dead pair, so that their owners need not wait. Threat: one operator buys
 * cheaply from all users; so another must enter the same price within a day.
 */
async function settle(
  context: OperatorContext,
  [named = '', typed = '', ...words]: readonly string[],
): ReturnType<Command> {
  const pair = PAIRS.find((each) => each === named)
  const reason = words.join(' ').trim()
  if (pair === undefined || reason === '' || reason.length > MOST_REASON) throw misused('venue')
  return context.atomically(async (tx) => {
    const sales = await findWaitingSales(tx.sql)
    const sale = sales.find((each) => each.pair === pair && DEAD.includes(each.reason))
    if (sale === undefined) throw notDead(pair)
    const price = priceOf(typed, sale.price)
    const subject = `${pair} at ${unitsToDecimal(price, 8)}`
    const first = 'venue.settle.first'
    const isSecond = await isSecondPerson(context, tx, { action: first, subject })
    if (isSecond && !(await writeSettlement(tx.sql, pair, { price, reason }))) throw notDead(pair)
    const action = isSecond ? 'venue.settle' : first
    await auditCommand(context, { action, subject, details: { reason } }, tx)
    const told = `${pair} at ${priceText(price)}, for ${sale.bots} bots that wait`
    return done(
      isSecond
        ? `Settled: ${told}. Send the money to the exchange; ops doctor says how much is missing.`
        : `Asked for: ${told}. Another operator must give the same command within a day.`,
    )
  })
}

const notDead = (pair: Pair) =>
  refusal(`No coins of ${pair} have waited for an hour because it is no longer traded.`)

function priceOf(typed: string, last: Units): Units {
  const price = typed === 'last' ? last : parseDecimal(typed)
  if (price !== undefined && isPlausible({ price, last })) return price
  throw refusal(`Give a price from a tenth to ten times the last one, ${priceText(last)}.`)
}

const priceText = (price: Units): string => englishMoneyText({ amount: price, precision: 'price' })
