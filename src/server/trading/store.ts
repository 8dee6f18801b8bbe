import { assert } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Fragment, Queries, Transaction } from '#server/db/open.ts'

export type BlockKind = 'strategy' | 'entry' | 'exit'

/** Whom a block is for: bots of this status. */
const STATUS_OF = { strategy: 'following', entry: 'entering', exit: 'closing' } as const satisfies Record<BlockKind, string>

export type Block = {
  id: string
  kind: BlockKind
  pair: Pair
  side: Side
  state: 'planned' | 'filled' | 'allocated'
  price: Units
  wished: Units
  bots: number
  slices: number
  /** Blocks planned together share a number: no sleeve has a share of two of them. */
  plan: bigint
  /** Price at which the venue was expected to fill a purchase, and what fee, spread and slippage would take at most. */
  buyPrice: Units
  costBps: number
  /** What each risk level that takes part wants, 0 to 10 000 basis points. */
  exposures: Record<string, number>
  marketTime: Date
  fillQuantity: Units | null
  fillPrice: Units | null
  fillNotional: Units | null
  fillFee: Units | null
  /** As much as can be traded at all was; else the bots stay where they are for the rest. */
  fillWhole: boolean | null
  filledBy: 'venue' | 'house'
}

const columns = (sql: Queries) => sql`id, kind, pair, side, state, price, wished, bots, slices, plan, buy_price, cost_bps, exposures, market_time, fill_quantity, fill_price, fill_notional, fill_fee, fill_whole, filled_by`

/** Blocks that a crash left between planning and allocation, oldest first. */
export async function findUnfinishedBlocks(sql: Queries): Promise<Block[]> {
  return sql<Block[]>`select ${columns(sql)} from engine_blocks where state <> 'allocated' order by id`
}

/** What is asked of one pair: the wishes of each risk level at its price. */
export type Ask = {
  pair: Pair
  wants: readonly { riskLevel: string; exposureBps: number }[]
  price: Units
  /** Price at which the venue would fill a purchase. */
  buyPrice: Units
}

export type SizingRequest = {
  kind: BlockKind
  asks: readonly Ask[]
  /** What fee, spread and slippage take at most. */
  costBps: number
}

export type PlannedSide = { pair: Pair; side: Side; wished: Units; bots: number }

/** `from`: sleeves `p`, each beside what is wanted of it as `want` (exposure_bps, price, buy_price). */
type Sizing = { kind: BlockKind; costBps: number; from: Fragment; where: Fragment }

/**
 * What every sleeve needs, `planOrder` of the core as SQL, its equality tested on random cases: the stages of a statement that end in
 * `wanted`. A wish follows from the sleeve and the plan alone, and a sleeve stands still between its plan and its share: so wishes are
 * written nowhere, and told again where they are shared.
 *
 * For a million bots: `offset 0` keeps a stage from being computed anew wherever it is used, and basis points are taken in bigint, whole
 * part and rest apart so that nothing overflows: numeric, two to three times slower, is left to what needs it.
 */
function sized(tx: Queries, { kind, costBps, from, where }: Sizing) {
  const afterCosts = 10_001 + costBps
  return tx`
    due as (
      select p.ctid as place, p.user_id, p.bot_id, p.pair, p.cash, p.base, p.cost, p.realised, p.mark, p.fees_paid,
             want.exposure_bps, want.price, want.buy_price, worth.current, p.cash + worth.current as equity
        from ${from}, lateral (select case when p.base > 0 then div(p.base::numeric * want.price, 100000000)::bigint else 0 end as current) as worth
       where p.engine_status = ${STATUS_OF[kind]} and (p.applied_bps <> want.exposure_bps or (p.engine_status = 'closing' and p.base > 0)) and ${where}
      offset 0),
    aimed as (
      select due.*, equity / 10000 * exposure_bps + equity % 10000 * exposure_bps / 10000 as target from due offset 0),
    wanted as (
      select aimed.*, target > current as buys,
             case when target > current
                  then div(least(target - current, cash / ${afterCosts} * 10000 + cash % ${afterCosts} * 10000 / ${afterCosts} - 4)::numeric
                           * 100000000, buy_price)::bigint
                  when exposure_bps = 0 then base
                  else least(div((current - target)::numeric * 100000000, price)::bigint, base) end as wish
        from aimed offset 0)`
}

/** Numbers what is planned together. */
export async function nextPlan(tx: Queries): Promise<bigint> {
  const [row] = await tx<{ plan: bigint }[]>`update market_clock set plans = plans + 1 returning plans as plan`
  assert(row, 'the clock is started')
  return row.plan
}

/**
 * Tells the sleeves of new bots, and of those that were paused, resumed or closed, their bot's status. Only between blocks: who pauses
 * while one is under way still has his share of it.
 */
