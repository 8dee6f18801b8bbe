import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Queries, Transaction } from '#server/db/open.ts'

export type BlockKind = 'strategy' | 'entry' | 'exit'

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
  marketTime: Date
  fillQuantity: Units | null
  fillPrice: Units | null
  fillNotional: Units | null
  fillFee: Units | null
  /** As much as can be traded at all was; else the bots stay where they are for the rest. */
  fillWhole: boolean | null
  filledBy: 'venue' | 'house'
}

const columns = (sql: Queries) => sql`id, kind, pair, side, state, price, wished, bots, slices, market_time, fill_quantity, fill_price, fill_notional, fill_fee, fill_whole, filled_by`

/** Blocks that a crash left between planning and allocation, oldest first. */
export async function findUnfinishedBlocks(sql: Queries): Promise<Block[]> {
  return sql<Block[]>`select ${columns(sql)} from engine_blocks where state <> 'allocated' order by id`
}

/** Bots that await their first trade or their end. */
export async function findWaitingBots(sql: Queries): Promise<{ userId: string; id: string; status: 'entering' | 'closing'; tradingPairs: Pair[] }[]> {
  return sql<{ userId: string; id: string; status: 'entering' | 'closing'; tradingPairs: Pair[] }[]>`
    select user_id, id, status, trading_pairs from trading_bots where status in ('entering', 'closing') order by id`
}

/** What is asked of one pair: the wishes of each risk level at its price, and the blocks that will take them. */
export type Ask = {
  pair: Pair
  wants: readonly { riskLevel: string; exposureBps: number }[]
  price: Units
  /** Price at which the venue would fill a purchase. */
  buyPrice: Units
  buyBlockId: string
  sellBlockId: string
}

export type SizingRequest = {
  /** Bots in this status take part. */
  status: 'following' | 'entering' | 'closing'
  asks: readonly Ask[]
  /** What fee, spread and slippage take at most. */
  costBps: number
}

export type PlannedSide = { pair: Pair; side: Side; wished: Units; bots: number }

/**
 * What every bot needs on the pairs asked for, in one statement: `planOrder` of the core as SQL, its equality tested on random cases.
 * Writes the wishes and answers their sums for each pair and side. A sleeve whose order would be empty counts as served.
 *
 * For a million bots: `offset 0` keeps a stage from being computed anew wherever it is used, and basis points are taken in bigint, whole
 * part and rest apart so that nothing overflows: numeric, two to three times slower, is left to what needs it.
 */
export async function planWishes(tx: Queries, { status, asks, costBps }: SizingRequest): Promise<PlannedSide[]> {
  const wants = asks.flatMap(({ pair, price, buyPrice, wants: levels }, index) =>
    levels.map(({ riskLevel, exposureBps }) => ({ pair, riskLevel, exposureBps, price, buyPrice, no: index + 1 })),
  )
  const afterCosts = 10_001 + costBps
  return tx<PlannedSide[]>`
    with want as (
      select * from unnest(
        ${wants.map(({ pair }) => pair)}::text[], ${wants.map(({ riskLevel }) => riskLevel)}::text[],
        ${wants.map(({ exposureBps }) => String(exposureBps))}::text[]::integer[], ${wants.map(({ price }) => price.toString())}::bigint[],
        ${wants.map(({ buyPrice }) => buyPrice.toString())}::bigint[], ${wants.map(({ no }) => String(no))}::text[]::integer[]
      ) as want (pair, risk_level, exposure_bps, price, buy_price, no)),
    due as (
      select p.user_id, p.bot_id, want.no, p.cash, p.base, want.exposure_bps, want.price, want.buy_price, worth.current,
             p.cash + worth.current as equity
        from bot_positions p
        join trading_bots b on b.user_id = p.user_id and b.id = p.bot_id
        join want on want.pair = p.pair and want.risk_level = b.risk_level,
             lateral (select div(p.base::numeric * want.price, 100000000)::bigint as current) as worth
       where b.status = ${status} and p.pair = any(${asks.map(({ pair }) => pair)}::text[])
         and (p.applied_bps <> want.exposure_bps or (${status} = 'closing' and p.base > 0))
      offset 0),
    aimed as (
      select due.*, equity / 10000 * exposure_bps + equity % 10000 * exposure_bps / 10000 as target from due offset 0),
    wanted as materialized (
      select user_id, bot_id, no, exposure_bps, target > current as buys,
             case when target > current
                  then div(least(target - current, cash / ${afterCosts} * 10000 + cash % ${afterCosts} * 10000 / ${afterCosts} - 4)::numeric
                           * 100000000, buy_price)::bigint
                  when exposure_bps = 0 then base
                  else least(div((current - target)::numeric * 100000000, price)::bigint, base) end as quantity
        from aimed),
    wished as (
      insert into block_wishes (block_id, user_id, bot_id, quantity, exposure_bps)
      select (case when buys then ${asks.map(({ buyBlockId }) => buyBlockId)}::uuid[] else ${asks.map(({ sellBlockId }) => sellBlockId)}::uuid[] end)[no],
             user_id, bot_id, quantity, exposure_bps
        from wanted where quantity > 0),
    served as (
      update bot_positions p set applied_bps = w.exposure_bps
        from wanted w
       where p.user_id = w.user_id and p.bot_id = w.bot_id and p.pair = (${asks.map(({ pair }) => pair)}::text[])[w.no] and w.quantity <= 0)
    select (${asks.map(({ pair }) => pair)}::text[])[no] as pair, case when buys then 'buy' else 'sell' end as side,
           sum(quantity)::bigint as wished, count(*)::integer as bots
      from wanted where quantity > 0 group by no, buys order by no, side desc`
}

