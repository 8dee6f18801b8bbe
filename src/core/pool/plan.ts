import type { Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Order } from '#core/trading/fill.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { planRedemption, planSubscription } from './lot.ts'
import { leave, type Pool } from './pool.ts'

/** Members of a pool that are on their way, summed: what they bring, what they take, what they sell beside it. */
export type Lots = {
  joining: { cash: Units; members: number }
  leaving: { units: bigint; members: number }
  own: { base: Units; members: number }
}

export const NO_LOTS: Lots = { joining: { cash: 0n, members: 0 }, leaving: { units: 0n, members: 0 }, own: { base: 0n, members: 0 } }

/** A pool at a moment, and what its strategy wants, in basis points. */
export type PoolInput = { id: number; pool: Pool; lots: Lots; exposureBps: number }

/** Who shares a block, frozen when it is planned. */
export type Party = {
  pool: number
  as: 'strategy' | 'join' | 'leave' | 'own'
  /** Units of base. */
  orderQuantity: Units
  members: number
  /**
   * Of its members together: cash offered, units that leave, or coins held. Of the strategy the units that stay when all leavers have left;
   * what was booked counts by the units that really stayed.
   */
  weight: bigint
  exposureBps: number
}

export type Plan = {
  sell: Party[]
  buy: Party[]
  /** Pools whose order would be empty: what is wanted counts as reached. */
  served: { id: number; exposureBps: number }[]
  /** Pools that may buy once their leavers are served. */
  later: number[]
}

type Market = { price: Units; costs: TradingCosts }

/**
 * What pools of one pair, which stand still meanwhile, trade at `price`. Leavers and the strategy sell in one order, so that in a thin book
 * nobody is paid first; the strategy's part is planned on the pool without its leavers. A purchase waits until the leavers are served.
 */
export function planPools(pools: readonly PoolInput[], market: Market): Plan {
  const plan: Plan = { sell: [], buy: [], served: [], later: [] }
  for (const { id, pool, lots, exposureBps } of pools) {
    const { leaving, own } = lots
    const party = { pool: id, exposureBps }
    const redeemed = planRedemption(pool, leaving.units)
    if (redeemed > 0n) plan.sell.push({ ...party, as: 'leave', orderQuantity: redeemed, members: leaving.members, weight: leaving.units })
    if (own.base > 0n) plan.sell.push({ ...party, as: 'own', orderQuantity: own.base, members: own.members, weight: own.base })
    const net = leave(pool, leaving.units).pool
    if (net.units === 0n || net.appliedBps === exposureBps) continue
    const order = planPool(net, { ...market, exposureBps })
    if (order?.side === 'sell') plan.sell.push(strategyParty(id, { order, units: net.units, exposureBps }))
    else if (leaving.units > 0n) plan.later.push(id)
    else if (order) plan.buy.push(strategyParty(id, { order, units: net.units, exposureBps }))
    else plan.served.push({ id, exposureBps })
  }
  return plan
}

type StrategyOrder = { order: Order; units: bigint; exposureBps: number }

function strategyParty(pool: number, { order, units, exposureBps }: StrategyOrder): Party {
  return { pool, as: 'strategy', orderQuantity: order.quantity, members: 0, weight: units, exposureBps }
}

/** The order that takes a pool to what its strategy wants: the same rule as in a backtest. */
export function planPool({ cash, base, appliedBps }: Pool, { exposureBps, price, costs }: Market & { exposureBps: number }): Order | undefined {
  return planOrder({ position: { cash, base, appliedBps }, exposureBps, price, costs })
}

/** Lots that come into pools at the mix that these hold now, whatever of the strategy's order was filled. */
export function planJoins(pools: readonly PoolInput[], market: Market): Party[] {
  return pools.flatMap(({ id, pool, lots: { joining }, exposureBps }): Party[] => {
    const orderQuantity = planSubscription({ pool, cash: joining.cash, ...market })
    return orderQuantity > 0n ? [{ pool: id, as: 'join', orderQuantity, members: joining.members, weight: joining.cash, exposureBps }] : []
  })
}