export async function adoptStatuses(tx: Queries): Promise<void> {
  const changed = await tx<{ userId: string; id: string; status: string }[]>`
    update trading_bots set engine_status = status where not is_told returning user_id, id, status`
  if (changed.length === 0) return
  await tx`
    update bot_positions p set engine_status = changed.status
      from unnest(${changed.map(({ userId }) => userId)}::uuid[], ${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ status }) => status)}::text[])
        as changed (user_id, id, status)
     where p.user_id = changed.user_id and p.bot_id = changed.id`
}

/** What the sleeves need on the pairs asked for, summed for each pair and side. A sleeve whose order would be empty counts as served. */
export async function planSides(tx: Queries, { kind, asks, costBps }: SizingRequest): Promise<PlannedSide[]> {
  const wants = asks.flatMap(({ pair, price, buyPrice, wants: levels }) => levels.map((level) => ({ pair, price, buyPrice, ...level })))
  const stages = tx`
    want as (
      select * from unnest(
        ${wants.map(({ pair }) => pair)}::text[], ${wants.map(({ riskLevel }) => riskLevel)}::text[],
        ${wants.map(({ exposureBps }) => String(exposureBps))}::text[]::integer[], ${wants.map(({ price }) => price.toString())}::bigint[],
        ${wants.map(({ buyPrice }) => buyPrice.toString())}::bigint[]
      ) as want (pair, risk_level, exposure_bps, price, buy_price)),
    ${sized(tx, {
      kind, costBps,
      from: tx`bot_positions p join want on want.pair = p.pair and want.risk_level = p.risk_level`,
      where: tx`p.pair = any(${asks.map(({ pair }) => pair)}::text[])`,
    })}`
  const sides = await tx<(PlannedSide & { served: boolean })[]>`
    with ${stages}
    select pair, case when buys then 'buy' else 'sell' end as side, coalesce(sum(wish) filter (where wish > 0), 0)::bigint as wished,
           (count(*) filter (where wish > 0))::integer as bots, bool_or(wish <= 0) as served
      from wanted group by pair, buys order by array_position(${asks.map(({ pair }) => pair)}::text[], pair), buys`
  if (sides.some(({ served }) => served)) {
    await tx`
      with ${stages}
      update bot_positions p set applied_bps = w.exposure_bps from wanted w where p.ctid = w.place and w.wish <= 0`
  }
  return sides.filter(({ bots }) => bots > 0).map(({ pair, side, wished, bots }) => ({ pair, side, wished, bots }))
}

export type NewBlock = Pick<Block, 'id' | 'kind' | 'pair' | 'side' | 'price' | 'wished' | 'bots' | 'slices' | 'plan' | 'buyPrice' | 'costBps' | 'exposures' | 'marketTime' | 'filledBy'> & {
  /** The sentence for each risk level that takes part. */
  reasons: Record<string, string>
}

export async function insertBlock(tx: Queries, { reasons, ...block }: NewBlock): Promise<Block> {
  const { id, kind, pair, side, price, wished, bots, slices, plan, buyPrice, costBps, exposures, marketTime, filledBy } = block
  await tx`
    insert into engine_blocks (id, kind, pair, side, state, price, wished, bots, slices, plan, buy_price, cost_bps, exposures, reasons, market_time, filled_by)
    values (${id}, ${kind}, ${pair}, ${side}, 'planned', ${price}, ${wished}, ${bots}, ${slices}, ${plan}, ${buyPrice}, ${costBps},
            ${JSON.stringify(exposures)}::text::jsonb, ${JSON.stringify(reasons)}::text::jsonb, ${marketTime}, ${filledBy})`
  return { ...block, state: 'planned', fillQuantity: null, fillPrice: null, fillNotional: null, fillFee: null, fillWhole: null }
}

export type FilledBlock = Block & { fillQuantity: Units; fillPrice: Units; fillNotional: Units; fillFee: Units; fillWhole: boolean }

export async function recordFill(tx: Queries, { id, fillQuantity, fillPrice, fillNotional, fillFee, fillWhole }: FilledBlock): Promise<void> {
  await tx`
    update engine_blocks set state = 'filled', fill_quantity = ${fillQuantity}, fill_price = ${fillPrice},
           fill_notional = ${fillNotional}, fill_fee = ${fillFee}, fill_whole = ${fillWhole}
     where id = ${id}`
}

/** What the bots of a slice got together, what they paid the platform, and the users of the first of them. */
export type SliceTotals = { quantity: Units; total: Units; fees: Units; bots: number; userIds: string[] }

/** As many bots are looked at for `userIds`: of a block with no more of them, all users are named. */
export const NAMED_BOTS = 100

const NOTHING: SliceTotals = { quantity: 0n, total: 0n, fees: 0n, bots: 0, userIds: [] }