export type NewBlock = Pick<Block, 'id' | 'kind' | 'pair' | 'side' | 'price' | 'wished' | 'bots' | 'slices' | 'marketTime' | 'filledBy'> & {
  /** The sentence for each risk level that takes part. */
  reasons: Record<string, string>
}

export async function insertBlock(tx: Queries, block: NewBlock): Promise<Block> {
  const { id, kind, pair, side, price, wished, bots, slices, reasons, marketTime, filledBy } = block
  await tx`
    insert into engine_blocks (id, kind, pair, side, state, price, wished, bots, slices, reasons, market_time, filled_by)
    values (${id}, ${kind}, ${pair}, ${side}, 'planned', ${price}, ${wished}, ${bots}, ${slices}, ${JSON.stringify(reasons)}::text::jsonb, ${marketTime}, ${filledBy})`
  const nothing = { fillQuantity: null, fillPrice: null, fillNotional: null, fillFee: null, fillWhole: null, filledBy }
  return { id, kind, pair, side, state: 'planned', price, wished, bots, slices, marketTime, ...nothing }
}

export type FilledBlock = Block & { fillQuantity: Units; fillPrice: Units; fillNotional: Units; fillFee: Units; fillWhole: boolean }

export async function recordFill(tx: Queries, { id, fillQuantity, fillPrice, fillNotional, fillFee, fillWhole }: FilledBlock): Promise<void> {
  await tx`
    update engine_blocks set state = 'filled', fill_quantity = ${fillQuantity}, fill_price = ${fillPrice},
           fill_notional = ${fillNotional}, fill_fee = ${fillFee}, fill_whole = ${fillWhole}
     where id = ${id}`
}

/** What the bots of a slice got together, and what they paid the platform. */
export type SliceTotals = { quantity: Units; total: Units; fees: Units; bots: number }

const NOTHING: SliceTotals = { quantity: 0n, total: 0n, fees: 0n, bots: 0 }

/** The wishes of a block that belong to `slice`: a share of its users. All of them where there is but one. */
const wishesOf = (tx: Queries, { id, slices }: FilledBlock, slice: number) =>
  slices === 1 ? tx`block_id = ${id}` : tx`block_id = ${id} and (uuid_hash(user_id) & 2147483647) % ${slices} = ${slice}`

/** Everyone's share of a purchase, as `allocate` and `applyBuy` of the core have it; in the key's order, so that each of its pages is met once. */
export async function allocateBuys(tx: Queries, block: FilledBlock, slice: number): Promise<SliceTotals> {
  const paid = block.fillNotional + block.fillFee
  const [totals] = await tx<SliceTotals[]>`
    with wish as (
      select user_id, bot_id, exposure_bps,
             div(quantity::numeric * ${block.fillQuantity}, ${block.wished})::bigint as quantity,
             div(quantity::numeric * ${paid} + ${block.wished - 1n}, ${block.wished})::bigint as total,
             div(quantity::numeric * ${block.fillFee} + ${block.wished - 1n}, ${block.wished})::bigint as fee
        from block_wishes where ${wishesOf(tx, block, slice)}),
    bought as (
      update bot_positions p
         set cash = p.cash - w.total, base = p.base + w.quantity, cost = p.cost + w.total,
             applied_bps = case when ${block.fillWhole} then w.exposure_bps else p.applied_bps end
        from wish w where p.user_id = w.user_id and p.bot_id = w.bot_id and p.pair = ${block.pair}
      returning p.user_id, p.bot_id, w.quantity, w.total, w.fee),
    traded as (
      insert into bot_trades (user_id, block_id, bot_id, quantity, total, fee)
      select user_id, ${block.id}::uuid, bot_id, quantity, total, fee from bought order by user_id, bot_id)
    select coalesce(sum(quantity), 0)::bigint as quantity, coalesce(sum(total), 0)::bigint as total, 0::bigint as fees,
           count(*)::integer as bots from bought`
  return totals ?? NOTHING
}

