import { assert, required } from '#core/assert.ts'
import { groupBy } from '#core/group-by.ts'
import { blockSettled, type Gain } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import {
  afterOwnSale,
  afterRedemption,
  afterSubscription,
  afterTrade,
  settleRedemption,
  settleSubscription,
  type Outcome,
} from '#core/pool/lot.ts'
import type { Assets } from '#core/pool/pool.ts'
import { allocate } from '#core/trading/allocation.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import type { Share } from '#core/trading/position.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import { publishPools, publishTrading } from '#server/events/bus.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import type { LeadTerm, VenueFill } from '#server/ports/venue.ts'
import { findMovers, joinLots, leaveLots, NAMED, sellOwn, type At, type Moved } from './lots.ts'
import { LOT_SIZE } from './sync-bots.ts'
import {
  findPools,
  markSettled,
  statesAfter,
  writeChanges,
  type Block,
  type BlockParty,
  type PoolChange,
  type StoredPool,
} from './store.ts'
import { asLeader } from '#server/market/clock.ts'

/**
 * Executes planned blocks at the venue, one after the other, and allocates the fills: blocks of
 * strategies in one transaction, then those with lots, together as long as they have few members.
 * After a crash in between, the orders are looked up. Returns the blocks that were not fully
 * filled.
 */
export async function runBlocks(
  context: Context,
  blocks: readonly Block[],
  lead: LeadTerm,
): Promise<Block[]> {
  const filled: Settling[] = []
  try {
    for (const block of blocks)
      filled.push({ block, fill: await executeOrder(context, block, lead) })
  } finally {
    // Fills before a failure of the venue are allocated all the same.
    for (const group of groupsOf(filled))
      await asLeader(context, lead.epoch, (tx) => settle(context, tx, group))
  }
  return filled.filter(({ fill }) => !fill.isFullyFilled).map(({ block }) => block)
}

/**
 * Blocks that are settled together: those of strategies, then those with lots, in groups of at most
 * as many members as one lot may have.
 */
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

const membersOf = ({ block }: Settling): number =>
  block.parties.reduce((sum, { members }) => sum + members, 0)

async function executeOrder(
  { venue, costs }: Context,
  { id, pair, side, orderQuantity, price, filledBy }: Block,
  lead: LeadTerm,
): Promise<VenueFill> {
  if (filledBy === 'house')
    return { ...paperFill({ side, quantity: orderQuantity, price, costs }), isFullyFilled: true }
  const fill = await venue.execute(
    { clientOrderId: id, pair, side, quantity: orderQuantity, price },
    lead,
  )
  assert(fill.side === side && fill.quantity <= orderQuantity, 'a venue fills at most the order')
  return fill
}

type Settling = { block: Block; fill: VenueFill }

async function settle(
  context: Context,
  tx: Transaction,
  settlings: readonly Settling[],
): Promise<void> {
  const pools = new Map((await findPools(tx.sql)).map((pool) => [pool.id, pool]))
  const movers = await findMovers(tx.sql, poolsWithFew(settlings))
  const shares = settlings.flatMap((settling) => sharesOf(context, settling))
  const outcomes = await settleShares(tx, { shares, pools, movers })
  await markSettled(
    tx.sql,
    settlings.map(({ block: { id }, fill }) => ({ id, ...fill })),
  )
  await writeChanges(
    tx.sql,
    outcomes.map(({ change }) => change),
  )
  await postAll(
    tx,
    settlings.flatMap(({ block, fill }) =>
      transferOf(
        context,
        { block, fill },
        outcomes.filter((outcome) => outcome.block === block),
      ),
    ),
  )
  await publishOutcomes(tx, outcomes)
}

/** Pools whose lots have so few members that their users are listed. */
function poolsWithFew(settlings: readonly Settling[]): number[] {
  const members = new Map<number, number>()
  for (const { pool, members: own } of settlings.flatMap(({ block }) => block.parties))
    members.set(pool, (members.get(pool) ?? 0) + own)
  return [...members].filter(([, count]) => count > 0 && count <= NAMED).map(([pool]) => pool)
}

