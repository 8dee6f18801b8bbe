import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Order } from '#core/trading/fill.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import type { Settlement } from '#core/trading/wait.ts'
import { planRedemption, planSubscription } from './lot.ts'
import { leave, type Pool } from './pool.ts'

/**
 * Sums over the moving members of a pool: cash of those joining, units of those leaving, own coins
 * for sale.
 */
export type Lots = {
  joining: { cash: Units; members: number }
  leaving: { units: bigint; members: number }
  own: { base: Units; members: number }
}

export const NO_LOTS: Lots = {
  joining: { cash: 0n, members: 0 },
  leaving: { units: 0n, members: 0 },
  own: { base: 0n, members: 0 },
}

/** A pool, its lots, and the target exposure of its strategy in basis points. */
export type PoolInput = { id: number; pool: Pool; lots: Lots; exposureBps: number }

/** A party to a block, fixed when the block is planned. */
export type Party = {
  pool: number
  as: 'strategy' | 'join' | 'leave' | 'own'
  /** Units of base. */
  orderQuantity: Units
  members: number
  /**
   * Total weight of its members: cash offered, units leaving, or coins held. For a strategy, the
   * pool units without all leavers; the booking uses the units that actually stayed.
   */
  weight: bigint
  exposureBps: number
}

/** The trades of a pair's pools at one time. */
export type TradePlan = {
  sell: Party[]
  buy: Party[]
  /** Pools whose order would be empty: their target exposure counts as applied. */
  served: { id: number; exposureBps: number }[]
  /** Pools that may buy once their leavers have left. */
  later: number[]
}

type Market = { price: Units; costs: TradingCosts }

/**
 * Plans the trades of one pair's pools at `price`; the pools must not change until the plan is
 * settled. Leavers and the strategy sell in one order, so that nobody gets better prices in a thin
 * order book; the strategy's part is planned for the pool without its leavers. Purchases wait until
 * leavers have left.
 */
export function planPools(pools: readonly PoolInput[], market: Market): TradePlan {
  const plan: TradePlan = { sell: [], buy: [], served: [], later: [] }
  for (const { id, pool, lots, exposureBps } of pools) {
    const { leaving, own } = lots
    const party = { pool: id, exposureBps }
    const redeemed = planRedemption(pool, leaving.units)
    if (redeemed > 0n)
      plan.sell.push({
        ...party,
        as: 'leave',
        orderQuantity: redeemed,
        members: leaving.members,
        weight: leaving.units,
      })
    if (own.base > 0n)
      plan.sell.push({
        ...party,
        as: 'own',
        orderQuantity: own.base,
        members: own.members,
        weight: own.base,
      })
    const net = leave(pool, leaving.units).pool
    if (net.units === 0n || net.appliedBps === exposureBps) continue
    const order = planPool(net, { ...market, exposureBps })
    if (order?.side === 'sell')
      plan.sell.push(strategyParty(id, { order, units: net.units, exposureBps }))
    else if (leaving.units > 0n) plan.later.push(id)
    else if (order) plan.buy.push(strategyParty(id, { order, units: net.units, exposureBps }))
    else plan.served.push({ id, exposureBps })
  }
  return plan
}

type StrategyOrder = { order: Order; units: bigint; exposureBps: number }

function strategyParty(pool: number, { order, units, exposureBps }: StrategyOrder): Party {
  return {
    pool,
    as: 'strategy',
    orderQuantity: order.quantity,
    members: 0,
    weight: units,
    exposureBps,
  }
}

/** The order that brings a pool to its target exposure, by the same rule as in a backtest. */
export function planPool(
  { cash, base, appliedBps }: Pool,
  { exposureBps, price, costs }: Market & { exposureBps: number },
): Order | undefined {
  return planOrder({ position: { cash, base, appliedBps }, exposureBps, price, costs })
}

/**
 * Joining lots. They buy the mix that their pool holds now, however much of the strategy's order
 * was filled.
 */
export function planJoins(pools: readonly PoolInput[], market: Market): Party[] {
  return pools.flatMap(({ id, pool, lots: { joining }, exposureBps }): Party[] => {
    const orderQuantity = planSubscription({ pool, cash: joining.cash, ...market })
    return orderQuantity > 0n
      ? [
          {
            pool: id,
            as: 'join',
            orderQuantity,
            members: joining.members,
            weight: joining.cash,
            exposureBps,
          },
        ]
      : []
  })
}

export const sumOf = (parties: readonly Party[]): Units =>
  parties.reduce((sum, { orderQuantity }) => sum + orderQuantity, 0n)

/** The order of one pair and side. `isLeft`: whether some parties wait for a later order. */
type OrderOfBlock = {
  parties: Party[]
  filledBy: 'venue' | 'house' | 'operator'
  settlement?: Settlement | undefined
  isLeft: boolean
  isClosed: boolean
}

/**
 * Combines the orders into one that the venue accepts. An order below the venue's minimum waits for
 * more parties, except for the parts of leavers and own coins, which the house fills. If the venue
 * does not trade the pair and there is a settlement, the operator buys these parts.
 */
export function orderOfBlock(
  parties: Party[],
  {
    answer,
    settlement,
  }: { answer: 'yes' | 'too-small' | 'closed'; settlement?: Settlement | undefined },
): OrderOfBlock {
  if (parties.length === 0 || answer === 'yes')
    return { parties, filledBy: 'venue', isLeft: false, isClosed: false }
  const isSettled = answer === 'closed' && settlement !== undefined
  const leavers =
    answer === 'too-small' || isSettled
      ? parties.filter(({ as }) => as === 'leave' || as === 'own')
      : []
  return {
    parties: leavers,
    filledBy: isSettled ? 'operator' : 'house',
    settlement: isSettled ? settlement : undefined,
    isLeft: leavers.length < parties.length,
    isClosed: answer === 'closed',
  }
}
