import type { PoolStates } from '#contract/holdings.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Party } from '#core/pool/plan.ts'
import type { Pool } from '#core/pool/pool.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Queries, Fragment } from '#server/db/statement.ts'
import { timeOfId } from '#server/kernel/ids.ts'

/** `changes`: the number of its last change. */
export type StoredPool = Pool & { id: number; strategy: StrategyKey; pair: Pair; changes: bigint }

/** Only the leading engine writes pools, so they do not change under it. */
export async function findPools(sql: Queries): Promise<StoredPool[]> {
  const rows = await sql<(Omit<StoredPool, 'units'> & { units: string })[]>`
    select id, strategy, pair, cash, base, units, applied_bps, changes from pools order by id`
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}

/**
 * Sets applied exposures without a trade: where the order would be empty, and where prices moved a
 * pool out of its band.
 */
export async function setApplied(
  tx: Queries,
  applied: readonly { id: number; exposureBps: number }[],
): Promise<void> {
  if (applied.length === 0) return
  await tx`
    update pools p set applied_bps = s.exposure_bps
      from unnest(${applied.map(({ id }) => String(id))}::text[]::smallint[],
           ${applied.map(({ exposureBps }) => String(exposureBps))}::text[]::integer[])
        as s (id, exposure_bps)
     where p.id = s.id`
}

/** A change of a pool, with the pool after it. `weight`: see the table. */
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
  reason: string
  marketTime: Date
}

/**
 * Appends changes to the journal, in order, each at the time of its id, by which the history is
 * ordered; and updates each pool to the state after its last one.
 */
export async function writeChanges(tx: Queries, changes: readonly PoolChange[]): Promise<void> {
  if (changes.length === 0) return
  const texts = (
    of: (change: PoolChange) => string | number | bigint | null,
    among: readonly PoolChange[] = changes,
  ) => among.map((change) => of(change)?.toString() ?? null)
  await tx`
    insert into pool_changes
           (pool, number, id, kind, block_id, side, quantity, price, total, fee, weight, members,
           cash_after, base_after, units_after, reason, market_time, created_at)
    select * from unnest(
      ${texts(({ pool }) => pool)}::text[]::smallint[],
      ${texts(({ number }) => number)}::text[]::bigint[], ${texts(({ id }) => id)}::text[]::uuid[],
      ${texts(({ kind }) => kind)}::text[],
      ${texts(({ order }) => order?.blockId ?? null)}::text[]::uuid[],
      ${texts(({ order }) => order?.side ?? null)}::text[],
      ${texts(({ order }) => order?.quantity ?? 0n)}::text[]::bigint[],
      ${texts(({ order }) => order?.price ?? 0n)}::text[]::bigint[],
      ${texts(({ order, interest }) => order?.total ?? interest ?? 0n)}::text[]::bigint[],
      ${texts(({ order }) => order?.fee ?? 0n)}::text[]::bigint[],
      ${texts(({ weight }) => weight)}::text[]::numeric[],
      ${texts(({ members }) => members)}::text[]::integer[],
      ${texts(({ after }) => after.cash)}::text[]::bigint[],
      ${texts(({ after }) => after.base)}::text[]::bigint[],
      ${texts(({ after }) => after.units)}::text[]::numeric[],
      ${texts(({ reason }) => reason)}::text[],
      ${texts(({ marketTime }) => marketTime.toISOString())}::text[]::timestamptz[],
      ${texts(({ id }) => timeOfId(id).toISOString())}::text[]::timestamptz[])`
  const last = [...new Map(changes.map((change) => [change.pool, change])).values()]
  await tx`
    update pools p set cash = l.cash, base = l.base, units = l.units, applied_bps = l.applied_bps,
           changes = l.number
      from unnest(
        ${texts(({ pool }) => pool, last)}::text[]::smallint[],
        ${texts(({ number }) => number, last)}::text[]::bigint[],
        ${texts(({ after }) => after.cash, last)}::text[]::bigint[],
        ${texts(({ after }) => after.base, last)}::text[]::bigint[],
        ${texts(({ after }) => after.units, last)}::text[]::numeric[],
        ${texts(({ after }) => after.appliedBps, last)}::text[]::integer[])
        as l (pool, number, cash, base, units, applied_bps)
     where p.id = l.pool`
}

