import { createHash } from 'node:crypto'
import pg from 'pg'
import { codeOf } from '../kernel/errors.ts'
import type { Rows, Sent } from './statement.ts'

/**
 * One connection. It reads int8 as bigint, numeric as string, timestamptz as Date; columns are
 * camelCase.
 */

const { builtins } = pg.types
const INT8_LIST = 1016
const NUMERIC_LIST = 1231
const TEXT_LIST: number = 1009

const readTexts = pg.types.getTypeParser(TEXT_LIST as typeof pg.types.builtins.TEXT, 'text') as (
  text: string,
) => (string | null)[]
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, String],
  [builtins.DATE, (text) => new Date(text)],
  [INT8_LIST, (text) => readTexts(text).map((item) => (item === null ? null : BigInt(item)))],
  [NUMERIC_LIST, readTexts],
])
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    PARSERS.get(id) ?? pg.types.getTypeParser(id, format as 'text'),
}

/**
 * Names of prepared statements. They are the same in every process, because a connection pooler may
 * share sessions between processes.
 */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}

type Answer = {
  fields: readonly { name: string }[]
  rows: unknown[][]
  rowCount: number | null
  command: string
}
type Connection = { query: (config: pg.QueryArrayConfig) => Promise<unknown> }

/**
 * Sends one statement on a connection or over a pool. Rejects with the code CONNECTION_CLOSED if
 * the connection was lost.
 */
export async function send(connection: Connection, { text, values, simple }: Sent): Promise<Rows> {
  const answer = await connection
    .query({
      text,
      values: values.map(written),
      rowMode: 'array',
      types,
      ...(!simple && { name: nameOf(text) }),
    })
    .catch((error: unknown) => {
      throw withCode(error)
    })
  return rowsOf(Array.isArray(answer) ? (answer.at(-1) as Answer) : (answer as Answer))
}

/**
 * Runs functions one after another on one connection, because the driver accepts no statement while
 * another is running.
 */
export function takingTurns(): <Result>(act: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const done = last.then(act)
    last = done.catch(() => undefined)
    return done
  }
}

/** Writes dates in UTC, also those in lists. The driver would use the machine's time zone. */
function written(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(written) : value
}

function rowsOf({ fields, rows, rowCount }: Answer): Rows {
  const columns = fields.map(({ name }) => camelOf(name))
  const made = rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index += 1)
      object[columns[index] as string] = row[index]
    return object
  })
  return Object.defineProperty(made, 'count', { value: rowCount ?? 0 }) as Rows
}

const camels = new Map<string, string>()

function camelOf(name: string): string {
  const known = camels.get(name)
  if (known !== undefined) return known
  const made = name.replaceAll(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
  camels.set(name, made)
  return made
}

/**
 * Adds the code of a lost connection. The driver's own errors have no code, and nearly all are lost
 * connections; Citus reports a lost node as an internal error.
 */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error) return isLostNode(error) ? Object.assign(error, { code: '08006' }) : error
  const code = /timeout/i.test(error.message) ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED'
  return Object.assign(error, { code })
}

const isLostNode = (error: Error): boolean =>
  codeOf(error) === 'XX000' &&
  'where' in error &&
  String(error.where).startsWith('while executing command on ')

/**
 * Whether an error violates this constraint. A distributed database adds the number of the shard to
 * the name, and reports it only in the message.
 */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  const named =
    'constraint' in error && typeof error.constraint === 'string'
      ? error.constraint
      : /constraint "([^"]+)"/.exec(error.message)?.[1]
  return named?.replace(/_\d+$/, '') === constraint
}
