import { groupBy } from '#core/group-by.ts'
import type { Units } from '#core/money/amount.ts'
import {
  interestIn,
  NO_BASIS,
  shareIn,
  tradeIn,
  tradesOf,
  type Basis,
  type MemberTrade,
} from '#core/pool/trades.ts'
import type { Side } from '#core/trading/fill.ts'
import { type Queries, part } from '#server/db/statement.ts'
import {
  findChanges,
  findChangesAfter,
  findChangesUntil,
  findStays,
  type Period,
  type SleeveKey,
  type SleeveStay,
  type StoredChange,
  type BotsOfUser,
} from './stays.ts'
import { guardReason } from '#core/guards/guard-reason.ts'
import type { GuardName } from '#core/guards/guard.ts'

/** A bot's part of its pool's trade, computed and never stored. */
export type BotsTrade = MemberTrade<StoredChange> & { botId: string }

/** The id in the history and on receipts. */
export const tradeId = ({ change, botId }: { change: { id: string }; botId: string }): string =>
  `${change.id}.${botId}`

export type Lives = { stays: SleeveStay[]; changes: StoredChange[]; stops: StoredStop[] }

/**
 * Reads changes before stays. A stay that begins or ends in between then refers to a missing
 * change, and counts as before it.
 */
export async function readLives(sql: Queries, owner: BotsOfUser): Promise<Lives> {
  const changes = await findChanges(sql, owner)
  return { changes, stays: await findStays(sql, owner), stops: await findStops(sql, owner) }
}

/** Newest first, each with its realized profit. */
export function tradesOfLives({ stays, changes, stops }: Lives): BotsTrade[] {
  const byPool = groupBy(changes, ({ pool }) => pool)
  const trades = sleevesOf(stays).flatMap(({ botId, pool, stays: own }) =>
    tradesOf({ stays: own, changes: byPool.get(pool) ?? [] }).map((trade): BotsTrade =>
      withReason({ ...trade, botId }, stops),
    ),
  )
  return trades.toSorted((a, b) => (tradeId(a) < tradeId(b) ? 1 : -1))
}

export function interestOfLives({ stays, changes }: Pick<Lives, 'stays' | 'changes'>): Units {
  return interestByMidnight({ stays, changes }).reduce((sum, { amount }) => sum + amount, 0n)
}

/** A bot's part of the interest paid to one of its pools at a midnight. */
export type BotsInterest = { botId: string; change: StoredChange; amount: Units }

/** Interest by bot and pool, oldest first in each. */
export async function readBotsInterest(sql: Queries, owner: BotsOfUser): Promise<BotsInterest[]> {
  const changes = await findChanges(sql, owner, part`('yield')`)
  return interestByMidnight({ changes, stays: await findStays(sql, owner) })
}

function interestByMidnight({ stays, changes }: Pick<Lives, 'stays' | 'changes'>): BotsInterest[] {
  const byPool = groupBy(
    changes.filter(({ kind }) => kind === 'yield'),
    ({ pool }) => pool,
  )
  return sleevesOf(stays).flatMap(({ botId, pool, stays: own }) =>
    (byPool.get(pool) ?? []).flatMap((change) => {
      const amount = interestIn(own, [change])
      return amount === 0n ? [] : [{ botId, change, amount }]
    }),
  )
}

export async function readTrades(
  sql: Queries,
  owner: { userId: string; botId: string },
): Promise<BotsTrade[]> {
  return tradesOfLives(await readLives(sql, owner))
}

type Sleeve = SleeveKey & { stays: SleeveStay[] }

const sleeveKey = ({ botId, pool }: SleeveKey): string => `${botId} ${pool}`

function sleevesOf(stays: readonly SleeveStay[]): Sleeve[] {
  return [...groupBy(stays, sleeveKey).values()].flatMap((own) =>
    own[0] ? [{ botId: own[0].botId, pool: own[0].pool, stays: own }] : [],
  )
}

/** Changes per read. */
const PORTION = 60

/** A trade without its realized profit, which would require the bot's whole life. */
export type HistoryTrade = Omit<BotsTrade, 'coins' | 'cost' | 'profit'>

type HistoryCursor = { sortId: string; id: string } | undefined

/** Selects trades of these sleeves and sides, recorded in this period. */
export type TradesWanted = {
  owner: BotsOfUser
  period: Period
  isWanted: (trade: SleeveKey & { side: Side }) => boolean
}

type HistoryPage = TradesWanted & { before: HistoryCursor; limit: number }

/** Newest first, before the history row `before`, which need not be a trade. */
export async function readTradesBefore(sql: Queries, page: HistoryPage): Promise<HistoryTrade[]> {
  const { owner, period, before, limit } = page
  const trades: HistoryTrade[] = []
  let changes = await findChangesUntil(sql, owner, {
    until: before?.sortId,
    limit: PORTION,
    period,
  })
  if (changes.length === 0) return trades
  const newestBotsFirst = sleevesOf(await findStays(sql, owner)).toReversed()
  const byPool = groupBy(newestBotsFirst, ({ pool }) => pool)
  for (;;) {
    for (const change of changes) {
      trades.push(...historyTradesIn(change, { ...page, sleeves: byPool.get(change.pool) ?? [] }))
      if (trades.length >= limit) return trades.slice(0, limit)
    }
    const last = changes.at(-1)
    if (!last || changes.length < PORTION) return trades
    changes = (
      await findChangesUntil(sql, owner, { until: last.id, limit: PORTION + 1, period })
    ).filter(({ id }) => id !== last.id)
  }
}

