import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, StartupError } from '../kernel/errors.ts'
import { addressesOf, faultOfAddress } from '../settings/database-address.ts'
import { Client, connectWithinMs } from './client.ts'
import { send } from './connection.ts'
import { queriesOver, type Queries, type Sent } from './statement.ts'
import { runTransaction, type Transactions } from './transaction.ts'

/**
 * The pool of connections. int8 is bigint, numeric a string, timestamptz a Date; columns are
 * camelCase, JSON is left as written.
 */
export type Sql = Queries & {
  /** Runs `work` in a transaction of this mode. Callers should use `atomically`, which retries. */
  begin<Result>(mode: string, work: (tx: Queries) => Promise<Result>): Promise<Result>
  /**
   * Waits for statements under way, for at most `timeout` seconds if given, then closes all
   * connections.
   */
  end(options?: { timeout?: number }): Promise<void>
  readonly url: string
}

/**
 * `url`: `postgres://user:password@host:port/name`; if it has several hosts, one of them must
 * accept writes.
 */
export type SqlOptions = {
  poolSize?: number
  applicationName?: string
  /** The setting that error messages name. */
  setting?: DatabaseSetting
  /**
   * Limits of a statement: time spent waiting for a lock, and total time. Default: unlimited, for
   * migrations, the engine and jobs.
   */
  patience?: Patience
  /** The database refuses every write. */
  isReadOnly?: boolean
  /**
   * URL of the same database without the pooler, if `url` leads to a pooler in transaction mode.
   */
  sessionUrl?: string | undefined
}

export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_SESSION_URL'
type Patience = { lockMs: number; statementMs: number }

/**
 * Limits for requests, which are answered within ten seconds: a longer wait for a lock would only
 * block a connection.
 */
export const WEB_PATIENCE = { lockMs: 3_000, statementMs: 15_000 }

/**
 * Number of connections for requests that only read, so that these never queue behind requests that
 * wait for a lock.
 */
export const READING_POOL_SIZE = 4

/**
 * Enough for readers beside transactions that wait for locks; on a small machine, more connections
 * only compete for its cores.
 */
const POOL_SIZE = 8
/** Added to the time limit for connecting. */
const ANSWER_TIMEOUT_MS = 800
const IDLE_TIMEOUT_MS = 300_000
const OLDEST_VERSION = 150_000

/**
 * Opens a pool and checks it within 5 s, or minutes at a start (`connectPatiently`). Throws a
 * `StartupError` that names host and port, never the password.
 */
export async function openDatabase(
  url: string,
  {
    poolSize = POOL_SIZE,
    applicationName = 'trading-bot',
    setting = 'DATABASE_URL',
    patience,
    isReadOnly = false,
    sessionUrl,
  }: SqlOptions = {},
): Promise<Sql> {
  const place = placeOf(url, setting)
  const isPooled = sessionUrl !== undefined
  const limits = patience &&
    !isPooled && { lock_timeout: patience.lockMs, statement_timeout: patience.statementMs }
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: applicationName,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    Client,
    ...limits,
    ...(isReadOnly && !isPooled && { options: '-c default_transaction_read_only=on' }),
  })
  // Ignored, because an idle connection that is lost leaves the pool by itself.
  pool.on('error', () => undefined)
  const opening = isPooled ? limitsOf(patience) + (isReadOnly ? READ_ONLY : '') : ''
  const transactions: Transactions = { pool, opening, isPooled }
  const sendAlone = (sent: Sent) =>
    isPooled ? runTransaction(transactions, '', (tx) => tx.send(sent)) : send(pool, sent)
  const sql: Sql = Object.assign(queriesOver(sendAlone), {
    url: sessionUrl ?? url,
    begin: <Result>(mode: string, work: (tx: Queries) => Promise<Result>) =>
      runTransaction(transactions, mode, work),
    end: endOf(pool),
  })
  const complaint = await complaintAbout(sql)
  if (complaint === undefined) return sql
  await sql.end({ timeout: 0 })
  throw new StartupError(`The database at ${place} ${complaint.replace('DATABASE_URL', setting)}`)
}