/** The sleeves' wishes on one side of a block, of those that have no share of its plan yet. */
function wishesOf(tx: Queries, { kind, pair, plan, price, buyPrice, costBps, exposures }: FilledBlock, where: Fragment) {
  const levels = Object.keys(exposures)
  const bps = Object.values(exposures).map(String)
  return sized(tx, {
    kind, costBps,
    from: tx`bot_positions p, lateral (
      select (${bps}::text[]::integer[])[array_position(${levels}::text[], p.risk_level)] as exposure_bps, ${price}::bigint as price, ${buyPrice}::bigint as buy_price) as want`,
    where: tx`p.pair = ${pair} and p.plan < ${plan} and ${where}`,
  })
}

/** Pages of the table of sleeves, from `from` up to, and without, `to`. */
export type Stretch = { from: number; to: number }

/** Above any page that a table can have. */
const NO_PAGE = 2 ** 32 - 1

/** Takes all pages apart into `parts` stretches: where a sleeve lies says nothing, but no two slices then meet on a page. */
export async function findStretches(sql: Queries, parts: number): Promise<Stretch[]> {
  if (parts === 1) return [{ from: 0, to: NO_PAGE }]
  const [table] = await sql<{ pages: number }[]>`
    select (pg_relation_size('bot_positions') / current_setting('block_size')::integer)::integer as pages`
  const pages = table?.pages ?? 0
  const ends = Array.from({ length: parts }, (_, part) => Math.floor((pages * (part + 1)) / parts))
  // What is added meanwhile belongs to the last.
  return ends.map((to, part) => ({ from: ends[part - 1] ?? 0, to: part < parts - 1 ? to : NO_PAGE }))
}

/** A whole table is better found through its index. */
const on = (tx: Queries, { from, to }: Stretch) =>
  from === 0 && to === NO_PAGE ? tx`true` : tx`p.ctid >= ${`(${from},0)`}::tid and p.ctid < ${`(${to},0)`}::tid`

const totalsOf = (tx: Queries) => tx`
  coalesce(sum(quantity), 0)::bigint as quantity, coalesce(sum(total), 0)::bigint as total, count(*)::integer as bots,
  array(select distinct user_id from (select user_id from shared limit ${NAMED_BOTS}) as first) as user_ids`

/** Everyone's share of a purchase, as `allocate` and `applyBuy` of the core have it; in the key's order, so that each of its pages is met once. */
export async function allocateBuys(tx: Queries, block: FilledBlock, stretch: Stretch): Promise<SliceTotals> {
  const paid = block.fillNotional + block.fillFee
  const [totals] = await tx<SliceTotals[]>`
    with ${wishesOf(tx, block, on(tx, stretch))},
    share as (
      select place, exposure_bps,
             case when ${block.fillQuantity}::bigint = ${block.wished}::bigint then wish
                  else div(wish::numeric * ${block.fillQuantity}, ${block.wished})::bigint end as quantity,
             div(wish::numeric * ${paid} + ${block.wished - 1n}, ${block.wished})::bigint as total,
             div(wish::numeric * ${block.fillFee} + ${block.wished - 1n}, ${block.wished})::bigint as fee
        from wanted where buys and wish > 0 offset 0),
    shared as (
      update bot_positions p
         set cash = p.cash - s.total, base = p.base + s.quantity, cost = p.cost + s.total, plan = ${block.plan},
             applied_bps = case when ${block.fillWhole} then s.exposure_bps else p.applied_bps end
        from share s where p.ctid = s.place
      returning p.user_id, p.bot_id, s.quantity, s.total, s.fee),
    traded as (
      insert into bot_trades (user_id, block_id, bot_id, quantity, total, fee)
      select user_id, ${block.id}::uuid, bot_id, quantity, total, fee from shared order by user_id, bot_id)
    select ${totalsOf(tx)}, 0::bigint as fees from shared`
  return totals ?? NOTHING
}

/**
 * Everyone's share of a sale, as `allocate` and `applySell` of the core have it, and the platform's fee on it, as `performanceFee` has it:
 * realised profit above the mark, as far as the bot's equity at the last prices bears it out, and as far as the selling sleeve's cash
 * can pay. One change of each position: a second one would find its page full, and write every index anew.
 */