/**
 * Everyone's share of a sale, as `allocate` and `applySell` of the core have it, and the platform's fee on it, as `performanceFee` has it:
 * realised profit above the mark, as far as the bot's equity at the last prices bears it out, and as far as the selling sleeve's cash
 * can pay. One change of each position: a second one would find its page full, and write every index anew.
 */
export async function allocateSells(tx: Queries, block: FilledBlock, { slice, feeBps }: { slice: number; feeBps: number }): Promise<SliceTotals> {
  const received = block.fillNotional - block.fillFee
  const [totals] = await tx<SliceTotals[]>`
    with seller as (
      select w.user_id, w.bot_id, w.exposure_bps, w.quantity as wished,
             sum(p.realised) as realised, sum(p.mark) as mark, sum(p.cash + p.fees_paid) as cash_and_fees,
             sum(div(p.base::numeric * coalesce(t.price, 0), 100000000)) filter (where p.pair <> ${block.pair}) as elsewhere,
             max(p.cash) filter (where p.pair = ${block.pair}) as cash, max(p.base) filter (where p.pair = ${block.pair}) as base,
             max(p.cost) filter (where p.pair = ${block.pair}) as cost, max(t.price) filter (where p.pair = ${block.pair}) as price
        from (select * from block_wishes where ${wishesOf(tx, block, slice)}) w
        join bot_positions p on p.user_id = w.user_id and p.bot_id = w.bot_id
        left join market_tickers t on t.pair = p.pair
       group by w.user_id, w.bot_id, w.exposure_bps, w.quantity
      having count(*) filter (where p.pair = ${block.pair}) > 0),
    shared as (
      select seller.*,
             div(wished::numeric * ${block.fillQuantity} + ${block.wished - 1n}, ${block.wished})::bigint as quantity,
             div(wished::numeric * ${received}, ${block.wished})::bigint as total,
             div(wished::numeric * ${block.fillFee} + ${block.wished - 1n}, ${block.wished})::bigint as fee
        from seller offset 0),
    costed as (
      select shared.*, case when quantity = base then cost else div(cost::numeric * quantity, base)::bigint end as cost_share
        from shared offset 0),
    due as (
      select c.*, c.total - c.cost_share as profit,
             greatest(0, least(
               least(c.realised + c.total - c.cost_share,
                     c.cash_and_fees + c.total + coalesce(c.elsewhere, 0)
                       + div((c.base - c.quantity)::numeric * coalesce(c.price, 0), 100000000) - b.invested) - c.mark,
               div((c.cash + c.total)::numeric * 10000, ${feeBps})))::bigint as chargeable
        from costed c join trading_bots b on b.user_id = c.user_id and b.id = c.bot_id offset 0),
    priced as (
      select due.*, div(chargeable::numeric * ${feeBps}, 10000)::bigint as platform_fee from due offset 0),
    sold as (
      update bot_positions p
         set cash = p.cash + d.total - d.platform_fee, base = p.base - d.quantity, cost = p.cost - d.cost_share,
             realised = p.realised + d.profit, mark = p.mark + d.chargeable, fees_paid = p.fees_paid + d.platform_fee,
             applied_bps = case when ${block.fillWhole} then d.exposure_bps else p.applied_bps end
        from priced d where p.user_id = d.user_id and p.bot_id = d.bot_id and p.pair = ${block.pair}
      returning p.user_id, p.bot_id, d.quantity, d.total, d.fee, d.profit, d.chargeable, d.platform_fee),
    traded as (
      insert into bot_trades (user_id, block_id, bot_id, quantity, total, fee, profit)
      select user_id, ${block.id}::uuid, bot_id, quantity, total, fee, profit from sold order by user_id, bot_id),
    charged as (
      insert into platform_fees (user_id, block_id, bot_id, user_profit, fee_amount, fee_bps)
      select user_id, ${block.id}::uuid, bot_id, chargeable, platform_fee, ${feeBps} from sold where chargeable > 0 order by user_id, bot_id)
    select coalesce(sum(quantity), 0)::bigint as quantity, coalesce(sum(total), 0)::bigint as total,
           coalesce(sum(platform_fee), 0)::bigint as fees, count(*)::integer as bots from sold`
  return totals ?? NOTHING
}

