import { required } from '#core/assert.ts'
import { splitFreed } from '#core/bots/change-settings.ts'
import { groupBy } from '#core/group-by.ts'
import type { Units } from '#core/money/amount.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { isLateFor, isSelling } from '#server/holdings/worth.ts'
import { hasSleeveIn, isAnyDue, type BusyPools } from './store.ts'
import { statusAfter } from './sleeve-status.ts'

/** Bots whose change has begun. */
const CHANGING = part`engine_changing is not null and engine_status = 'active' and is_synced`

const BATCH = 10_000

type Sleeve = { userId: string; botId: string; pool: number }

/**
 * Finishes changes of bots' pairs and risk levels: once everything that has to leave is sold, the
 * money is split over the new sleeves. If the rest cannot be sold because its pairs are dead, the
 * money received so far is split without waiting for it. A bot with an order of unknown outcome
 * waits. `room`: how many more members the fullest lot can take. Returns the sleeves of these
 * bots.
 */
export async function finishChanges(
  tx: Queries,
  { room, at, busy }: { room: number; at: Date; busy: BusyPools },
): Promise<Sleeve[]> {
  const limit = Math.min(BATCH, room)
  if (limit <= 0 || !(await isAnyDue(tx, CHANGING))) return []
  const ending = await endChanges(tx, { limit, at, busy })
  const sleeves = [...groupBy(ending, ({ botId }) => botId).values()].flatMap(split)
  await tx`
    update sleeves s
       set cash = given.cash + given.added, taken = 0,
           status = ${statusAfter('freed', { added: part`given.added`, leaving: part`s.leaving` })}
      from ${rows(sleeves, {
        user_id: 'uuid',
        bot_id: 'uuid',
        pool: 'smallint',
        cash: 'bigint',
        added: 'bigint',
      })}
     where s.user_id = given.user_id and s.bot_id = given.bot_id and s.pool = given.pool`
  return sleeves
}

/** `cash` stays in the sleeve, `freed` is split. `pairsBefore`: the number of the bot's pairs. */
type Ending = Sleeve & {
  isWanted: boolean
  isEmpty: boolean
  pairsBefore: number
  cash: Units
  freed: Units
}

/** Whether bot `b` still has coins to sell, for how long, and whether it has sold others. */
const leavingOf = (at: Date) => part`
  select bool_or(${isSelling}) as is_leaving, ${isLateFor(at)} as is_late,
         bool_or(s.taken > 0 or (s.cash > 0 and (p.strategy <> b.strategy
           or p.pair <> all(b.trading_pairs)))) as has_freed
    from sleeves s
    join pools p on p.id = s.pool
    left join market_tickers t on t.pair = p.pair
   where s.user_id = b.user_id and s.bot_id = b.id`

/**
 * Ends the change of each due bot that has nothing left to sell. Returns the sleeves of all due
 * bots, wanted ones first, in the order of their pairs. A bot closed meanwhile is left out, because
 * it must be synced first.
 */
function endChanges(
  tx: Queries,
  { limit, at, busy }: { limit: number; at: Date; busy: BusyPools },
): Promise<Ending[]> {
  return tx<Ending[]>`
    with due as (
      select b.user_id, b.id, b.strategy, b.trading_pairs, b.changing, s.is_leaving
        from trading_bots b
       cross join lateral (${leavingOf(at)}) s
       where ${CHANGING} and (not s.is_leaving or (s.is_late and s.has_freed))
         and not ${hasSleeveIn(busy)}
       order by b.id
       limit ${limit}),
    done as (
      update trading_bots b
         set changing = case when due.is_leaving then b.changing end,
             engine_changing = case when due.is_leaving then b.engine_changing end,
             updated_at = now()
        from due
       where b.user_id = due.user_id and b.id = due.id and ${CHANGING}
      returning b.user_id, b.id)
    select s.user_id, s.bot_id, s.pool, place is not null as is_wanted,
           s.units = 0 and s.cash = 0 and s.base = 0 as is_empty,
           due.changing as pairs_before,
           case when place is null then 0 else s.cash end as cash,
           case when place is null then s.cash + s.taken else s.taken end as freed
      from due
      join done on done.user_id = due.user_id and done.id = due.id
      join sleeves s on s.user_id = due.user_id and s.bot_id = due.id
      join pools p on p.id = s.pool
     cross join lateral (
           select case when p.strategy = due.strategy
                       then array_position(due.trading_pairs, p.pair) end as place) w
     order by s.bot_id, place`
}

function split(sleeves: readonly Ending[]): (Ending & { added: Units })[] {
  const parts = splitFreed({
    freed: sleeves.reduce((sum, { freed }) => sum + freed, 0n),
    before: required(sleeves[0], 'a bot has sleeves').pairsBefore,
    isEmpty: sleeves.filter(({ isWanted }) => isWanted).map(({ isEmpty }) => isEmpty),
  })
  return sleeves.map((sleeve, place) => ({ ...sleeve, added: parts[place] ?? 0n }))
}
