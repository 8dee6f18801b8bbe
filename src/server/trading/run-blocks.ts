import { assert, required } from '#core/assert.ts'
import { groupBy } from '#core/group-by.ts'
import { blockSettled, type HoldingChange } from '#core/ledger/movements.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { valueFloor } from '#core/money/rounding.ts'
import {
  afterOwnSale,
  afterRedemption,
  afterSubscription,
  afterTrade,
  settleRedemption,
  settleSubscription,
  type MovedLot,
  type LotResult,
} from '#core/pool/lot.ts'
import { allocate } from '#core/trading/allocation.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import { publishPools, publishTrading } from '#server/events/bus.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import { OrderUnknown } from '#server/exchange/exchange-account.ts'
import { asLeader } from '#server/market/clock.ts'
import type { LeadTerm, VenueFill } from '#server/ports/venue.ts'
import { joinLots, leaveLots, NOBODY_MOVED, sellOwn, type Moved } from './lots.ts'
import { findMovers, NAMED, usersOf } from './movers.ts'
import {
  changePool,
  findPools,
  gainOfPool,
  markSettled,
  nextOf,
  poolAfter,
  statesAfter,
  writeChanges,
  type Block,
  type BlockParty,
  type Made,
  type PoolChange,
  type StoredPool,
} from './store.ts'
import { LOT_SIZE } from './sync-bots.ts'

/**
 * Executes planned blocks one after the other and settles the fills: blocks of strategies in one
 * transaction, then those with lots. After a crash, orders are looked up. A block of unknown
 * outcome stays planned, and later blocks of its pair are not sent. Returns the blocks not fully
 * filled, and the pairs whose outcome is unknown.
 */
export async function runBlocks(
  context: Context,
  blocks: readonly Block[],
  lead: LeadTerm,
): Promise<{ unfilled: Block[]; unknown: ReadonlySet<Pair> }> {
  const filled: Filled[] = []
  const unknown = new Set<Pair>()
  try {
    for (const block of blocks) {
      const isSent = !unknown.has(block.pair)
      const fill = await (isSent ? outcomeOf(context, block, lead) : outcomeUnsent(block, lead))
      if (fill) filled.push({ block, fill })
      else unknown.add(block.pair)
    }
  } finally {
    // Fills before a failure of the venue are still settled.
    for (const group of groupsOf(filled))
      await asLeader(context, lead.epoch, (tx) => settle(context, tx, group))
  }
  const unfilled = filled.filter(({ fill }) => !fill.isFullyFilled).map(({ block }) => block)
  return { unfilled, unknown }
}

/** The fill of a block; undefined while the outcome of its order is unknown. */
async function outcomeOf(
  context: Context,
  block: Block,
  lead: LeadTerm,
): Promise<VenueFill | undefined> {
  try {
    return await executeOrder(context, block, lead)
  } catch (error) {
    if (!(error instanceof OrderUnknown)) throw error
    const { id, pair } = block
    context.log.warn({ err: error, order: id, pair }, "an order's outcome is unknown")
    return undefined
  }
}

type Filled = { block: Block; fill: VenueFill }

/**
 * An empty fill, for a block whose order is not sent. Undefined after a crash, because the order
 * may have been sent before it.
 */
function outcomeUnsent({ side, price }: Block, lead: LeadTerm): VenueFill | undefined {
  if (lead.isResumed === true) return undefined
  return { side, price, quantity: 0n, notional: 0n, fee: 0n, isFullyFilled: false }
}

async function executeOrder(
  { venue, costs }: Context,
  { id, pair, side, orderQuantity, price, filledBy }: Block,
  lead: LeadTerm,
): Promise<VenueFill> {
  if (filledBy === 'operator') {
    const notional = valueFloor({ quantity: orderQuantity, price })
    return { side, quantity: orderQuantity, price, notional, fee: 0n, isFullyFilled: true }
  }
  if (filledBy === 'house')
    return { ...paperFill({ side, quantity: orderQuantity, price, costs }), isFullyFilled: true }
  const fill = await venue.execute(
    { clientOrderId: id, pair, side, quantity: orderQuantity, price },
    lead,
  )
  assert(fill.side === side && fill.quantity <= orderQuantity, 'a venue fills at most the order')
  return fill
}

