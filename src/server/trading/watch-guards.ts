import {
  beginAgain,
  watch,
  type GuardMarks,
  type GuardName,
  type Guards,
  type GuardStep,
} from '#core/guards/guard.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { NoticeDetails } from '#core/notices/notice.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { expectedFallOf } from '#server/bots/expected-fall.ts'
import type { Context } from '#server/context.ts'
import { newRows, rows } from '#server/db/rows.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { publishTrading } from '#server/events/bus.ts'
import { worthAt } from '#server/holdings/worth.ts'
import { notify } from '#server/notices/notify.ts'
import { NAMED } from './movers.ts'

type Closes = readonly { pair: Pair; close: Units }[]
type Hour = { at: Date; closes: Closes }

/** Most notices of one hour that name the expected fall: each takes milliseconds to compute. */
const MOST_EXPLAINED = 100

/**
 * Compares every guarded bot with its marks at the closes of the hour that ended at `at`. Stops
 * bots whose guard is reached, and restarts those whose cool-down is over. Runs once an hour with
 * the clock, so that no hour is judged after its own trades. Bots whose money is moving are judged
 * later. Returns whether any bot stopped or restarted.
 */
export async function watchGuards(context: Context, tx: Queries, hour: Hour): Promise<boolean> {
  const concerned = [...(await stopReached(context, tx, hour)), ...(await letBack(tx, hour))]
  if (concerned.length === 0) return false
  await publishTrading(tx, concerned.length > NAMED ? undefined : concerned)
  return true
}

type Guarded = Guards &
  GuardMarks & {
    userId: string
    id: string
    name: string
    revision: bigint
    invested: Units
    feeBps: number
    worth: Units
  }

const columns = part`
  g.stop_loss_bps, g.stop_loss_from, g.take_profit_bps, g.daily_loss_bps, g.cool_down_days,
  g.start, g.best, g.day_start, g.day, g.revision`

const closing = ({
  worth,
  invested,
  feeBps,
}: Pick<Guarded, 'worth' | 'invested' | 'feeBps'>): Units =>
  worth - closingFee({ invested, out: worth, feeBps }).fee

type Judged = Guarded & GuardStep

