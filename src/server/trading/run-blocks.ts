import { assert, required } from '#core/assert.ts'
import { blockSettled, type Gain } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import { settleRedemption, settleSubscription } from '#core/pool/lot.ts'
import { swept, trade, type Assets } from '#core/pool/pool.ts'
import { allocate } from '#core/trading/allocation.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
import { publishPools, publishTrading } from '#server/events/bus.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import type { LeadTerm, VenueFill } from '#server/ports/venue.ts'
import { joinLot, leaveLot, NAMED, sellOwn } from './lots.ts'
import { findPools, markSettled, statesAfter, writeChanges, type Block, type BlockParty, type PoolChange, type StoredPool } from './store.ts'
import { asLeader } from './as-leader.ts'

/**
 * Executes planned blocks at the venue, one after the other, and allocates the fills: blocks of strategies in one transaction, each block with a
 * lot in its own. After a crash in between, the orders are looked up. Returns the blocks that were not fully filled.
 */
export async function runBlocks(context: Context, blocks: readonly Block[], lead: LeadTerm): Promise<Block[]> {
  const filled: Settling[] = []
  try {
    for (const block of blocks) filled.push({ block, fill: await executeOrder(context, block, lead) })
  } finally {
    // Fills before a failure of the venue are allocated all the same.
    const [lots, plain] = [filled.filter(hasLot), filled.filter((one) => !hasLot(one))]
    for (const group of [plain, ...lots.map((one) => [one])]) {
      if (group.length > 0) await asLeader(context, lead.epoch, (tx) => settle(context, tx, group))
    }
  }
  return filled.filter(({ fill }) => !fill.isFullyFilled).map(({ block }) => block)
}

const hasLot = ({ block }: Settling): boolean => block.parties.some(({ members }) => members > 0)

async function executeOrder({ venue, costs }: Context, { id, pair, side, orderQuantity, price, filledBy }: Block, lead: LeadTerm): Promise<VenueFill> {
  if (filledBy === 'house') return { ...paperFill({ side, quantity: orderQuantity, price, costs }), isFullyFilled: true }
  const fill = await venue.execute({ clientOrderId: id, pair, side, quantity: orderQuantity, price }, lead)
  assert(fill.side === side && fill.quantity <= orderQuantity, 'a venue fills at most the order')
  return fill
}

type Settling = { block: Block; fill: VenueFill }

async function settle(context: Context, tx: Transaction, settlings: readonly Settling[]): Promise<void> {
  const pools = new Map((await findPools(tx)).map((pool) => [pool.id, pool]))
  const settled: SettledBlock[] = []
  for (const settling of settlings) settled.push(await settleBlock(context, tx, { ...settling, pools }))
  await markSettled(tx, settlings.map(({ block: { id }, fill }) => ({ id, ...fill })))
  await writeChanges(tx, settled.flatMap(({ outcomes }) => outcomes.map(({ change }) => change)))
  await postAll(tx, settled.flatMap(({ transfer }) => transfer ?? []))
  await publishOutcomes(tx, settled.flatMap(({ outcomes }) => outcomes))
}

type SettledBlock = { outcomes: Outcome[]; transfer?: Transfer }

/** Allocates one fill to its parties, and updates `pools`. */
async function settleBlock(context: Context, tx: Transaction, { block, fill, pools }: Settling & { pools: Map<number, StoredPool> }): Promise<SettledBlock> {
  if (fill.quantity === 0n) return { outcomes: [] }
  const { shares } = allocate({ fill, orderQuantities: block.parties.map(({ orderQuantity }) => orderQuantity) })
  const before = new Map(pools)
  const outcomes: Outcome[] = []
  for (const [index, party] of block.parties.entries()) {
    const pool = required(pools.get(party.pool), 'a pool of the product')
    const outcome = await settleParty(context, tx, { block, fill, party, pool, share: required(shares[index], 'a share for each party') })
    pools.set(pool.id, { ...pool, ...outcome.change.after, changes: outcome.change.number })
    outcomes.push(outcome)
  }
  const sign = fill.side === 'buy' ? 1n : -1n
  const paid = { cash: sign * cashMoved(fill), coins: -sign * fill.quantity }
  const own = outcomes.reduce((sum, outcome) => added(sum, outcome.own), NOTHING)
  const gains = [...pools].map(([id, pool]) => ({ pool: id, ...gainOf(required(before.get(id), 'a pool of the product'), pool) }))
  const movement = blockSettled({ base: baseOf(block.pair), pools: gains, own, paid, by: block.filledBy })
  return { outcomes, transfer: { id: context.newId(), dedupKey: `block:${block.id}`, movement, eventTime: block.marketTime } }
}

