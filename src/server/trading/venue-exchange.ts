import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { assert } from '#core/assert.ts'
import { baseOf } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { bookExecution } from '#core/trading/exchange-fill.ts'
import type { Side } from '#core/trading/fill.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { OpenBook } from '#server/db/book.ts'
import {
  OrderRejected,
  OrderRenamed,
  OrderUnknown,
  type Execution,
  type MarketLimits,
  type ExchangeAccount,
} from '#server/exchange/exchange-account.ts'
import type { BlockOrder, LeadTerm, Venue, VenueFill } from '#server/ports/venue.ts'
import { findHalt, Halted, haltOrders } from './halt.ts'
import {
  beginOrder,
  endOrder,
  findOrder,
  NOTHING,
  type BookedFill,
  type JournalledOrder,
} from './order-journal.ts'
import { asLeader } from '#server/market/clock.ts'

type Parts = Pick<OpenBook, 'sql' | 'atomically'> & {
  name: string
  account: ExchangeAccount
  costs: TradingCosts
  now: () => Date
  log: FastifyBaseLogger
  lookPauseMs?: number
}

/**
 * Number of polls of an immediate-or-cancel order before it is canceled; later pulses poll once
 * each.
 */
const LOOKS = 5
const LOOK_PAUSE_MS = 200

/**
 * A real exchange. An order is journalled before it is sent, under our own id, by which it is
 * looked up if the response is lost. An order that the exchange still does not list long
 * after its deadline counts as never executed. No block is sent twice.
 */
export function exchangeVenue(parts: Parts): Venue {
  const { name, account } = parts
  return {
    name,
    accepts: async (order) => {
      const limits = await account.limits(order.pair)
      if (limits?.isOpen !== true) return 'closed'
      assert(
        limits.takerFeeBps <= parts.costs.feeBps,
        `${name} charges ${limits.takerFeeBps} basis points on ${order.pair}: set ` +
          'TRADING_FEE_BPS to that',
      )
      const { quantity, limit } = sized(parts, { ...order, limits })
      const isEnough =
        quantity >= limits.minimumQuantity &&
        quantity > 0n &&
        multiplyDivideFloor({ a: quantity, b: limit, divisor: ONE }) >= limits.minimumCost
      return isEnough ? 'yes' : 'too-small'
    },
    execute: (order, lead) => execute(parts, order, lead),
    account: account.read,
  }
}

/**
 * The order to send: its quantity rounded down to the lot size, its limit no worse than the price
 * by which it was sized.
 */
function sized(
  { costs }: Parts,
  {
    quantity,
    side,
    price,
    limits,
  }: Omit<BlockOrder, 'clientOrderId' | 'pair'> & { limits: MarketLimits },
) {
  const worst = paperFillPrice({ side, price, costs })
  const rest = worst % limits.priceStep
  const limit = side === 'buy' || rest === 0n ? worst - rest : worst - rest + limits.priceStep
  return { quantity: quantity - (quantity % limits.step), limit }
}

async function execute(parts: Parts, order: BlockOrder, lead: LeadTerm): Promise<VenueFill> {
  const known = await findOrder(parts.sql, order.clientOrderId)
  if (known?.state === 'sent') return settle(parts, order, { sent: known, looks: 1 })
  if (known) return fillOf(order.side, known)
  const limits = lead.isResumed ? undefined : await parts.account.limits(order.pair)
  if (limits === undefined) return fillOf(order.side, { ...NOTHING, limitPrice: order.price })
  const sent = await begin(parts, { order, limits, lead })
  try {
    await parts.account.send(accountOrder(order, sent))
  } catch (error) {
    if (error instanceof OrderRenamed) await halt(parts, error.message)
    if (!(error instanceof OrderRejected)) throw error
    parts.log.warn(
      { order: sent.id, pair: order.pair, reason: error.message },
      'the exchange refused an order',
    )
    await endOrder(parts.sql, { id: sent.id, state: 'done', reason: error.message })
    return fillOf(order.side, sent)
  }
  return settle(parts, order, { sent, looks: LOOKS })
}

