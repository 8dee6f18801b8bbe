import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { codeOf } from '../code-of.ts'
import { StartupError } from '../startup-error.ts'

type Types = { bigint: bigint }

/** Runs statements: the pool, or a transaction. */
export type Queries = postgres.ISql<Types>

/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** The pool of connections. int8 is bigint, numeric a string, timestamptz a Date; columns are camelCase, JSON is left as written. */
export type Sql = postgres.Sql<Types>

/** PostgreSQL's number for int8. A list of bigint is passed as `sql.array(list, INT8)`: the driver takes a bare one for a single number. */
export const INT8 = 20

/** The transaction that `atomically` passes to its work. It has no savepoints; the type keeps the pool from being passed instead. */
export type Transaction = Queries & { readonly isTransaction: true }

/** `url` is `postgres://user:password@host:port/name`. */
export type DatabaseOptions = {
  /** Maximum number of connections. */
  poolSize?: number
  applicationName?: string
}

/** Enough for readers beside transactions that wait for locks; on a small machine, more connections only compete for its cores. */
const POOL_SIZE = 8
const CONNECT_TIMEOUT_S = 4
const OPEN_TIMEOUT_MS = 4_800
const IDLE_TIMEOUT_S = 300
const OLDEST_VERSION = 150_000

/** Opens a pool and checks it with one round trip within 5 s. Throws a `StartupError` that names host and port, never the password. */
export async function openDatabase(url: string, { poolSize = POOL_SIZE, applicationName = 'trading-bot' }: DatabaseOptions = {}): Promise<Sql> {
  const place = placeOf(url)
  const sql: Sql = postgres(url, {
    max: poolSize,
    prepare: true,
    types: { bigint: postgres.BigInt },
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: { application_name: applicationName },
    connect_timeout: CONNECT_TIMEOUT_S,
    idle_timeout: IDLE_TIMEOUT_S,
    backoff: reconnectDelayS,
    onnotice: () => undefined,
  })
  const complaint = await complaintAbout(sql)
  if (complaint === undefined) return withWholeAnswers(sql)
  await sql.end({ timeout: 0 })
  throw new StartupError(`The database at ${place} ${complaint}`)
}

/** The part of postgres 3.4.9's query that is not in its types: `resolve` is called with the whole answer. */
type Statement = { resolve: (answer: unknown) => void; reject: (error: Error) => void }

/**
 * If a connection is lost in the middle of a result, the driver appends the next result on that connection to the rows of the lost one: its
 * first row reads as missing, and a switch that is on as off. Such a result is rejected as a lost connection. Statements of a transaction
 * are safe: their BEGIN has already cleared the remains.
 */
function withWholeAnswers(sql: Sql): Sql {
  return new Proxy(sql, {
    apply: (target, _self, args: Parameters<Sql>) => {
      const made: unknown = Reflect.apply(target, undefined, args)
      if (isStatement(made)) refuseShifted(made)
      return made
    },
  })
}

function isStatement(made: unknown): made is Statement {
  return made instanceof Promise && 'resolve' in made && 'reject' in made
}

function refuseShifted(statement: Statement): void {
  const { resolve } = statement
  statement.resolve = (answer) => {
    const isShifted = Array.isArray(answer) && answer.length > 0 && !(0 in answer)
    if (isShifted) statement.reject(Object.assign(new Error('the result was appended to one whose connection was lost'), { code: 'CONNECTION_CLOSED' }))
    else resolve(answer)
  }
}

/** The driver's own delay grows to 20 s, during which a restarted database would stay unused. */
function reconnectDelayS(failures: number): number {
  return Math.min(0.05 * 2 ** Math.min(failures, 5), 1) * (0.5 + Math.random() / 2)
}

function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartupError('DATABASE_URL is not the address of a PostgreSQL, such as postgres://user:password@host:5432/name.')
  }
  return `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}`
}

async function complaintAbout(sql: Sql): Promise<string | undefined> {
  const question = sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  try {
    const rows = await Promise.race([question, delay(OPEN_TIMEOUT_MS, undefined, { ref: false })])
    if (rows === undefined) return SENTENCES['CONNECT_TIMEOUT']
    return Number(rows[0]?.version) < OLDEST_VERSION ? 'is older than PostgreSQL 15: please upgrade it.' : undefined
  } catch (error) {
    return sentenceFor(error)
  }
}

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection: is it running, and is DATABASE_URL right?',
  CONNECT_TIMEOUT: 'does not answer: is DATABASE_URL right, and does a firewall block it?',
  ENOTFOUND: 'has an unknown host name: is DATABASE_URL right?',
  EAI_AGAIN: 'has a host name that cannot be looked up: is DATABASE_URL right?',
  '28P01': 'does not accept the user name and password in DATABASE_URL.',
  '28000': 'does not allow this user to connect from here.',
  '3D000': 'has no database of the name in DATABASE_URL.',
  '53300': 'has no free connections.',
  '57P03': 'is still starting or already stopping: try again in a moment.',
}

function sentenceFor(error: unknown): string {
  const code = codeOf(error) || 'unknown error'
  return SENTENCES[code] ?? `cannot be used (${code}).`
}
