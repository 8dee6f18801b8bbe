import { access } from 'node:fs/promises'
import { pino } from 'pino'
import type { Config } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { accessFileOf, readAccess, urlOf } from '#server/db/embedded/access.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { StartupError } from '#server/startup-error.ts'

export type Connection = { sql: Sql; close: () => Promise<void> }

/**
 * Connects to the product's database: the configured one, the embedded one of a running server, or the embedded one started for this
 * command. Only a restore may create one: an empty book in the wrong folder would look like one in order.
 */
export async function connect(config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>, { mayCreate }: { mayCreate: boolean }): Promise<Connection> {
  if (config.DATABASE_URL !== undefined) return open(config.DATABASE_URL)
  const running = await runningUrl(config.DATA_DIR)
  if (running !== undefined) {
    try {
      return await open(running)
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
    }
  }
  if (running === undefined && !mayCreate) throw new StartupError(`There is no database in ${config.DATA_DIR}: set DATA_DIR or DATABASE_URL to the server's.`)
  const embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log: pino({ level: 'warn' }) })
  const { sql } = await open(embedded.url)
  return { sql, close: async () => void (await sql.end({ timeout: 1 }), await embedded.stop()) }
}

async function open(url: string): Promise<Connection> {
  const sql = await openDatabase(url, { poolSize: 4, applicationName: 'trading-bot ops' })
  return { sql, close: () => sql.end({ timeout: 1 }) }
}

async function runningUrl(dataDir: string): Promise<string | undefined> {
  const file = accessFileOf(dataDir)
  const exists = await access(file).then(() => true, () => false)
  return exists ? urlOf(await readAccess(file)) : undefined
}
