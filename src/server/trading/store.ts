import type { PoolStates } from '#contract/holdings.ts'
import type { HoldingChange } from '#core/ledger/movements.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { LotResult } from '#core/pool/lot.ts'
import type { Party } from '#core/pool/plan.ts'
import type { Assets, Pool } from '#core/pool/pool.ts'
import type { Sentence } from '#core/sentences.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { Side } from '#core/trading/fill.ts'
import { newRows, rows } from '#server/db/rows.ts'
import { part, type Queries, type Fragment } from '#server/db/statement.ts'
import { timeOfId } from '#server/kernel/ids.ts'

/** `changes`: the number of its last change. */
export type StoredPool = Pool & { id: number; strategy: StrategyKey; pair: Pair; changes: bigint }

/** Only the leading engine writes pools. */
export async function findPools(sql: Queries): Promise<StoredPool[]> {
  const found = await sql<(Omit<StoredPool, 'units'> & { units: string })[]>`
    select id, strategy, pair, cash, base, units, applied_bps, changes from pools order by id`
  return found.map((row) => ({ ...row, units: BigInt(row.units) }))
}

/** Sets applied exposures without a trade. */
export async function setApplied(
  tx: Queries,
  applied: readonly { id: number; exposureBps: number }[],
): Promise<void> {
  if (applied.length === 0) return
  await tx`
    update pools p set applied_bps = given.exposure_bps
      from ${rows(applied, { id: 'smallint', exposure_bps: 'integer' })}
     where p.id = given.id`
}

/** `after`: the pool after the change. `weight`: see the table. */
export type PoolChange = {
  pool: number
  number: bigint
  id: string
  kind: 'trade' | 'join' | 'leave' | 'pause' | 'own' | 'yield'
  order?: { blockId: string; side: Side; quantity: Units; price: Units; total: Units; fee: Units }
  /** Paid on the pool's cash by a yield. */
  interest?: Units
  weight: bigint
  members: number
  after: Pool
  reason: Sentence
  marketTime: Date
}

/**
 * Appends changes to the journal, each at the time of its id, which orders the history, and updates
 * the pools.
 */
export async function writeChanges(tx: Queries, changes: readonly PoolChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx`
    insert into pool_changes ${newRows(changes, {
      pool: 'smallint',
      number: 'bigint',
      id: 'uuid',
      kind: 'text',
      block_id: ['uuid', ({ order }) => order?.blockId],
      side: ['text', ({ order }) => order?.side],
      quantity: ['bigint', ({ order }) => order?.quantity ?? 0n],
      price: ['bigint', ({ order }) => order?.price ?? 0n],
      total: ['bigint', ({ order, interest }) => order?.total ?? interest ?? 0n],
      fee: ['bigint', ({ order }) => order?.fee ?? 0n],
      weight: 'numeric',
      members: 'integer',
      cash_after: ['bigint', ({ after }) => after.cash],
      base_after: ['bigint', ({ after }) => after.base],
      units_after: ['numeric', ({ after }) => after.units],
      reason: 'jsonb',
      market_time: 'timestamptz',
      created_at: ['timestamptz', ({ id }) => timeOfId(id)],
    })}`
  const last = new Map(changes.map(({ pool, number, after }) => [pool, { ...after, pool, number }]))
  await tx`
    update pools p
       set cash = given.cash, base = given.base, units = given.units,
           applied_bps = given.applied_bps, changes = given.number
      from ${rows([...last.values()], {
        pool: 'smallint',
        number: 'bigint',
        cash: 'bigint',
        base: 'bigint',
        units: 'numeric',
        applied_bps: 'integer',
      })}
     where p.id = given.pool`
}

export const nextOf = ({ id, changes }: StoredPool) => ({ pool: id, number: changes + 1n })

/** `own`: the gain of the members outside of the pool. */
export type Made = { before: StoredPool; change: PoolChange; own: Assets }

export function changePool(
  before: StoredPool,
  { pool: after, own, weight }: LotResult,
  rest: Omit<PoolChange, 'pool' | 'number' | 'after' | 'weight'>,
): Made {
  return { before, own, change: { ...nextOf(before), ...rest, after, weight } }
}

export const poolAfter = ({ before, change: { after, number } }: Made): StoredPool => ({
  ...before,
  ...after,
  changes: number,
})

export const gainOfPool = ({ before, change: { after } }: Made): HoldingChange => ({
  cash: after.cash - before.cash,
  coins: after.base - before.base,
})

/** The pools after these changes, for browsers. */
export function statesAfter(changes: readonly PoolChange[]): PoolStates {
  return Object.fromEntries(
    changes.map(({ pool, number, after: { cash, base, units } }) => [
      pool,
      {
        number: Number(number),
        cash: unitsToDecimal(cash, 8),
        base: unitsToDecimal(base, 8),
        units: String(units),
      },
    ]),
  )
}