/** The pools after these changes, as browsers read them. */
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
  /** Sum of the parties' order quantities. */
  orderQuantity: Units
  parties: readonly BlockParty[]
  filledBy: 'venue' | 'house'
  marketTime: Date
}

/** `reason`: shown to its members. */
export type BlockParty = Party & { reason: string }

/** JSON has no bigint: these are text in the table. */
type StoredParty = Omit<BlockParty, 'orderQuantity' | 'weight'> & {
  orderQuantity: string
  weight: string
}

export async function insertBlocks(tx: Queries, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return
  const texts = (of: (block: Block) => string | bigint) =>
    blocks.map((block) => of(block).toString())
  const stored = ({ parties }: Block) =>
    JSON.stringify(
      parties.map((party): StoredParty => ({
        ...party,
        orderQuantity: String(party.orderQuantity),
        weight: String(party.weight),
      })),
    )
  await tx`
    insert into engine_blocks (id, pair, side, price, order_quantity, parties, filled_by,
           market_time)
    select * from unnest(
      ${texts(({ id }) => id)}::text[]::uuid[], ${texts(({ pair }) => pair)}::text[],
      ${texts(({ side }) => side)}::text[], ${texts(({ price }) => price)}::text[]::bigint[],
      ${texts(({ orderQuantity }) => orderQuantity)}::text[]::bigint[],
      ${texts(stored)}::text[]::jsonb[], ${texts(({ filledBy }) => filledBy)}::text[],
      ${texts(({ marketTime }) => marketTime.toISOString())}::text[]::timestamptz[])`
}

/** Blocks that a crash left between plan and settlement, oldest first. */
export async function findUnsettledBlocks(sql: Queries): Promise<Block[]> {
  const rows = await sql<(Omit<Block, 'parties'> & { parties: StoredParty[] })[]>`
    select id, pair, side, price, order_quantity, parties, filled_by, market_time from engine_blocks
     where state = 'planned' order by id`
  return rows.map((row) => ({
    ...row,
    parties: row.parties.map((party) => ({
      ...party,
      orderQuantity: BigInt(party.orderQuantity),
      weight: BigInt(party.weight),
    })),
  }))
}

export type SettledFill = { id: string; quantity: Units; price: Units; notional: Units; fee: Units }

export async function markSettled(tx: Queries, fills: readonly SettledFill[]): Promise<void> {
  const texts = (of: (fill: SettledFill) => string | bigint) =>
    fills.map((fill) => of(fill).toString())
  await tx`
    update engine_blocks b
       set state = 'settled', settled_at = now(), fill_quantity = f.quantity, fill_price = f.price,
           fill_notional = f.notional, fill_fee = f.fee
      from unnest(${texts(({ id }) => id)}::text[]::uuid[],
           ${texts(({ quantity }) => quantity)}::text[]::bigint[],
           ${texts(({ price }) => price)}::text[]::bigint[],
                  ${texts(({ notional }) => notional)}::text[]::bigint[],
                  ${texts(({ fee }) => fee)}::text[]::bigint[]) as f (id, quantity, price, notional,
                  fee)
     where b.id = f.id and b.state = 'planned'`
}

/**
 * Whether any bot satisfies `condition`, which has an index on the id. Asked before a statement
 * that would read more than bots, because mostly none does.
 */
export async function isAnyDue(tx: Queries, condition: Fragment): Promise<boolean> {
  const { count } = await tx`
    select user_id from trading_bots where ${condition} order by id limit 1`
  return count > 0
}