/**
 * Blocks settled in one transaction: those of strategies, then groups with as many members as one
 * large lot.
 */
function groupsOf(filled: readonly Filled[]): Filled[][] {
  const groups = [filled.filter((one) => membersOf(one) === 0)]
  let members = LOT_SIZE
  for (const one of filled.filter((each) => membersOf(each) > 0)) {
    members += membersOf(one)
    if (members > LOT_SIZE) {
      groups.push([])
      members = membersOf(one)
    }
    groups.at(-1)?.push(one)
  }
  return groups.filter((group) => group.length > 0)
}

const membersOf = ({ block }: Filled): number =>
  block.parties.reduce((sum, { members }) => sum + members, 0)

async function settle(context: Context, tx: BookWrite, filled: readonly Filled[]): Promise<void> {
  const movers = await findMovers(tx.sql, poolsWithFew(filled))
  const made = await settleShares(
    tx.sql,
    filled.flatMap((one) => sharesOf(context, one)),
  )
  const changes = made.map(({ change }) => change)
  await markSettled(
    tx.sql,
    filled.map(({ block: { id }, fill }) => ({ id, ...fill })),
  )
  await writeChanges(tx.sql, changes)
  await postAll(
    tx,
    filled.flatMap((one) => transferOf(context, one, made)),
  )
  // A trade does not change the members' units, so browsers only need the pool.
  await publishPools(tx.sql, statesAfter(changes.filter(({ kind }) => kind === 'trade')))
  const moved = changes.filter(({ kind }) => kind !== 'trade').map(({ pool }) => pool)
  if (moved.length > 0) await publishTrading(tx.sql, usersOf(moved, movers))
}

/** Pools with so few moving members that their users are listed. */
function poolsWithFew(filled: readonly Filled[]): number[] {
  const counts = new Map<number, number>()
  for (const { pool, members } of filled.flatMap(({ block }) => block.parties))
    counts.set(pool, (counts.get(pool) ?? 0) + members)
  return [...counts].filter(([, count]) => count > 0 && count <= NAMED).map(([pool]) => pool)
}

/** One party's share of a fill. `id`: the id of the change that it makes. */
type PartyShare = Filled & { id: string; party: BlockParty; share: Share }

function sharesOf({ newId }: Context, { block, fill }: Filled): PartyShare[] {
  if (fill.quantity === 0n) return []
  const orderQuantities = block.parties.map(({ orderQuantity }) => orderQuantity)
  const { shares } = allocate({ fill, orderQuantities })
  return block.parties.map((party, index) => ({
    block,
    fill,
    id: newId(),
    party,
    share: required(shares[index], 'a share for each party'),
  }))
}

/** Returns the changes in the order of `shares`. */
async function settleShares(sql: Queries, shares: readonly PartyShare[]): Promise<Made[]> {
  const pools = new Map((await findPools(sql)).map((pool) => [pool.id, pool]))
  const settled = new Map<string, Made>()
  for (const batch of batchesOf(shares)) {
    const inputs = batch.map((share): Input => ({
      ...share,
      pool: required(pools.get(share.party.pool), 'a pool of the product'),
    }))
    for (const made of await settleBatch(sql, inputs)) {
      pools.set(made.before.id, poolAfter(made))
      settled.set(made.change.id, made)
    }
  }
  return shares.map(({ id }) => required(settled.get(id), 'each share is settled'))
}

/**
 * Groups of shares to be settled at once: the first of every pool, then the second, and so on; by
 * kind of party.
 */
function batchesOf(shares: readonly PartyShare[]): PartyShare[][] {
  const rounds: PartyShare[][] = []
  for (const ofPool of groupBy(shares, ({ party }) => party.pool).values())
    for (const [round, share] of ofPool.entries()) (rounds[round] ??= []).push(share)
  return rounds.flatMap((round) => [...groupBy(round, ({ party }) => party.as).values()])
}

