import { AssertionFailed, required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import {
  NO_LOTS,
  orderOfBlock,
  planJoins,
  planPools,
  sumOf,
  type Party,
  type PoolInput,
} from '#core/pool/plan.ts'
import { explain, explainTrade } from '#core/strategy/reason.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Settlement } from '#core/trading/wait.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { OrderRejected } from '#server/exchange/exchange-account.ts'
import type { Venue } from '#server/ports/venue.ts'
import { lockPlanning } from '#server/holdings/planning-lock.ts'
import { findHalt } from './halt.ts'
import { sumLots } from './movers.ts'
import { CLOSING, LOT_SIZE, syncBots } from './sync-bots.ts'
import type { Want } from './strategies.ts'
import {
  findBusyPools,
  findPools,
  insertBlocks,
  setApplied,
  type Block,
  type StoredPool,
} from './store.ts'
import { asLeader } from '#server/market/clock.ts'

/**
 * `price`: of the market or, without one, of a settlement; then coins can only be sold to the
 * operator.
 */
export type PairInput = {
  pair: Pair
  wants: readonly Want[]
  price: Units | undefined
  settlement?: Settlement | undefined
}

/**
 * trade: orders of leavers and strategies · late: purchases that waited for leavers · join: orders
 * of joining lots.
 */
export type Phase = 'trade' | 'late' | 'join'

export type PlanRequest = {
  phase: Phase
  inputs: readonly PairInput[]
  marketTime: Date
  epoch: bigint
  only?: ReadonlySet<number>
}

export type Planned = {
  blocks: Block[]
  /** Pairs with orders that have to wait. */
  left: Pair[]
  /** Pairs that the venue does not trade. */
  closed: Pair[]
  /** Pairs with an order of unknown outcome, for which nothing is planned. */
  unknown: Pair[]
  isHalted: boolean
  /** Pools that may buy once their leavers are served. */
  later: number[]
  hasLots: boolean
}

/** Plans at most two blocks per pair, the sale first, written before any order is sent. */
export async function planBlocks(context: Context, request: PlanRequest): Promise<Planned> {
  if (request.inputs.length === 0) return planningNothing([])
  return asLeader(context, request.epoch, async (tx) => {
    if (await findHalt(tx.sql))
      return { ...planningNothing(request.inputs.map(({ pair }) => pair)), isHalted: true }
    await lockPlanning(tx.sql)
    const busy = await findBusyPools(tx.sql)
    await syncBots(tx.sql, { room: LOT_SIZE, busy, which: CLOSING })
    const pools = await findPools(tx.sql)
    const moving = await sumLots(tx.sql)
    const isLate = request.phase === 'late'
    const lots: typeof moving = isLate ? new Map() : moving
    const planned = { ...planningNothing([]), hasLots: lots.size > 0 }
    // If a bot was closed after the pool's other leavers were served, the pool must not buy yet.
    const hasToWait = ({ id }: StoredPool) => isLate && (moving.get(id)?.leaving.units ?? 0n) > 0n
    for (const input of request.inputs) {
      if (busy.pairs.has(input.pair)) {
        planned.unknown.push(input.pair)
        continue
      }
      const ofPair = pools.filter(
        ({ id, pair }) => pair === input.pair && (request.only?.has(id) ?? true),
      )
      if (ofPair.some(hasToWait)) planned.left.push(input.pair)
      const poolInputs = ofPair
        .filter((pool) => !hasToWait(pool))
        .map((pool): PoolInput => ({
          id: pool.id,
          pool,
          lots: lots.get(pool.id) ?? NO_LOTS,
          exposureBps: exposureOf(input, pool),
        }))
      await planPair(context, tx, { request, input, pools, poolInputs, planned })
    }
    await insertBlocks(tx.sql, planned.blocks)
    return planned
  })
}

const planningNothing = (left: Pair[]): Planned => ({
  blocks: [],
  left,
  closed: [],
  unknown: [],
  isHalted: false,
  later: [],
  hasLots: false,
})

type PairPlan = {
  request: PlanRequest
  input: PairInput
  pools: readonly StoredPool[]
  poolInputs: readonly PoolInput[]
  planned: Planned
}

async function planPair(
  context: Context,
  { sql }: BookWrite,
  { request: { phase, marketTime }, input, pools, poolInputs, planned }: PairPlan,
): Promise<void> {
  const { pair, price = required(input.settlement, 'a price').price } = input
  const market = { price, costs: context.costs }
  const plan =
    phase === 'join'
      ? { sell: [], buy: planJoins(poolInputs, market), served: [], later: [] }
      : planPools(poolInputs, market)
  await setApplied(sql, plan.served)
  planned.later.push(...plan.later)
  for (const side of ['sell', 'buy'] as const) {
    const order = await orderOf(context, plan[side], { side, input })
    if (order.isLeft) planned.left.push(pair)
    if (order.isClosed) planned.closed.push(pair)
    if (order.parties.length === 0) continue
    const reasons = order.parties.map((party) => {
      const pool = required(
        pools.find(({ id }) => id === party.pool),
        'a pool',
      )
      return {
        ...party,
        reason: order.settlement
          ? settledReason(pair, order.settlement)
          : reasonOf(party, { ...wantOf(input, pool), fromBps: pool.appliedBps }),
      }
    })
    const block: Block = {
      id: context.newId(),
      pair,
      side,
      price: order.settlement?.price ?? price,
      orderQuantity: sumOf(order.parties),
      parties: reasons,
      filledBy: order.filledBy,
      marketTime,
    }
    planned.blocks.push(block)
  }
}

const exposureOf = (input: PairInput, pool: StoredPool): number =>
  input.price === undefined ? pool.appliedBps : wantOf(input, pool).cause.exposureBps

const wantOf = ({ wants }: PairInput, { strategy }: StoredPool): Want =>
  required(
    wants.find((want) => want.strategy === strategy),
    strategy,
  )

async function orderOf(
  context: Context,
  parties: Party[],
  { side, input: { pair, price, settlement } }: { side: Side; input: PairInput },
): Promise<ReturnType<typeof orderOfBlock>> {
  const answer =
    parties.length === 0 || price === undefined
      ? 'closed'
      : await answerOf(context, { pair, side, price, quantity: sumOf(parties) })
  return orderOfBlock(parties, { answer, settlement: side === 'sell' ? settlement : undefined })
}

/** The venue's answer about a pair. A failure only delays this pair. */
async function answerOf(
  { venue, log }: Context,
  order: Parameters<Venue['accepts']>[0],
): ReturnType<Venue['accepts']> {
  try {
    return await venue.accepts(order)
  } catch (error) {
    if (!(error instanceof AssertionFailed || error instanceof OrderRejected)) throw error
    log.error({ err: error, pair: order.pair }, 'the venue cannot take orders of a pair')
    return 'closed'
  }
}

const settledReason = (pair: Pair, { price, reason }: Settlement): Sentence =>
  sentence('settled', {
    pair,
    price: englishMoneyText({ amount: price, precision: 'price' }),
    reason,
  })

function reasonOf({ as }: Party, { cause, fromBps }: Want & { fromBps: number }): Sentence {
  if (as === 'leave') return sentence('leaving')
  if (as === 'own') return sentence('ownCoins')
  return as === 'join' ? sentence('joins', { cause: explain(cause) }) : explainTrade(cause, fromBps)
}