/** The part of a block's fill that one party gets. `id`: of the change that it makes. */
type PartyShare = Settling & { id: string; party: BlockParty; share: Share }

function sharesOf({ newId }: Context, { block, fill }: Settling): PartyShare[] {
  if (fill.quantity === 0n) return []
  const { shares } = allocate({
    fill,
    orderQuantities: block.parties.map(({ orderQuantity }) => orderQuantity),
  })
  return block.parties.map((party, index) => ({
    block,
    fill,
    id: newId(),
    party,
    share: required(shares[index], 'a share for each party'),
  }))
}

/**
 * `own`: members' gains outside of the pool; `userIds`: the users concerned, undefined if they are
 * many.
 */
type Settled = {
  block: Block
  pool: StoredPool
  change: PoolChange
  own: Assets
  userIds: string[] | undefined
}

type Book = {
  shares: readonly PartyShare[]
  pools: Map<number, StoredPool>
  movers: ReadonlyMap<number, string[]>
}

/**
 * Settles the shares of each pool in their order: in each round the next of every pool, and those
 * that do the same in one go, because pools do not depend on each other. The outcomes are in the
 * order of the shares.
 */
async function settleShares(tx: Transaction, { shares, pools, movers }: Book): Promise<Settled[]> {
  const outcomes = new Map<PartyShare, Settled>()
  const waiting = [...groupBy(shares, ({ party }) => party.pool).values()]
  for (let round = 0; outcomes.size < shares.length; round += 1) {
    const next = waiting.flatMap((ofPool) => ofPool[round] ?? [])
    for (const [as, alike] of groupBy(next, ({ party }) => party.as)) {
      const inputs = alike.map((partyShare): Input => {
        const pool = required(pools.get(partyShare.party.pool), 'a pool of the product')
        return {
          ...partyShare,
          pool,
          at: {
            pool: pool.id,
            number: pool.changes + 1n,
            id: partyShare.id,
            userIds: movers.get(pool.id),
          },
        }
      })
      const settled = await SETTLERS[as](tx, inputs)
      for (const [index, input] of inputs.entries()) {
        const { own, userIds, ...made } = required(settled[index], 'each share is settled')
        const change = changeOf(input, made)
        pools.set(input.pool.id, { ...input.pool, ...change.after, changes: change.number })
        outcomes.set(required(alike[index], 'a share'), {
          block: input.block,
          pool: input.pool,
          change,
          own,
          userIds,
        })
      }
    }
  }
  return shares.map((share) => required(outcomes.get(share), 'each share is settled'))
}

type Input = PartyShare & { pool: StoredPool; at: At }
type Made = Outcome & Pick<PoolChange, 'kind'> & Pick<Moved, 'members' | 'userIds'>

function changeOf(
  { block, fill, party, share, at: { pool, number, id } }: Input,
  { pool: { cash, base, units, appliedBps }, kind, weight, members }: Omit<Made, 'own' | 'userIds'>,
): PoolChange {
  return {
    pool,
    number,
    id,
    kind,
    order: { blockId: block.id, side: fill.side, price: fill.price, ...share },
    weight,
    members,
    after: { cash, base, units, appliedBps },
    reason: party.reason,
    marketTime: block.marketTime,
  }
}

type Settler = (tx: Transaction, inputs: readonly Input[]) => Promise<Made[]>

