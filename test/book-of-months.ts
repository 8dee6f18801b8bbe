import { v7 } from 'uuid'
import { required } from '#core/assert.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import type { Archive } from '#server/db/archive.ts'
import { openMonths } from '#server/db/months.ts'
import type { Sql } from '#server/db/open.ts'
import { part, type Fragment } from '#server/db/statement.ts'
import { pastRules } from './past-rules.ts'
import { createRisingWorld, fillSmallBook } from './small-book.ts'
import type { TestUser, World, WorldOptions } from './world.ts'

const now = new Date()

/** The same day of a month, whatever day it is, so that each month has the same rows. */
export const BEGAN_AT = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 5, 14)

export const monthAgo = (count: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).toISOString().slice(0, 7)

/** The months of the book that may leave, oldest first. */
export const MONTHS = [5, 4, 3, 2].map(monthAgo)

export type BookOfMonths = {
  world: World
  sql: Sql
  users: TestUser[]
  archive: () => Archive
  countIn: (table: string, where?: Fragment) => Promise<number>
  hasPartition: (month: string) => Promise<boolean>
}

/** A small book that began at `beganAt`, in which some hours pass with each id. */
export async function fillBookSince(
  beganAt: number,
  config: WorldOptions['config'] = {},
): Promise<{ world: World; users: TestUser[] }> {
  let atMs = beganAt
  // In rising order, as the ids of a process are, up to the present.
  const newId = () =>
    v7({ msecs: (atMs = Math.max(atMs + 1, Math.min(atMs + 5 * HOUR_MS, Date.now()))) })
  const world = await createRisingWorld({ newId }, config)
  await pastRules(world.context.sql, (tx) => tx`update book set born_at = ${new Date(beganAt)}`)
  const { ada, bob } = await fillSmallBook(world)
  return { world, users: [ada, bob] }
}

/**
 * A book whose ids were made over five months, and whose months may leave once they are a month
 * old.
 */
export async function openBookOfMonths(): Promise<BookOfMonths> {
  const { world, users } = await fillBookSince(BEGAN_AT, { ARCHIVE_AFTER_MONTHS: 1 })
  const { sql } = world.context
  await openMonths({ sql })
  return {
    world,
    sql,
    users,
    archive: () => required(sql.archive, 'the archive is open'),
    countIn: async (table, where = part`true`) =>
      (await sql`select from ${sql(table)} where ${where}`).length,
    hasPartition: async (month) =>
      (
        await sql`select from pg_class
          where relname = ${`ledger_entries_${month.replace('-', '_')}`}`
      ).length === 1,
  }
}