/** The slices of a block that are allocated: each has its transfer. */
export async function findDoneSlices(sql: Queries, blockId: string): Promise<Set<number>> {
  const rows = await sql<{ slice: number }[]>`
    select split_part(dedup_key, ':', 4)::integer as slice from ledger_transfers
     where dedup_key >= ${`block:${blockId}:slice:`} and dedup_key < ${`block:${blockId}:slice;`}`
  return new Set(rows.map(({ slice }) => slice))
}

/** What sharing left over: what the fill brought into clearing minus what the slices took out. */
export async function leftInClearing(sql: Queries, blockId: string): Promise<{ base: Units; quote: Units }> {
  const [row] = await sql<{ base: Units; quote: Units }[]>`
    select coalesce(sum(e.amount) filter (where e.asset <> 'USD'), 0)::bigint as base,
           coalesce(sum(e.amount) filter (where e.asset = 'USD'), 0)::bigint as quote
      from ledger_transfers t
      join ledger_entries e on e.transfer_id = t.id
      join ledger_accounts a on a.id = e.account_id and a.code = 'trade:clearing'
     where t.dedup_key >= ${`block:${blockId}:`} and t.dedup_key < ${`block:${blockId};`}`
  return row ?? { base: 0n, quote: 0n }
}

export async function finishBlock(tx: Queries, id: string): Promise<void> {
  await tx`update engine_blocks set state = 'allocated', allocated_at = clock_timestamp() where id = ${id}`
}

/**
 * Forgets the wishes of allocated blocks. Where no block is under way the table is emptied as a whole, which costs an fsync where a delete
 * costs a write for each row and leaves its space behind. Looks once nobody else can write wishes: a block that was just being planned
 * would lose its own.
 */
export async function forgetWishes(tx: Queries): Promise<void> {
  const [any] = await tx`select from block_wishes limit 1`
  if (!any) return
  await tx`lock table block_wishes in access exclusive mode`
  const [others] = await tx<{ underWay: boolean }[]>`select exists (select from engine_blocks where state <> 'allocated') as under_way`
  if (others?.underWay === false) await tx`truncate block_wishes`
}

/** From so many bots on a hash over all of them costs less than a look-up for each. */
const MANY_BOTS = 20_000

/**
 * Before a statement over any number of bots: memory for its hashes, and a plan made for the sizes of now. A kept plan was made for
 * the bots of an earlier block, and looks up a million rows one by one where it was made for ten. The planner takes user and bot of a
 * wish for independent and so expects a handful of matches: where `bots` are known to be many, it may not look them up one by one.
 */
export async function expectMany(tx: Transaction, { bots }: { bots: number }): Promise<void> {
  const loops = bots < MANY_BOTS ? 'on' : 'off'
  await tx`
    select set_config('work_mem', '128MB', true), set_config('plan_cache_mode', 'force_custom_plan', true),
           set_config('enable_nestloop', ${loops}, true)`
}

/** Before the few entries of a transfer: looked up again, one by one. */
export async function expectFew(tx: Transaction): Promise<void> {
  await tx`select set_config('enable_nestloop', 'on', true)`
}

/** The users that a block traded for, at most `limit`. */
export async function findBlockUsers(sql: Queries, blockId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`select distinct user_id from block_wishes where block_id = ${blockId} limit ${limit}`
  return rows.map(({ userId }) => userId)
}

/** New bots have entered: from now on they follow. */
export async function markFollowing(tx: Queries, botIds: readonly string[]): Promise<void> {
  await tx`update trading_bots set status = 'following' where status = 'entering' and id = any(${[...botIds]}::uuid[])`
}

/** Sells are done: empties the bot's sleeves and answers the cash that was in them; undefined while coins are left or nothing is closing. */
export async function emptyClosingBot(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<{ name: string; cash: Units } | undefined> {
  const [bot] = await tx<{ name: string }[]>`
    select name from trading_bots where user_id = ${userId} and id = ${id} and status = 'closing' for no key update`
  const positions = await tx<{ cash: Units; base: Units }[]>`
    select cash, base from bot_positions where user_id = ${userId} and bot_id = ${id} for no key update`
  if (!bot || positions.some(({ base }) => base > 0n)) return undefined
  await tx`update bot_positions set cash = 0, applied_bps = 0 where user_id = ${userId} and bot_id = ${id}`
  await tx`
    update trading_bots set status = 'closed', closed_at = clock_timestamp(), updated_at = clock_timestamp()
     where user_id = ${userId} and id = ${id}`
  return { name: bot.name, cash: positions.reduce((sum, { cash }) => sum + cash, 0n) }
}