const SETTLERS: Record<BlockParty['as'], Settler> = {
  strategy: async (_tx, inputs) =>
    inputs.map(({ pool, share, party, fill: { side, isFullyFilled } }) => {
      const exposureBps = isFullyFilled ? party.exposureBps : undefined
      const outcome = afterTrade(pool, { side, share, exposureBps })
      return { ...outcome, kind: 'trade', members: 0, userIds: undefined }
    }),
  join: async ({ sql }, inputs) => {
    const joining = inputs.map((input) => {
      const { pool, party, share } = input
      return { input, lot: settleSubscription({ pool, offered: party.weight, bought: share }) }
    })
    const moved = await joinLots(
      sql,
      joining.map(({ input: { at, party }, lot: { units, spent } }) => ({
        ...at,
        offered: party.weight,
        units,
        spent,
      })),
    )
    return joining.map(({ input, lot }) =>
      made('join', input, moved, (members) => afterSubscription(input.pool, lot, members)),
    )
  },
  leave: async ({ sql }, inputs) => {
    const leaving = inputs.map((input) => {
      const { pool, party, share } = input
      return { input, lot: settleRedemption({ pool, units: party.weight, sold: share }) }
    })
    const moved = await leaveLots(
      sql,
      leaving.map(({ input: { at, party }, lot: { units, proceeds } }) => ({
        ...at,
        leaving: party.weight,
        units,
        proceeds,
      })),
    )
    return leaving.map(({ input, lot }) =>
      made('leave', input, moved, (members) => afterRedemption(input.pool, lot, members)),
    )
  },
  own: async ({ sql }, inputs) => {
    const moved = await sellOwn(
      sql,
      inputs.map(({ at, party, share: { quantity, total } }) => ({
        ...at,
        held: party.weight,
        quantity,
        total,
      })),
    )
    return inputs.map((input) =>
      made('own', input, moved, (members) => afterOwnSale(input.pool, members)),
    )
  },
}

/** The change of a pool that its lot has made. */
function made(
  kind: Made['kind'],
  { pool, party }: Input,
  moved: ReadonlyMap<number, Moved>,
  after: (members: Moved) => Outcome,
): Made {
  const lot = required(moved.get(pool.id), 'a lot has members')
  assert(
    lot.weight === party.weight && lot.members === party.members,
    'a lot does not change between its plan and its settlement',
  )
  return { ...after(lot), kind, members: lot.members, userIds: lot.userIds }
}

/**
 * The transfer of a block: the gains of its pools and of members outside of them, and the payment.
 */
function transferOf(
  { newId }: Context,
  { block, fill }: Settling,
  outcomes: readonly Settled[],
): Transfer[] {
  if (fill.quantity === 0n) return []
  const sign = fill.side === 'buy' ? 1n : -1n
  const paid = { cash: sign * cashMoved(fill), coins: -sign * fill.quantity }
  const own = outcomes
    .map(({ own: { cash, base } }) => ({ cash, coins: base }))
    .reduce(added, NOTHING)
  const gains = [...groupBy(outcomes, ({ change }) => change.pool)].map(([pool, changes]) => ({
    pool,
    ...changes.map(gainOf).reduce(added, NOTHING),
  }))
  const movement = blockSettled({
    base: baseOf(block.pair),
    pools: gains,
    own,
    paid,
    by: block.filledBy,
  })
  return [{ id: newId(), dedupKey: `block:${block.id}`, movement, eventTime: block.marketTime }]
}

const NOTHING: Gain = { cash: 0n, coins: 0n }

const gainOf = ({ pool, change: { after } }: Settled): Gain => ({
  cash: after.cash - pool.cash,
  coins: after.base - pool.base,
})

const added = (a: Gain, b: Gain): Gain => ({ cash: a.cash + b.cash, coins: a.coins + b.coins })

/**
 * A strategy's trade concerns all members of its pool, whose units stay as they are: they are sent
 * the pool.
 */
async function publishOutcomes({ sql }: Transaction, outcomes: readonly Settled[]): Promise<void> {
  const [trades, lots] = [
    outcomes.filter(({ change }) => change.kind === 'trade'),
    outcomes.filter(({ change }) => change.kind !== 'trade'),
  ]
  await publishPools(sql, statesAfter(trades.map(({ change }) => change)))
  if (lots.length === 0) return
  const isCrowd = lots.some(({ userIds }) => userIds === undefined)
  await publishTrading(sql, isCrowd ? undefined : lots.flatMap(({ userIds = [] }) => userIds))
}