/** Commits before anything is sent. Refuses without the lead or during a halt. */
async function begin(
  parts: Parts,
  { order, limits, lead: { epoch } }: { order: BlockOrder; limits: MarketLimits; lead: LeadTerm },
): Promise<JournalledOrder> {
  const { quantity, limit } = sized(parts, { ...order, limits })
  await parts.account.waitForRateLimit()
  const sent = { id: order.clientOrderId, quantity, limitPrice: limit, sentAt: parts.now() }
  await asLeader(parts, epoch, async ({ sql }) => {
    const halt = await findHalt(sql)
    if (halt) throw new Halted(halt.reason)
    await beginOrder(sql, { ...sent, blockId: order.clientOrderId })
  })
  return { ...sent, ...NOTHING, state: 'sent' }
}

async function halt({ log, ...parts }: Parts, reason: string): Promise<void> {
  log.error({ reason }, 'orders are halted: an order has another id at the exchange')
  await parts.atomically(({ sql }) => haltOrders(sql, reason))
}

const accountOrder = (
  { pair, side }: BlockOrder,
  { id, quantity, limitPrice, sentAt }: JournalledOrder,
) => ({ id, pair, side, quantity, limit: limitPrice, sentAt })

/**
 * The fill of a sent order, empty if it was never executed. Throws `OrderUnknown` while the outcome
 * is unknown.
 */
async function settle(
  { account, sql, now, lookPauseMs = LOOK_PAUSE_MS }: Parts,
  order: BlockOrder,
  { sent, looks }: { sent: JournalledOrder; looks: number },
): Promise<VenueFill> {
  const request = accountOrder(order, sent)
  let found: Execution | undefined
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await delay(lookPauseMs)
    found = await orUnknown(account.find(request))
    if (found && !found.isOpen) {
      const booked = bookedOf(order, sent, found)
      await endOrder(sql, { id: sent.id, state: 'done', booked })
      return fillOf(order.side, { ...sent, ...booked })
    }
  }
  if (found) {
    await orUnknown(account.cancel(request))
    throw new OrderUnknown(`order ${sent.id} was still open and has been canceled`)
  }
  if (now().getTime() - sent.sentAt.getTime() < account.horizonMs)
    throw new OrderUnknown(`the outcome of order ${sent.id} is still unknown`)
  await endOrder(sql, { id: sent.id, state: 'dead', reason: 'The exchange never received it.' })
  return fillOf(order.side, sent)
}

/** A failed request leaves the order's outcome unknown. */
async function orUnknown<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request
  } catch (error) {
    throw new OrderUnknown(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Throws `OrderUnknown` if the answer cannot belong to this order. */
function bookedOf(
  { side, pair }: BlockOrder,
  sent: JournalledOrder,
  { quantity, notional, fees }: Execution,
): BookedFill {
  const base = baseOf(pair)
  const inCoins = side === 'buy' ? (fees.get(base) ?? 0n) : 0n
  if (quantity > sent.quantity || (quantity > 0n && inCoins >= quantity))
    throw new OrderUnknown(`order ${sent.id} cannot have ended with ${quantity} units`)
  const { fill, houseFees } =
    quantity === 0n
      ? { fill: { ...NOTHING, quantity }, houseFees: [] }
      : bookExecution({ side, base, quantity, notional, fees })
  return {
    executed: fill.quantity,
    notional: fill.notional,
    fee: fill.fee,
    houseFees: Object.fromEntries(houseFees.map(({ asset, amount }) => [asset, String(amount)])),
    isFull: quantity === sent.quantity,
  }
}

function fillOf(
  side: Side,
  {
    limitPrice,
    executed,
    notional,
    fee,
    houseFees,
    isFull,
  }: BookedFill & Pick<JournalledOrder, 'limitPrice'>,
): VenueFill {
  const price =
    executed === 0n ? limitPrice : multiplyDivideFloor({ a: notional, b: ONE, divisor: executed })
  return {
    side,
    quantity: executed,
    price,
    notional,
    fee,
    houseFees: CRYPTO_ASSETS.flatMap((asset) => {
      const amount = BigInt(houseFees[asset] ?? 0)
      return amount === 0n ? [] : [{ asset, amount }]
    }),
    isFullyFilled: isFull,
  }
}