export async function allocateSells(tx: Queries, block: FilledBlock, { stretch, feeBps }: { stretch: Stretch; feeBps: number }): Promise<SliceTotals> {
  const received = block.fillNotional - block.fillFee
  const [totals] = await tx<SliceTotals[]>`
    with ${wishesOf(tx, block, on(tx, stretch))},
    share as (
      select wanted.*,
             case when ${block.fillQuantity}::bigint = ${block.wished}::bigint then wish
                  else div(wish::numeric * ${block.fillQuantity} + ${block.wished - 1n}, ${block.wished})::bigint end as quantity,
             div(wish::numeric * ${received}, ${block.wished})::bigint as total,
             div(wish::numeric * ${block.fillFee} + ${block.wished - 1n}, ${block.wished})::bigint as fee
        from wanted where not buys and wish > 0 offset 0),
    costed as (
      select share.*, case when quantity = base then cost else div(cost::numeric * quantity, base)::bigint end as cost_share
        from share offset 0),
    owing as (
      select c.*, c.total - c.cost_share as profit,
             greatest(0, least(
               least(c.realised + c.total - c.cost_share + coalesce(others.realised, 0),
                     c.cash + c.fees_paid + c.total
                       + div((c.base - c.quantity)::numeric * coalesce((select price from market_tickers where pair = ${block.pair}), 0), 100000000)
                       + coalesce(others.cash_and_fees, 0) + coalesce(others.worth, 0) - b.invested)
                 - c.mark - coalesce(others.mark, 0),
               div((c.cash + c.total)::numeric * 10000, ${feeBps})))::bigint as chargeable
        from costed c
        join trading_bots b on b.user_id = c.user_id and b.id = c.bot_id
        left join lateral (
          select sum(o.realised) as realised, sum(o.mark) as mark, sum(o.cash + o.fees_paid) as cash_and_fees,
                 sum(div(o.base::numeric * coalesce(t.price, 0), 100000000)) as worth
            from bot_positions o left join market_tickers t on t.pair = o.pair
           where cardinality(b.trading_pairs) > 1 and o.user_id = c.user_id and o.bot_id = c.bot_id and o.pair <> ${block.pair}) others on true
      offset 0),
    priced as (
      select owing.*, div(chargeable::numeric * ${feeBps}, 10000)::bigint as platform_fee from owing offset 0),
    shared as (
      update bot_positions p
         set cash = p.cash + d.total - d.platform_fee, base = p.base - d.quantity, cost = p.cost - d.cost_share, plan = ${block.plan},
             realised = p.realised + d.profit, mark = p.mark + d.chargeable, fees_paid = p.fees_paid + d.platform_fee,
             applied_bps = case when ${block.fillWhole} then d.exposure_bps else p.applied_bps end
        from priced d where p.ctid = d.place
      returning p.user_id, p.bot_id, d.quantity, d.total, d.fee, d.profit, d.chargeable, d.platform_fee),
    traded as (
      insert into bot_trades (user_id, block_id, bot_id, quantity, total, fee, profit)
      select user_id, ${block.id}::uuid, bot_id, quantity, total, fee, profit from shared order by user_id, bot_id),
    charged as (
      insert into platform_fees (user_id, block_id, bot_id, user_profit, fee_amount, fee_bps)
      select user_id, ${block.id}::uuid, bot_id, chargeable, platform_fee, ${feeBps} from shared where chargeable > 0 order by user_id, bot_id)
    select ${totalsOf(tx)}, coalesce(sum(platform_fee), 0)::bigint as fees from shared`
  return totals ?? NOTHING
}

/** What sharing left over: what the fill brought into clearing minus what the slices took out. */
export async function leftInClearing(sql: Queries, blockId: string): Promise<{ base: Units; quote: Units }> {
  const [row] = await sql<{ base: Units; quote: Units }[]>`
    select coalesce(sum(e.amount) filter (where e.asset <> 'USD'), 0)::bigint as base,
           coalesce(sum(e.amount) filter (where e.asset = 'USD'), 0)::bigint as quote
      from ledger_entries e
      join ledger_accounts a on a.id = e.account_id and a.code = 'trade:clearing'
     where e.transfer_id = any(array(select id from ledger_transfers
            where dedup_key >= ${`block:${blockId}:`} and dedup_key < ${`block:${blockId};`}))`
  return row ?? { base: 0n, quote: 0n }
}

export async function finishBlock(tx: Queries, id: string): Promise<void> {
  await tx`update engine_blocks set state = 'allocated', allocated_at = clock_timestamp() where id = ${id}`
}

/**
 * Before a statement over all sleeves: memory for its hashes, and a plan made for the sizes of now, not for those of an earlier plan.
 * The planner does not know that all of them make two groups a pair, and would sort a million rows.
 */
export async function expectMany(tx: Transaction): Promise<void> {
  await tx`
    select set_config('work_mem', '128MB', true), set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_sort', 'off', true)`
}

/**
 * Before the shares of a slice: each row is looked up where it lies, its bot by its key. How many rows a stage has is beyond the planner,
 * and what it prefers to a look-up reads all sleeves and all bots for each slice.
 */
export async function expectLookUps(tx: Transaction): Promise<void> {
  await tx`
    select set_config('work_mem', '128MB', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`
}