/** `own`: members' gains outside of the pool; `userIds`: the users concerned, undefined if they are many. */
type Outcome = { change: PoolChange; own: Gain; userIds: string[] | undefined }

const NOTHING: Gain = { cash: 0n, coins: 0n }

const gainOf = (before: Assets, after: Assets): Gain => ({ cash: after.cash - before.cash, coins: after.base - before.base })

const added = (a: Gain, b: Gain): Gain => ({ cash: a.cash + b.cash, coins: a.coins + b.coins })

type PartySettling = Settling & { party: BlockParty; pool: StoredPool; share: Share }
type Settled = Pick<PoolChange, 'kind' | 'weight' | 'members' | 'after'> & { own: Gain; userIds: string[] | undefined }

async function settleParty(context: Context, tx: Transaction, { block, fill, party, pool, share }: PartySettling): Promise<Outcome> {
  const at = { pool: pool.id, number: pool.changes + 1n }
  const partyShare = { at, party, pool, share, fill }
  const { own, userIds, after, ...made } = await SETTLERS[party.as](tx, partyShare)
  const { cash, base, units, appliedBps } = after
  const order = { blockId: block.id, side: fill.side, price: fill.price, ...share }
  return {
    change: { ...at, id: context.newId(), order, ...made, after: { cash, base, units, appliedBps }, reason: party.reason, marketTime: block.marketTime },
    own,
    userIds,
  }
}

type PartyShare = { at: { pool: number; number: bigint }; party: BlockParty; pool: StoredPool; share: Share; fill: VenueFill }

const SETTLERS: Record<BlockParty['as'], (tx: Transaction, share: PartyShare) => Promise<Settled>> = {
  strategy: async (_tx, { party, pool, share, fill: { side, isFullyFilled } }) => {
    const after = trade(pool, { side, share, exposureBps: isFullyFilled ? party.exposureBps : undefined })
    return { kind: 'trade', weight: pool.units, members: 0, after, own: NOTHING, userIds: undefined }
  },
  join: async (tx, { at, party, pool, share }) => {
    const { pool: joined, units, spent } = settleSubscription({ pool, offered: party.weight, bought: share })
    const lot = await joinLot(tx, at, { offered: party.weight, units, spent })
    assert(lot.offered === party.weight && lot.members === party.members, 'a lot does not change between its plan and its settlement')
    const own = { cash: -lot.paid, coins: 0n }
    return { kind: 'join', weight: party.weight, members: lot.members, after: { ...joined, units: pool.units + lot.units }, own, userIds: namedOf(lot) }
  },
  leave: async (tx, { at, party, pool, share }) => {
    const redeemed = settleRedemption({ pool, units: party.weight, sold: share })
    const lot = await leaveLot(tx, at, { leaving: party.weight, units: redeemed.units, proceeds: redeemed.proceeds })
    assert(lot.leaving === party.weight && lot.members === party.members, 'a lot does not change between its plan and its settlement')
    const { cash, base }: Assets = { cash: pool.cash - redeemed.proceeds + share.total, base: pool.base - share.quantity }
    const after = swept({ ...pool, cash, base, units: pool.units - lot.units }).pool
    return { kind: 'leave', weight: lot.units, members: lot.members, after, own: { cash: lot.paid, coins: 0n }, userIds: namedOf(lot) }
  },
  own: async (tx, { at, party, pool, share }) => {
    const lot = await sellOwn(tx, at, { held: party.weight, quantity: share.quantity, total: share.total })
    assert(lot.held === party.weight && lot.members === party.members, 'a lot does not change between its plan and its settlement')
    return { kind: 'own', weight: party.weight, members: lot.members, after: pool, own: { cash: lot.paid, coins: -lot.base }, userIds: namedOf(lot) }
  },
}

const namedOf = ({ members, userIds }: { members: number; userIds: string[] }): string[] | undefined => (members <= NAMED ? userIds : undefined)

/** A strategy's trade concerns all members of its pool, whose units stay as they are: they are sent the pool. */
async function publishOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  const [trades, lots] = [outcomes.filter(({ change }) => change.kind === 'trade'), outcomes.filter(({ change }) => change.kind !== 'trade')]
  await publishPools(tx, statesAfter(trades.map(({ change }) => change)))
  if (lots.length === 0) return
  const isCrowd = lots.some(({ userIds }) => userIds === undefined)
  await publishTrading(tx, isCrowd ? undefined : lots.flatMap(({ userIds = [] }) => userIds))
}
