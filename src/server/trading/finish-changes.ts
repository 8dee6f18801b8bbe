import { required } from '#core/assert.ts'
import { splitFreed } from '#core/bots/change-settings.ts'
import { groupBy } from '#core/group-by.ts'
import type { Units } from '#core/money/amount.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { isAnyDue } from './store.ts'
import { statusAfter } from './sleeve-status.ts'

/** Bots whose change has begun. */
const CHANGING = part`engine_changing is not null and engine_status = 'active' and is_synced`

/** Bots per run. */
const BATCH = 10_000

export type Finished = { pools: number[]; userIds: string[] }

/**
 * Finishes changes of bots' pairs and risk levels: when everything that leaves has been sold, the
 * money is split over the new sleeves and joins their pools. It never leaves the bot. `room`: how
 * many more members the fullest lot can take.
 */
export async function finishChanges(tx: Queries, room: number): Promise<Finished> {
  const limit = Math.min(BATCH, room)
  if (limit <= 0) return { pools: [], userIds: [] }
  if (!(await isAnyDue(tx, CHANGING))) return { pools: [], userIds: [] }
  const sleeves = await endChanges(tx, limit)
  const parts = [...groupBy(sleeves, ({ botId }) => botId).values()].flatMap(split)
  await tx`
    update sleeves s
       set cash = given.cash + given.added, taken = 0,
           status = ${statusAfter('freed', { added: part`given.added` })}
      from ${rows(parts, {
        user_id: 'uuid',
        bot_id: 'uuid',
        pool: 'smallint',
        cash: 'bigint',
        added: 'bigint',
      })}
     where s.user_id = given.user_id and s.bot_id = given.bot_id and s.pool = given.pool`
  return {
    pools: [...new Set(parts.map(({ pool }) => pool))],
    userIds: [...new Set(parts.map(({ userId }) => userId))],
  }
}

/**
 * A sleeve of a bot whose change ends. `place`: of its pair among those of the bot; null if the bot
 * no longer wants the sleeve. `before`: the number of the bot's pairs before the change.
 */
type Ending = {
  userId: string
  botId: string
  pool: number
  place: number | null
  before: number
  isEmpty: boolean
  cash: Units
  taken: Units
}

/** Marks the changes as finished, and finds the sleeves of their bots. */
async function endChanges(tx: Queries, limit: number): Promise<Ending[]> {
  return tx<Ending[]>`
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
      returning b.user_id, b.id)
    select s.user_id, s.bot_id, s.pool, d.pairs_before as before, s.cash, s.taken,
           case when p.strategy = d.strategy then array_position(d.trading_pairs, p.pair) end
           as place, s.units = 0 and s.cash = 0 and s.base = 0 as is_empty
      from due d join done on done.user_id = d.user_id and done.id = d.id
      join sleeves s on s.user_id = d.user_id and s.bot_id = d.id join pools p on p.id = s.pool`
}

/** Splits the money that a change has freed over the sleeves that the bot wants. */
function split(sleeves: readonly Ending[]): (Ending & { added: Units })[] {
  const wanted = sleeves
    .filter(({ place }) => place !== null)
    .toSorted((a, b) => Number(a.place) - Number(b.place))
  const freed = sleeves.map(({ place, cash, taken }) => taken + (place === null ? cash : 0n))
  const parts = splitFreed({
    freed: freed.reduce((sum, part) => sum + part, 0n),
    before: required(sleeves[0], 'a bot has sleeves').before,
    isEmpty: wanted.map(({ isEmpty }) => isEmpty),
  })
  return sleeves.map((sleeve) => ({
    ...sleeve,
    cash: sleeve.place === null ? 0n : sleeve.cash,
    added: parts[wanted.indexOf(sleeve)] ?? 0n,
  }))
}