/**
 * Sets the limits in each transaction, because a pooler does not pass on the settings of a
 * connection.
 */
function limitsOf(patience: Patience | undefined): string {
  return patience === undefined
    ? ''
    : `; set local lock_timeout = ${patience.lockMs}; set local statement_timeout = ` +
        patience.statementMs
}

const READ_ONLY = '; set local transaction_read_only = on'

function endOf(pool: pg.Pool): Sql['end'] {
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  let ended: Promise<void> | undefined
  return async ({ timeout } = {}) => {
    ended ??= pool.end()
    if (timeout === undefined) return ended
    await Promise.race([ended, delay(timeout * 1_000, undefined, { ref: false })])
    for (const client of open) closeSocket(client)
  }
}

/** Closes the socket at once. The driver's own `end` would wait for statements under way. */
function closeSocket(client: pg.PoolClient): void {
  if (client instanceof Client) client.connection.stream.destroy()
}

function placeOf(url: string, setting: DatabaseSetting): string {
  const fault = faultOfAddress(url)
  if (fault !== undefined) throw new StartupError(`The setting ${setting} is not valid: ${fault}.`)
  return addressesOf(url)
    .map((address) => {
      const parsed = new URL(address)
      const wanted = parsed.searchParams.get('target_session_attrs')
      if (wanted !== null && !TAKES_WRITES.has(wanted))
        throw new StartupError(
          `${setting} asks for target_session_attrs=${wanted}: the product writes, so it can ` +
            'only be read-write or primary.',
        )
      return `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}`
    })
    .join(' or ')
}

/**
 * The product always connects to the host that takes writes, whether or not the address says so.
 */
const TAKES_WRITES = new Set(['read-write', 'primary'])

async function complaintAbout(sql: Sql): Promise<string | undefined> {
  const question = sql<
    { version: string }[]
  >`select current_setting('server_version_num') as version`
  try {
    const rows = await Promise.race([
      question,
      delay(connectWithinMs() + ANSWER_TIMEOUT_MS, undefined, { ref: false }),
    ])
    if (rows === undefined) return SENTENCES['CONNECT_TIMEOUT']
    return Number(rows[0]?.version) < OLDEST_VERSION
      ? 'is older than PostgreSQL 15: please upgrade it.'
      : undefined
  } catch (error) {
    return sentenceFor(error)
  }
}

const POOLER =
  'is a pooler that hands connections on with each transaction: name the database behind it ' +
  'in DATABASE_SESSION_URL.'

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection: is it running, and is DATABASE_URL right?',
  CONNECT_TIMEOUT: 'does not answer: is DATABASE_URL right, and does a firewall block it?',
  NO_PRIMARY: 'takes no writes: is a standby in DATABASE_URL not promoted yet?',
  ENOTFOUND: 'has an unknown host name: is DATABASE_URL right?',
  EAI_AGAIN: 'has a host name that cannot be looked up: is DATABASE_URL right?',
  '28P01': 'does not accept the user name and password in DATABASE_URL.',
  // PgBouncer's codes: it does not pass on a connection setting; a prepared statement already
  // exists, or exists on another connection.
  '08P01': POOLER,
  '42P05': POOLER,
  '26000': POOLER,
  '28000': 'does not allow this user to connect from here.',
  '3D000': 'has no database of the name in DATABASE_URL.',
  '53300': 'has no free connections.',
  '57P03': 'is still starting or already stopping: try again in a moment.',
}

function sentenceFor(error: unknown): string {
  const code = codeOf(error) || 'unknown error'
  return (
    SENTENCES[code === 'ETIMEDOUT' ? 'CONNECT_TIMEOUT' : code] ??
    `cannot be used (${code}): is DATABASE_URL right?`
  )
}