export type Block = {
  id: string
  pair: Pair
  side: Side
  price: Units
  orderQuantity: Units
  parties: readonly BlockParty[]
  filledBy: 'venue' | 'house' | 'operator'
  marketTime: Date
}

/** `reason`: shown to its members. */
export type BlockParty = Party & { reason: Sentence }

/** JSON has no bigint: these are text in the table. */
type StoredParty = Omit<BlockParty, 'orderQuantity' | 'weight'> & {
  orderQuantity: string
  weight: string
}

export async function insertBlocks(tx: Queries, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return
  const stored = ({ parties }: Block) =>
    parties.map((party): StoredParty => ({
      ...party,
      orderQuantity: String(party.orderQuantity),
      weight: String(party.weight),
    }))
  await tx`
    insert into engine_blocks ${newRows(blocks, {
      id: 'uuid',
      pair: 'text',
      side: 'text',
      price: 'bigint',
      order_quantity: 'bigint',
      parties: ['jsonb', stored],
      filled_by: 'text',
      market_time: 'timestamptz',
    })}`
}

/** Blocks whose outcome is unknown, or that a crash left unsettled, oldest first. */
export async function findUnsettledBlocks(sql: Queries): Promise<Block[]> {
  const found = await sql<(Omit<Block, 'parties'> & { parties: StoredParty[] })[]>`
    select id, pair, side, price, order_quantity, parties, filled_by, market_time from engine_blocks
     where state = 'planned' order by id`
  return found.map((row) => ({
    ...row,
    parties: row.parties.map((party) => ({
      ...party,
      orderQuantity: BigInt(party.orderQuantity),
      weight: BigInt(party.weight),
    })),
  }))
}

/**
 * Pools that take part in unsettled blocks, whose lots stay as they were planned. `joining`: those
 * with a joining lot. `pairs`: of the blocks.
 */
export type BusyPools = {
  pools: readonly number[]
  joining: readonly number[]
  pairs: ReadonlySet<Pair>
}

export async function findBusyPools(sql: Queries): Promise<BusyPools> {
  const blocks = await findUnsettledBlocks(sql)
  const parties = blocks.flatMap((block) => block.parties)
  return {
    pools: parties.map(({ pool }) => pool),
    joining: parties.filter(({ as }) => as === 'join').map(({ pool }) => pool),
    pairs: new Set(blocks.map(({ pair }) => pair)),
  }
}

/** Interest paid to each pool since its joining lot was planned, whose outcome is unknown. */
export async function findEarningsSincePlan(sql: Queries): Promise<Map<number, Units>> {
  const found = await sql<{ pool: number; earned: Units }[]>`
    select p.id as pool, coalesce(sum(c.total), 0)::bigint as earned
      from engine_blocks k
     cross join jsonb_array_elements(k.parties) party
      join pools p on p.id = (party ->> 'pool')::smallint
      left join pool_changes c on c.pool = p.id and c.kind = 'yield'
       and c.market_time > k.market_time
     where k.state = 'planned' and party ->> 'as' = 'join'
     group by p.id`
  return new Map(found.map(({ pool, earned }) => [pool, earned]))
}

/** Whether the pool of sleeve `s` is one of `pools`. */
export const isIn = (pools: readonly number[]): Fragment =>
  pools.length === 0 ? part`false` : part`(s.pool = any(${[...pools]}::smallint[]))`

/** Whether bot `b` has, or wants, something in a busy pool. */
export const hasSleeveIn = ({ pools }: BusyPools): Fragment =>
  pools.length === 0
    ? part`false`
    : part`exists (
           select 1 from sleeves s join pools p on p.id = s.pool
            where s.user_id = b.user_id and s.bot_id = b.id and ${isIn(pools)}
              and (s.status <> 'out'
                or (p.strategy = b.strategy and p.pair = any(b.trading_pairs))))`

export type SettledFill = { id: string; quantity: Units; price: Units; notional: Units; fee: Units }

export async function markSettled(tx: Queries, fills: readonly SettledFill[]): Promise<void> {
  await tx`
    update engine_blocks b
       set state = 'settled', settled_at = now(), fill_quantity = given.quantity,
           fill_price = given.price, fill_notional = given.notional, fill_fee = given.fee
      from ${rows(fills, {
        id: 'uuid',
        quantity: 'bigint',
        price: 'bigint',
        notional: 'bigint',
        fee: 'bigint',
      })}
     where b.id = given.id and b.state = 'planned'`
}

/**
 * Whether any bot satisfies `condition`, which must have an index. Usually none does, which saves a
 * larger statement.
 */
export async function isAnyDue(tx: Queries, condition: Fragment): Promise<boolean> {
  const { count } = await tx`
    select user_id from trading_bots where ${condition} order by id limit 1`
  return count > 0
}
