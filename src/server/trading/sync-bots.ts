import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { hasSleeveIn, isAnyDue, isIn, type BusyPools } from './store.ts'
import { statusAfter } from './sleeve-status.ts'

/** Maximum members of a lot, which bounds its transaction. The rest joins the next. */
export const LOT_SIZE = 250_000

const ALL = part``

/** Closing bots, which need no move in kind before their coins are sold. */
export const CLOSING = part`and status = 'closing'`

/**
 * Updates sleeves to the settings of owners and the decisions of guards. Runs only between blocks,
 * so that a bot paused during a block still gets its share. `room`: how many more members the
 * fullest lot can take. Added money is split in equal parts, the remainder to the first sleeve. For
 * a part taken out, each sleeve gives cash, and units that leave with the next lot. After a change
 * of settings, unwanted sleeves leave, and the kept ones give a part for added pairs: see
 * `partForAdded` in core. Returns the pools of the updated sleeves. If an order of a pool has an
 * unknown outcome, the sleeves of its members only note what is to leave, and follow later. Until
 * then their bots accept neither added money nor other settings.
 */
export async function syncBots(
  tx: Queries,
  { room, busy, which = ALL }: { room: number; busy: BusyPools; which?: Fragment },
): Promise<number[]> {
  if (room <= 0) return []
  const late = await syncLateSleeves(tx, { room, busy })
  if (!(await isAnyDue(tx, part`not is_synced ${which}`))) return late
  const changed = await tx<{ pool: number }[]>`
    with due as (
      select b.user_id, b.id, b.status, b.pending, b.strategy, b.trading_pairs, b.taking_bps,
             b.changing, ${takesBps} as takes_bps,
             held.by_order and b.status <> 'closing' as keeps_pending
        from trading_bots b
       cross join lateral (select ${hasSleeveIn(busy)} as by_order) held
       where not is_synced ${which} and (not held.by_order or ${isUrgent})
       order by b.id limit ${room}),
    synced as (${acceptWishes}),
    wanted as (${wantedOfSleeves(busy, SYNCED)}),
    late as (${noteParts}),
    changed as (${changeSleeves} returning s.pool)
    select distinct pool from changed`
  return [...late, ...changed.map(({ pool }) => pool)]
}

/** Applies requests that sleeves missed while the outcome of an order of their pool was unknown. */
async function syncLateSleeves(
  tx: Queries,
  { room, busy }: { room: number; busy: BusyPools },
): Promise<number[]> {
  const late = part`
    select s.* from sleeves s where s.behind_bps is not null and not ${isIn(busy.pools)}`
  if ((await tx`${late} limit 1`).count === 0) return []
  const changed = await tx<{ pool: number }[]>`
    with late as (${late} limit ${room}),
    due as (
      select distinct b.user_id, b.id, b.engine_status as status, 0::bigint as pending,
             b.strategy, b.trading_pairs, 0 as takes_bps, false as keeps_pending
        from late join trading_bots b on b.user_id = late.user_id and b.id = late.bot_id),
    wanted as (${wantedOfSleeves(busy, LATE)}),
    changed as (${changeSleeves} returning s.pool)
    select distinct pool from changed`
  return changed.map(({ pool }) => pool)
}

/** Requests that wait for no order: the bot's sleeves in other pools follow at once. */
const isUrgent = part`
  (b.status = 'closing' or (b.changing is not distinct from b.engine_changing
    and (b.status is distinct from b.engine_status
      or b.taking_bps is distinct from b.engine_taking_bps)))`

/** The part that leaves each wanted sleeve: taken out, or moved to added pairs. */
const takesBps = part`
  case when taking_bps is not null and engine_taking_bps is null then taking_bps
       when changing < cardinality(trading_pairs) and engine_changing is null
       then 10000 * (cardinality(trading_pairs) - changing) / cardinality(trading_pairs)
       else 0 end`

/** Skips bots that were changed meanwhile; the next call syncs them. */
const acceptWishes = part`
  update trading_bots b set engine_status = due.status, engine_taking_bps = due.taking_bps,
         engine_changing = due.changing,
         pending = case when due.keeps_pending then b.pending else 0 end
    from due where b.user_id = due.user_id and b.id = due.id and b.status = due.status
     and b.pending = due.pending and b.taking_bps is not distinct from due.taking_bps
     and b.changing is not distinct from due.changing
  returning b.user_id, b.id`

const SYNCED = part`
    join synced on synced.user_id = due.user_id and synced.id = due.id
    join sleeves s on s.user_id = due.user_id and s.bot_id = due.id`

const LATE = part`join late s on s.user_id = due.user_id and s.bot_id = due.id`

/**
 * `place`: of the pair among the bot's; null if the sleeve is not wanted any more. `is_held`: by an
 * order of unknown outcome. Money outside of its lots is not held. A closing sleeve keeps its cash,
 * which the bot returns, or uses again after a stop.
 */
const wantedOfSleeves = ({ pools, joining }: BusyPools, sleeves: Fragment) => part`
  select s.user_id, s.bot_id, s.pool, wish, takes.bps as takes_bps,
         case when place > 0 and not keeps_pending
              then due.pending / cardinality(due.trading_pairs) else 0 end
         + case when place = 1 and not keeps_pending
                then due.pending % cardinality(due.trading_pairs) else 0 end
         as added,
         case when place > 0 and wish <> 'close'
              then div(s.cash::numeric * takes.bps, 10000)::bigint else 0 end as cash_out,
         case when place > 0 then div(s.units * takes.bps, 10000) else 0 end as units_out,
         ${isIn(pools)} and (wish = 'trade' or s.units > 0 or s.base > 0
           or (s.status = 'joining' and ${isIn(joining)})) as is_held
    from due ${sleeves}
    join pools p on p.id = s.pool
   cross join lateral (select case when p.strategy = due.strategy
         then array_position(due.trading_pairs, p.pair) end as place) w
   cross join lateral (
         select case when place is null or due.status in ('closing', 'stopped') then 'close'
                     when due.status = 'paused' then 'pause' else 'trade' end as wish) wishes
   cross join lateral (select coalesce(s.behind_bps, due.takes_bps) as bps) takes
   where place > 0 or s.status <> 'out' or s.behind_bps is not null`

/** Money added to a closing bot is returned with what the sleeve has sold. */
const noteParts = part`
  update sleeves s
     set taken = s.taken + w.added,
         behind_bps = case when w.wish = 'close' then 10000 else w.takes_bps end
    from wanted w
   where w.is_held and s.user_id = w.user_id and s.bot_id = w.bot_id and s.pool = w.pool`

const adopted = (wish: 'close' | 'pause' | 'trade') =>
  statusAfter(wish, {
    cash: part`s.cash + w.added - w.cash_out`,
    added: part`w.added`,
    base: part`s.base`,
    units: part`s.units`,
    leaving: part`w.units_out`,
  })

const changeSleeves = part`
  update sleeves s
     set cash = s.cash + w.added - w.cash_out, taken = s.taken + w.cash_out, behind_bps = null,
         leaving = case when w.wish = 'close' then s.units
                        when w.units_out > 0 then w.units_out else s.leaving end,
         status = case w.wish when 'close' then ${adopted('close')}
                              when 'pause' then ${adopted('pause')}
                              else ${adopted('trade')} end
    from wanted w
   where not w.is_held and s.user_id = w.user_id and s.bot_id = w.bot_id and s.pool = w.pool`