type Input = PartyShare & { pool: StoredPool }

/** `inputs`: must be parties of one kind, at most one per pool. */
async function settleBatch(sql: Queries, inputs: readonly Input[]): Promise<Made[]> {
  const { kind, move, after } = SETTLERS[required(inputs[0], 'a share').party.as]
  const moved = await move(sql, inputs)
  return inputs.map((input) => {
    const { block, fill, party, share, pool } = input
    const lot = moved.get(pool.id) ?? NOBODY_MOVED
    assert(
      kind === 'trade' || (lot.weight === party.weight && lot.members === party.members),
      'a lot does not change between its plan and its settlement',
    )
    return changePool(pool, after(input, lot), {
      id: input.id,
      kind,
      order: { blockId: block.id, side: fill.side, price: fill.price, ...share },
      members: lot.members,
      reason: party.reason,
      marketTime: block.marketTime,
    })
  })
}

/** Moves the members of a party's lot, and computes the pool afterwards. */
type Settler = {
  kind: PoolChange['kind']
  move: (sql: Queries, inputs: readonly Input[]) => Promise<ReadonlyMap<number, Moved>>
  after: (input: Input, lot: MovedLot) => LotResult
}

const SETTLERS: Record<BlockParty['as'], Settler> = {
  strategy: {
    kind: 'trade',
    move: async () => new Map(),
    after: ({ pool, share, party, fill: { side, isFullyFilled } }) =>
      afterTrade(pool, { side, share, exposureBps: isFullyFilled ? party.exposureBps : undefined }),
  },
  join: {
    kind: 'join',
    move: (sql, inputs) =>
      joinLots(
        sql,
        inputs.map((input) => {
          const { units, spent } = joined(input)
          return { ...nextOf(input.pool), offered: input.party.weight, units, spent }
        }),
      ),
    after: (input, lot) => afterSubscription(input.pool, joined(input), lot),
  },
  leave: {
    kind: 'leave',
    move: (sql, inputs) =>
      leaveLots(
        sql,
        inputs.map((input) => {
          const { units, proceeds } = left(input)
          return { ...nextOf(input.pool), leaving: input.party.weight, units, proceeds }
        }),
      ),
    after: (input, lot) => afterRedemption(input.pool, left(input), lot),
  },
  own: {
    kind: 'own',
    move: (sql, inputs) =>
      sellOwn(
        sql,
        inputs.map(({ pool, party, share: { quantity, total } }) => ({
          ...nextOf(pool),
          held: party.weight,
          quantity,
          total,
        })),
      ),
    after: ({ pool }, lot) => afterOwnSale(pool, lot),
  },
}

const joined = ({ pool, party, share }: Input) =>
  settleSubscription({ pool, offered: party.weight, bought: share })

const left = ({ pool, party, share }: Input) =>
  settleRedemption({ pool, units: party.weight, sold: share })

function transferOf({ newId }: Context, { block, fill }: Filled, all: readonly Made[]): Transfer[] {
  if (fill.quantity === 0n) return []
  const made = all.filter(({ change }) => change.order?.blockId === block.id)
  const sign = fill.side === 'buy' ? 1n : -1n
  const movement = blockSettled({
    base: baseOf(block.pair),
    pools: [...groupBy(made, ({ before }) => before.id)].map(([pool, changes]) => ({
      pool,
      ...sumOf(changes.map(gainOfPool)),
    })),
    own: sumOf(made.map(({ own: { cash, base } }) => ({ cash, coins: base }))),
    paid: { cash: sign * cashMoved(fill), coins: -sign * fill.quantity },
    by: block.filledBy,
    houseFees: fill.houseFees,
  })
  return [{ id: newId(), dedupKey: `block:${block.id}`, movement, eventTime: block.marketTime }]
}

const sumOf = (gains: readonly HoldingChange[]): HoldingChange =>
  gains.reduce((sum, { cash, coins }) => ({ cash: sum.cash + cash, coins: sum.coins + coins }), {
    cash: 0n,
    coins: 0n,
  })
