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
import { publishTrading } from '#server/events/bus.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import type { LeadTerm, VenueFill } from '#server/ports/venue.ts'
import { findMovers, joinLot, leaveLot, NAMED, sellOwn, type At } from './lots.ts'
import { LOT_SIZE } from './sync-bots.ts'
import { findPools, markSettled, writeChanges, type Block, type BlockParty, type PoolChange, type StoredPool } from './store.ts'
import { asLeader } from './as-leader.ts'

/**
 * Executes planned blocks at the venue, one after the other, and allocates the fills: blocks of strategies in one transaction, then those with
 * lots, together as long as they have few members. After a crash in between, the orders are looked up. Returns the blocks that were not fully filled.
 */
export async function runBlocks(context: Context, blocks: readonly Block[], lead: LeadTerm): Promise<Block[]> {
  const filled: Settling[] = []
  try {
    for (const block of blocks) filled.push({ block, fill: await executeOrder(context, block, lead) })
  } finally {
    // Fills before a failure of the venue are allocated all the same.
    for (const group of groupsOf(filled)) await asLeader(context, lead.epoch, (tx) => settle(context, tx, group))
  }
  return filled.filter(({ fill }) => !fill.isFullyFilled).map(({ block }) => block)
}

/** Blocks that are settled together: those of strategies, then those with lots, in groups of at most as many members as one lot may have. */
function groupsOf(settlings: readonly Settling[]): Settling[][] {
  const groups = [settlings.filter((one) => membersOf(one) === 0)]
  let room = 0
  for (const settling of settlings.filter((one) => membersOf(one) > 0)) {
    room -= membersOf(settling)
    if (room >= 0) groups.at(-1)?.push(settling)
    else {
      groups.push([settling])
      room = LOT_SIZE - membersOf(settling)
    }
  }
  return groups.filter((group) => group.length > 0)
}

const membersOf = ({ block }: Settling): number => block.parties.reduce((sum, { members }) => sum + members, 0)

async function executeOrder({ venue, costs }: Context, { id, pair, side, orderQuantity, price, filledBy }: Block, lead: LeadTerm): Promise<VenueFill> {
  if (filledBy === 'house') return { ...paperFill({ side, quantity: orderQuantity, price, costs }), isFullyFilled: true }
  const fill = await venue.execute({ clientOrderId: id, pair, side, quantity: orderQuantity, price }, lead)
  assert(fill.side === side && fill.quantity <= orderQuantity, 'a venue fills at most the order')
  return fill
}

type Settling = { block: Block; fill: VenueFill }

async function settle(context: Context, tx: Transaction, settlings: readonly Settling[]): Promise<void> {
  const pools = new Map((await findPools(tx)).map((pool) => [pool.id, pool]))
  const movers = await findMovers(tx, poolsWithFew(settlings))
  const settled: SettledBlock[] = []
  for (const settling of settlings) settled.push(await settleBlock(context, tx, { ...settling, pools, movers }))
  await markSettled(tx, settlings.map(({ block: { id }, fill }) => ({ id, ...fill })))
  await writeChanges(tx, settled.flatMap(({ outcomes }) => outcomes.map(({ change }) => change)))
  await postAll(tx, settled.flatMap(({ transfer }) => transfer ?? []))
  await publishOutcomes(tx, settled.flatMap(({ outcomes }) => outcomes))
}

/** Pools whose lots have so few members that their users are listed. */
function poolsWithFew(settlings: readonly Settling[]): number[] {
  const members = new Map<number, number>()
  for (const { pool, members: own } of settlings.flatMap(({ block }) => block.parties)) members.set(pool, (members.get(pool) ?? 0) + own)
  return [...members].filter(([, count]) => count > 0 && count <= NAMED).map(([pool]) => pool)
}

type Movers = ReadonlyMap<number, string[]>
type SettledBlock = { outcomes: Outcome[]; transfer?: Transfer }

/** Allocates one fill to its parties, and updates `pools`. */
async function settleBlock(context: Context, tx: Transaction, { block, fill, pools, movers }: Settling & { pools: Map<number, StoredPool>; movers: Movers }): Promise<SettledBlock> {
  if (fill.quantity === 0n) return { outcomes: [] }
  const { shares } = allocate({ fill, orderQuantities: block.parties.map(({ orderQuantity }) => orderQuantity) })
  const before = new Map(pools)
  const outcomes: Outcome[] = []
  for (const [index, party] of block.parties.entries()) {
    const pool = required(pools.get(party.pool), 'a pool of the product')
    const outcome = await settleParty(context, tx, { block, fill, party, pool, share: required(shares[index], 'a share for each party'), userIds: movers.get(pool.id) })
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

type PartySettling = Settling & { party: BlockParty; pool: StoredPool; share: Share; userIds: string[] | undefined }
type Settled = Pick<PoolChange, 'kind' | 'weight' | 'members' | 'after'> & { own: Gain; userIds: string[] | undefined }

async function settleParty(context: Context, tx: Transaction, { block, fill, party, pool, share, userIds: movers }: PartySettling): Promise<Outcome> {
  const at = { pool: pool.id, number: pool.changes + 1n, id: context.newId() }
  const partyShare = { at: { ...at, userIds: movers }, party, pool, share, fill }
  const { own, userIds, after, ...made } = await SETTLERS[party.as](tx, partyShare)
  const { cash, base, units, appliedBps } = after
  const order = { blockId: block.id, side: fill.side, price: fill.price, ...share }
  return {
    change: { ...at, order, ...made, after: { cash, base, units, appliedBps }, reason: party.reason, marketTime: block.marketTime },
    own,
    userIds,
  }
}

type PartyShare = { at: At; party: BlockParty; pool: StoredPool; share: Share; fill: VenueFill }

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
    return { kind: 'join', weight: party.weight, members: lot.members, after: { ...joined, units: pool.units + lot.units }, own, userIds: lot.userIds }
  },
  leave: async (tx, { at, party, pool, share }) => {
    const redeemed = settleRedemption({ pool, units: party.weight, sold: share })
    const lot = await leaveLot(tx, at, { leaving: party.weight, units: redeemed.units, proceeds: redeemed.proceeds })
    assert(lot.leaving === party.weight && lot.members === party.members, 'a lot does not change between its plan and its settlement')
    const { cash, base }: Assets = { cash: pool.cash - redeemed.proceeds + share.total, base: pool.base - share.quantity }
    const after = swept({ ...pool, cash, base, units: pool.units - lot.units }).pool
    return { kind: 'leave', weight: lot.units, members: lot.members, after, own: { cash: lot.paid, coins: 0n }, userIds: lot.userIds }
  },
  own: async (tx, { at, party, pool, share }) => {
    const lot = await sellOwn(tx, at, { held: party.weight, quantity: share.quantity, total: share.total })
    assert(lot.held === party.weight && lot.members === party.members, 'a lot does not change between its plan and its settlement')
    return { kind: 'own', weight: party.weight, members: lot.members, after: pool, own: { cash: lot.paid, coins: -lot.base }, userIds: lot.userIds }
  },
}

/** A strategy's trade concerns all members of its pool: the event goes to all browsers instead of listed users. */
async function publishOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const isCrowd = outcomes.some(({ userIds }) => userIds === undefined)
  await publishTrading(tx, isCrowd ? undefined : outcomes.flatMap(({ userIds = [] }) => userIds))
}
