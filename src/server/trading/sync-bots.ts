import { part, type Queries } from '#server/db/statement.ts'
import { isAnyDue } from './store.ts'
import { statusAfter } from './sleeve-status.ts'

/** Maximum members of a lot, which bounds its transaction. The rest joins the next. */
export const LOT_SIZE = 250_000

const ALL = part``

/** Closing bots need no move in kind before their coins are sold. */
export const CLOSING = part`and status = 'closing'`

/**
 * Updates sleeves to what owners and guards want. Runs only between blocks, so that a bot paused
 * during a block still gets its share. `room`: how many more members the fullest lot can take.
 *
 * Money put in is split in equal parts, the remainder to the first sleeve. Of a part taken out,
 * each sleeve gives units, which leave with the next lot, and cash. After a change of settings,
 * unwanted sleeves leave, and the kept ones give a part for added pairs: see `partForAdded` in
 * core. Returns the pools of the updated sleeves.
 */
export async function syncBots(tx: Queries, room: number, which = ALL): Promise<number[]> {
  if (room <= 0) return []
  if (!(await isAnyDue(tx, part`not is_synced ${which}`))) return []
  const changed = await tx<{ pool: number }[]>`
    with due as (
      select user_id, id, status, pending, strategy, trading_pairs, taking_bps, changing,
             ${takesBps} as takes_bps
        from trading_bots where not is_synced ${which} order by id limit ${room}),
    synced as (${acceptWishes}),
    wanted as (${wantedOfSleeves}),
    changed as (${changeSleeves} returning s.pool)
    select distinct pool from changed`
  return changed.map(({ pool }) => pool)
}

/** The part that leaves each wanted sleeve: taken out, or moved to added pairs. */
const takesBps = part`
  case when taking_bps is not null and engine_taking_bps is null then taking_bps
       when changing < cardinality(trading_pairs) and engine_changing is null
       then 10000 * (cardinality(trading_pairs) - changing) / cardinality(trading_pairs)
       else 0 end`

/** A bot changed meanwhile is left for the next time. */
const acceptWishes = part`
  update trading_bots b set engine_status = due.status, engine_taking_bps = due.taking_bps,
         engine_changing = due.changing, pending = 0
    from due where b.user_id = due.user_id and b.id = due.id and b.status = due.status
     and b.pending = due.pending and b.taking_bps is not distinct from due.taking_bps
     and b.changing is not distinct from due.changing
  returning b.user_id, b.id`

/** `place`: of the pair among the bot's; null if the sleeve is not wanted any more. */
const wantedOfSleeves = part`
  select s.user_id, s.bot_id, s.pool,
         case when place is null or due.status in ('closing', 'stopped') then 'close'
              when due.status = 'paused' then 'pause' else 'trade' end as wish,
         case when place > 0 then due.pending / cardinality(due.trading_pairs) else 0 end
         + case when place = 1 then due.pending % cardinality(due.trading_pairs) else 0 end
         as added,
         case when place > 0 then div(s.cash::numeric * due.takes_bps, 10000)::bigint
         else 0 end as cash_out,
         case when place > 0 then div(s.units * due.takes_bps, 10000) else 0 end as units_out
    from due join synced on synced.user_id = due.user_id and synced.id = due.id
    join sleeves s on s.user_id = due.user_id and s.bot_id = due.id
    join pools p on p.id = s.pool
   cross join lateral (select case when p.strategy = due.strategy
         then array_position(due.trading_pairs, p.pair) end as place) w
   where place > 0 or s.status <> 'out'`

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
     set cash = s.cash + w.added - w.cash_out, taken = s.taken + w.cash_out,
         leaving = case when w.wish = 'close' then s.units
                        when w.units_out > 0 then w.units_out else s.leaving end,
         status = case w.wish when 'close' then ${adopted('close')}
                              when 'pause' then ${adopted('pause')}
                              else ${adopted('trade')} end
    from wanted w where s.user_id = w.user_id and s.bot_id = w.bot_id and s.pool = w.pool`