/** The trades after `since`, newest first. `areAll`: there is none before. */
export async function readTradesAfter(
  sql: Queries,
  { owner, since }: { owner: BotsOfUser; since: Date },
): Promise<{ trades: HistoryTrade[]; areAll: boolean }> {
  const found: StoredChange[] = []
  let areAll = true
  for (let until: string | undefined; ;) {
    const page = await findChangesUntil(sql, owner, { until, limit: PORTION })
    const fresh = page.filter(({ marketTime }) => marketTime > since)
    found.push(...fresh.filter(({ id }) => id !== until))
    areAll &&= fresh.length === page.length
    if (page.length < PORTION || (page.at(-1)?.marketTime ?? since) <= since) break
    until = page.at(-1)?.id
  }
  if (found.length === 0) return { trades: [], areAll }
  const byPool = groupBy(sleevesOf(await findStays(sql, owner)), ({ pool }) => pool)
  const isWanted = () => true
  const trades = found.flatMap((change) =>
    historyTradesIn(change, {
      sleeves: byPool.get(change.pool) ?? [],
      isWanted,
      before: undefined,
    }),
  )
  return { trades, areAll }
}

type InChange = Pick<HistoryPage, 'isWanted' | 'before'> & { sleeves: readonly Sleeve[] }

function historyTradesIn(
  change: StoredChange,
  { sleeves, isWanted, before }: InChange,
): HistoryTrade[] {
  return sleeves.flatMap(({ botId, pool, stays }) => {
    const part = shareIn(stays, change)
    const isBefore =
      before === undefined || change.id < before.sortId || tradeId({ change, botId }) < before.id
    return part && isBefore && isWanted({ botId, pool, side: part.side })
      ? [{ ...part, change, botId }]
      : []
  })
}

/**
 * All trades, oldest first, in portions, each with its realized profit. Stays and stops may change
 * meanwhile.
 */
export async function* streamTrades(sql: Queries, owner: BotsOfUser): AsyncGenerator<BotsTrade[]> {
  const bases = new Map<string, Basis>()
  for (let after: string | undefined; ;) {
    const changes: StoredChange[] = await findChangesAfter(sql, owner, { after, limit: 500 })
    if (changes.length === 0) return
    const byPool = groupBy(sleevesOf(await findStays(sql, owner)), ({ pool }) => pool)
    const stops = await findStops(sql, owner)
    for (const change of changes)
      yield tradesIn(change, { sleeves: byPool.get(change.pool) ?? [], bases }).map((trade) =>
        withReason(trade, stops),
      )
    after = changes.at(-1)?.id
  }
}

/** Derives the trades of these sleeves in one change, and updates their cost bases. */
function tradesIn(
  change: StoredChange,
  { sleeves, bases }: { sleeves: readonly Sleeve[]; bases: Map<string, Basis> },
): BotsTrade[] {
  return sleeves.flatMap((sleeve) => {
    const { botId, stays } = sleeve
    const key = sleeveKey(sleeve)
    const made = tradeIn(stays, { change, basis: bases.get(key) ?? NO_BASIS })
    if (!made) return []
    bases.set(key, made.basis)
    return [{ ...made.trade, botId }]
  })
}

/** A guard's stop; all times are market time. */
type StoredStop = {
  botId: string
  at: Date
  guard: GuardName
  changeBps: number
  endedAt: Date | null
}

/** Oldest first. */
async function findStops(sql: Queries, { userId, botId }: BotsOfUser): Promise<StoredStop[]> {
  return sql<StoredStop[]>`
    select bot_id, at, guard, change_bps, ended_at from bot_stops
     where user_id = ${userId} ${botId === undefined ? part`` : part`and bot_id = ${botId}`}
     order by at`
}

/**
 * The reason of a trade. A leaving lot stores one reason for all its members. If a member's coins
 * were sold during a stop by a guard, that guard is the reason instead. A settlement by the
 * operator stays the reason.
 */
function withReason<Trade extends { botId: string; change: StoredChange }>(
  trade: Trade,
  stops: readonly StoredStop[],
): Trade {
  const { botId, change } = trade
  const isSettled = change.reason.code === 'settled'
  if (isSettled || (change.kind !== 'leave' && change.kind !== 'own')) return trade
  const stop = stops.findLast(
    (one) =>
      one.botId === botId &&
      one.at <= change.marketTime &&
      (one.endedAt === null || change.marketTime <= one.endedAt),
  )
  return stop ? { ...trade, change: { ...change, reason: guardReason(stop) } } : trade
}