async function stopReached(context: Context, tx: Queries, { at, closes }: Hour): Promise<string[]> {
  const bots = await tx<Guarded[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, ${columns}, held.worth
      from bot_guards g
      join trading_bots b on b.user_id = g.user_id and b.id = g.bot_id and b.status = 'active'
       and b.taking_bps is null and b.changing is null
      join lateral (${worthAt(closes)}) held on true
     order by b.id`
  const judged = bots.map((bot): Judged => ({
    ...bot,
    ...watch(bot, bot, { worth: closing(bot), timeMs: at.getTime() }),
  }))
  const reached = judged.filter(({ trip }) => trip !== undefined)
  const stopped = await stopBots(tx, reached, at)
  await writeMarks(tx, judged.filter(isMoved))
  await notifyStopped(tx, await withExpected(context, tx, { bots: stopped, at }), at)
  return stopped.map(({ userId }) => userId)
}

/** True if a mark that one of the bot's guards reads has changed: only these are stored. */
function isMoved({
  marks,
  trip,
  stopLossBps,
  stopLossFrom,
  dailyLossBps,
  best,
  day,
}: Judged): boolean {
  if (trip) return false
  return (
    (stopLossBps !== null && stopLossFrom === 'best' && marks.best !== best) ||
    (dailyLossBps !== null && marks.day !== day)
  )
}

/**
 * Keeps owners from changing these bots. Uses an update, because in a distributed database no other
 * statement locks rows of many users.
 */
async function lockBots(
  tx: Queries,
  bots: readonly Pick<Guarded, 'userId' | 'id'>[],
): Promise<void> {
  if (bots.length === 0) return
  await tx`
    update trading_bots b set updated_at = b.updated_at
      from ${rows(bots, BOT)}
     where b.user_id = given.user_id and b.id = given.id`
}

/** Bots changed since they were read are judged in the next hour. */
async function stopBots(tx: Queries, reached: readonly Judged[], at: Date): Promise<Judged[]> {
  if (reached.length === 0) return []
  await lockBots(tx, reached)
  const stopped = await tx<{ id: string }[]>`
    update trading_bots b
       set status = 'stopped', updated_at = now()
      from ${rows(reached, { ...BOT, revision: 'bigint' })}, bot_guards g
     where b.user_id = given.user_id and b.id = given.id
       and b.status = 'active' and b.taking_bps is null and b.changing is null
       and g.user_id = b.user_id and g.bot_id = b.id and g.revision = given.revision
    returning b.id`
  const ids = new Set(stopped.map(({ id }) => id))
  const bots = reached.filter(({ id }) => ids.has(id))
  await tx`
    insert into bot_stops ${newRows(bots, {
      user_id: 'uuid',
      bot_id: ['uuid', ({ id }) => id],
      at: ['timestamptz', () => at],
      ...STOP,
    })}`
  return bots
}

async function writeMarks(tx: Queries, bots: readonly Judged[]): Promise<void> {
  if (bots.length === 0) return
  await tx`
    update bot_guards g
       set start = given.start, best = given.best, day_start = given.day_start, day = given.day
      from ${rows(bots, {
        ...BOT,
        revision: 'bigint',
        start: ['bigint', ({ marks }) => marks.start],
        best: ['bigint', ({ marks }) => marks.best],
        day_start: ['bigint', ({ marks }) => marks.dayStart],
        day: ['integer', ({ marks }) => marks.day],
      })}
     where g.user_id = given.user_id and g.bot_id = given.id and g.revision = given.revision`
}

/** `revision`: null if its owner removed the guards meanwhile. */
type Returning = Omit<Guarded, 'revision'> & { revision: bigint | null; stoppedBy: GuardName }

/** A bot begins again once all its coins are sold: its worth is its cash. */
async function letBack(tx: Queries, { at }: Hour): Promise<string[]> {
  const waiting = await tx<Pick<Guarded, 'userId' | 'id'>[]>`
    select user_id, bot_id as id from bot_stops where ended_at is null and back_at <= ${at}
     order by bot_id`
  if (waiting.length === 0) return []
  await lockBots(tx, waiting)
  const bots = await findReturning(tx, at)
  if (bots.length === 0) return []
  const judged = bots.map((bot): Judged => ({
    ...bot,
    revision: bot.revision ?? 0n,
    ...begin(bot, at),
  }))
  await tx`
    with back as (
      select * from ${rows(judged, {
        ...BOT,
        is_active: ['boolean', ({ trip }) => trip === undefined],
      })}),
    active as (
      update trading_bots b set status = 'active', updated_at = now() from back r where r.is_active
         and b.user_id = r.user_id and b.id = r.id)
    update bot_stops o set ended_at = ${at} from back r where o.user_id = r.user_id
       and o.bot_id = r.id and o.ended_at is null`
  await writeMarks(tx, judged)
  await keepStopped(
    tx,
    judged.filter(({ trip }) => trip !== undefined),
    at,
  )
  return judged.map(({ userId }) => userId)
}

function findReturning(tx: Queries, at: Date): Promise<Returning[]> {
  return tx<Returning[]>`
    select b.user_id, b.id, b.name, b.invested, b.fee_bps, o.guard as stopped_by, ${columns},
           b.pending + held.cash as worth
      from bot_stops o
      join trading_bots b on b.user_id = o.user_id and b.id = o.bot_id and b.status = 'stopped'
       and b.engine_status = 'stopped'
      left join bot_guards g on g.user_id = b.user_id and g.bot_id = b.id
      join lateral (select sum(s.cash + s.taken)::bigint as cash,
           bool_and(s.status = 'out') as is_out
                      from sleeves s where s.user_id = b.user_id and s.bot_id = b.id) held
                           on held.is_out
     where o.ended_at is null and o.back_at <= ${at}
     order by b.id`
}

function begin(bot: Returning, at: Date): Pick<Judged, 'marks' | 'trip'> {
  return beginAgain(bot, bot, {
    worth: closing(bot),
    timeMs: at.getTime(),
    stoppedBy: bot.revision === null ? 'stop-loss' : bot.stoppedBy,
  })
}

async function keepStopped(tx: Queries, bots: readonly Judged[], at: Date): Promise<void> {
  if (bots.length === 0) return
  await tx`
    insert into bot_stops (user_id, bot_id, at, guard, change_bps, back_at)
    select user_id, id, ${at}, guard, change_bps, back_at
      from ${rows(bots, { ...BOT, ...STOP })}`
  await notifyStopped(tx, bots, at)
}

/**
 * Adds how often a fall as large as the bot's was expected, for the first `MOST_EXPLAINED` bots.
 * Bots that took their profit get no figure.
 */
async function withExpected(
  context: Context,
  tx: Queries,
  { bots, at }: { bots: readonly Judged[]; at: Date },
): Promise<Notified[]> {
  const explained: Notified[] = []
  for (const [index, bot] of bots.entries())
    explained.push(
      index < MOST_EXPLAINED && bot.trip?.guard !== 'take-profit'
        ? { ...bot, expected: await expectedFallOf(context, tx, { ...bot, at }) }
        : bot,
    )
  return explained
}

type Notified = Judged & { expected?: NoticeDetails | undefined }

async function notifyStopped(tx: Queries, bots: readonly Notified[], at: Date): Promise<void> {
  await notify(
    tx,
    ...bots.flatMap(({ userId, id, name, trip, expected }) =>
      trip
        ? [
            {
              userId,
              kind: trip.guard,
              event: `bot:${id}:guard:${at.toISOString()}`,
              details: { bot: name, botId: id, ...expected },
            },
          ]
        : [],
    ),
  )
}

const BOT = { user_id: 'uuid', id: 'uuid' } as const

const STOP = {
  guard: ['text', ({ trip }: Judged) => trip?.guard],
  change_bps: ['integer', ({ trip }: Judged) => trip?.changeBps],
  back_at: [
    'timestamptz',
    ({ trip }: Judged) => (trip?.backMs == null ? null : new Date(trip.backMs)),
  ],
} as const
