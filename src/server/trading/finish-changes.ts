import { part, type Queries } from '#server/db/statement.ts'
import { isAnyDue } from './find-due.ts'

/** Bots whose change has begun. */
const CHANGING = part`engine_changing is not null and engine_status = 'active' and is_synced`

/** Bots per run. */
const BATCH = 10_000

export type Finished = { pools: number[]; userIds: string[] }

/**
 * Finishes changes of bots' pairs and risk levels: when everything that leaves has been sold, the
 * money is split over the new sleeves, like `splitFreed` in core, and joins their pools. It never
 * leaves the bot. `room`: how many more members the fullest lot can take.
 */
export async function finishChanges(tx: Queries, room: number): Promise<Finished> {
  const limit = Math.min(BATCH, room)
  if (limit <= 0) return { pools: [], userIds: [] }
  if (!(await isAnyDue(tx, CHANGING))) return { pools: [], userIds: [] }
  const rows = await tx<{ userId: string; pool: number }[]>`
    with due as (
      select b.user_id, b.id, b.strategy, b.trading_pairs, b.changing as pairs_before
        from trading_bots b
       where ${CHANGING} and not exists (select 1 from sleeves s where s.user_id = b.user_id
             and s.bot_id = b.id and s.status = 'leaving')
       order by b.id limit ${limit}),
    -- A bot that its owner has closed meanwhile is synced first.
    done as (
      update trading_bots b set changing = null, engine_changing = null, updated_at = now() from due
       where b.user_id = due.user_id and b.id = due.id and ${CHANGING}
      returning b.user_id, b.id),
    sleeve as (
      select s.user_id, s.bot_id, s.pool, d.trading_pairs, p.pair, p.strategy = d.strategy
         and p.pair = any(d.trading_pairs) as is_wanted,
             s.cash, s.taken, case when s.units = 0 and s.cash = 0 and s.base = 0
             then d.pairs_before else greatest(0, d.pairs_before - cardinality(d.trading_pairs)) end
             as weight
        from due d join done on done.user_id = d.user_id and done.id = d.id
        join sleeves s on s.user_id = d.user_id and s.bot_id = d.id join pools p on p.id = s.pool),
    freed as (
      select user_id, bot_id, sum(taken + case when is_wanted then 0 else cash end) as amount,
             sum(weight) filter (where is_wanted) as weight from sleeve group by 1, 2),
    part as (
      select s.user_id, s.bot_id, s.pool, f.amount, case when f.weight > 0
             then div(f.amount * s.weight, f.weight) else 0 end as amount_in,
             row_number() over (partition by s.user_id, s.bot_id order by f.weight > 0
             and s.weight = 0, array_position(s.trading_pairs, s.pair)) as place
        from sleeve s join freed f on f.user_id = s.user_id and f.bot_id = s.bot_id
       where s.is_wanted),
    added as (
      select user_id, bot_id, pool, (amount_in + case when place = 1
             then amount - sum(amount_in) over (partition by user_id, bot_id) else 0 end)::bigint
             as amount
        from part)
    update sleeves s
       set cash = case when w.is_wanted then s.cash else 0 end + coalesce(a.amount, 0), taken = 0,
           status = case when a.amount > 0 then 'joining' else s.status end
      from sleeve w left join added a on a.user_id = w.user_id and a.bot_id = w.bot_id
       and a.pool = w.pool
     where s.user_id = w.user_id and s.bot_id = w.bot_id and s.pool = w.pool
    returning s.user_id, s.pool`
  return {
    pools: [...new Set(rows.map(({ pool }) => pool))],
    userIds: [...new Set(rows.map(({ userId }) => userId))],
  }
}
