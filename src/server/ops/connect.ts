import { access } from 'node:fs/promises'
import { pino } from 'pino'
import { forgetVariablesOfPsql, type Config } from '#server/settings/config.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { accessFileOf, readAccess, urlOf } from '#server/db/embedded/access.ts'
import { appUrlOf } from '#server/db/embedded/app-role.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { StartupError } from '#server/kernel/errors.ts'

/** `ownerUrl` is for the role that migrates; undefined if `sql` is of that role. */
export type Connection = { sql: Sql; ownerUrl: string | undefined; close: () => Promise<void> }

/**
 * `asOwner`: for a restore, which disables triggers, and the doctor, which reads before rights are
 * granted.
 */
type ConnectOptions = { mayCreate: boolean; asOwner: boolean }

type Urls = { url: string; ownerUrl: string | undefined }

/**
 * The configured database, that of a running server, or one started for this command. Only a
 * restore may create a database, because an empty book in the wrong folder would look like one in
 * order.
 */
export async function connect(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_SESSION_URL' | 'DATA_DIR'>,
  { mayCreate, asOwner }: ConnectOptions,
): Promise<Connection> {
  if (config.DATABASE_URL !== undefined)
    return open(
      {
        url: config.DATABASE_SESSION_URL ?? config.DATABASE_URL,
        ownerUrl: config.DATABASE_OWNER_URL,
      },
      asOwner,
    )
  forgetVariablesOfPsql()
  const running = await runningUrls(config.DATA_DIR)
  if (running !== undefined) {
    try {
      return await open(running, asOwner)
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
    }
  }
  if (running === undefined && !mayCreate)
    throw new StartupError(
      `There is no database in ${config.DATA_DIR}: set DATA_DIR or DATABASE_URL to the server's.`,
    )
  const embedded = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: pino({ level: 'warn' }),
  })
  const opened = await open({ url: embedded.appUrl, ownerUrl: embedded.url }, asOwner)
  return { ...opened, close: async () => void (await opened.close(), await embedded.stop()) }
}

async function open({ url, ownerUrl }: Urls, asOwner: boolean): Promise<Connection> {
  const options = { poolSize: 4, applicationName: 'trading-bot ops' }
  const isOwner = asOwner && ownerUrl !== undefined
  const sql = await (isOwner
    ? openDatabase(ownerUrl, { ...options, setting: 'DATABASE_OWNER_URL' })
    : openDatabase(url, options))
  return { sql, ownerUrl: isOwner ? undefined : ownerUrl, close: () => sql.end({ timeout: 1 }) }
}

async function runningUrls(dataDir: string): Promise<Urls | undefined> {
  const file = accessFileOf(dataDir)
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (!exists) return undefined
  const kept = await readAccess(file)
  return { url: appUrlOf(kept), ownerUrl: urlOf(kept) }
}
