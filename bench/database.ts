import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pair } from '#core/market/pair.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { OpenBook } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'

/**
 * Runs `work` on an empty database of the product: a PostgreSQL in a temporary folder on a disk, or
 * a new database at BENCH_DATABASE_URL.
 */
export async function withDatabase<Result>(work: Work<Result>): Promise<Result> {
  const server = process.env['BENCH_DATABASE_URL']
  return server === undefined ? onEmbedded(work) : onServer(server, work)
}

type Work<Result> = (book: OpenBook, url: string) => Promise<Result>

async function onEmbedded<Result>(work: Work<Result>): Promise<Result> {
  const dataDir = await makeFolder()
  const quiet = { info: () => undefined, warn: console.warn, error: console.error }
  const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
  try {
    return await onDatabase(embedded.url, work)
  } finally {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A data folder that the user of the PostgreSQL process can enter. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trading-bot-bench-'))
  await chmod(folder, 0o711)
  return folder
}

async function onServer<Result>(server: string, work: Work<Result>): Promise<Result> {
  const name = `bench_${process.pid}`
  const maintenance = await openDatabase(server, { poolSize: 1 })
  await maintenance`create database ${maintenance(name)}`
  try {
    const url = new URL(server)
    url.pathname = `/${name}`
    return await onDatabase(url.href, work)
  } finally {
    await maintenance`drop database ${maintenance(name)} with (force)`
    await maintenance.end()
  }
}

async function onDatabase<Result>(url: string, work: Work<Result>): Promise<Result> {
  const sql = await openDatabase(url)
  try {
    await migrate(sql)
    return await work(await checkBook(sql, { BOOK: 'paper', SESSION_SECRET: 'x'.repeat(32) }), url)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

export type Population = {
  users: number
  bots: number
  pairs: readonly Pair[]
  strategies: readonly StrategyKey[]
  pairsEach: number
  /**
   * Prefix of usernames, for bots that the engine has not seen yet. If omitted, the bots have
   * founded their pools.
   */
  newcomers?: string
}

/**
 * Fills the database with users, deposits and bots, then updates its statistics and writes a
 * checkpoint.
 */
export async function populate(
  sql: Sql,
  { users, bots, pairs, strategies, pairsEach, newcomers }: Population,
): Promise<void> {
  const statements = await readFile(new URL('population.sql', import.meta.url), 'utf8')
  await sql.begin('', async (tx) => {
    const settings = {
      users,
      bots,
      pairs: `{${pairs.join(',')}}`,
      strategies: `{${strategies.join(',')}}`,
      pairs_each: pairsEach,
      prefix: newcomers ?? 'bench',
      is_new: newcomers !== undefined,
    }
    for (const [name, value] of Object.entries(settings))
      await tx`select set_config(${`bench.${name}`}, ${String(value)}, true)`
    await tx.unsafe(statements)
  })
  if (newcomers === undefined) await sql`vacuum analyze`
  else await sql`analyze trading_bots, sleeves, ledger_accounts`
  await sql`checkpoint`
}
