import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressesOf } from '#server/settings/database-address.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { atomically } from './atomically.ts'
import { Client } from './client.ts'
import { openDatabase } from './open.ts'
import { openSession } from './session.ts'
import type { Queries } from './statement.ts'

let database: TestDatabase
let host: string

beforeEach(async () => {
  database = await createTestDatabase()
  host = new URL(database.url).host
})

afterEach(() => database.drop())

/** The database's address with these hosts in place of its own. */
const at = (hosts: string) => database.url.replace(host, hosts)

test('each host of an address has the user, the database and the options of the address', () => {
  expect(
    addressesOf('postgres://me:a%40b@one:1,two:2,[::1]:3/book?target_session_attrs=read-write'),
  ).toEqual([
    'postgres://me:a%40b@one:1/book?target_session_attrs=read-write',
    'postgres://me:a%40b@two:2/book?target_session_attrs=read-write',
    'postgres://me:a%40b@[::1]:3/book?target_session_attrs=read-write',
  ])
  for (const single of [
    'postgres://me@one/book',
    'postgres:///book?host=/run/a,b',
    'not an address, at all',
  ])
    expect(addressesOf(single)).toEqual([single])
})

test('given several hosts, pool and sessions use the one that accepts writes', async () => {
  const url = `${at(`127.0.0.1:1,${host}`)}?target_session_attrs=primary`
  const sql = await openDatabase(url, { poolSize: 2 })
  const session = openSession(sql, 'a session')
  const names = await Promise.all(
    [sql, session.sql].map((queries) => queries`select current_database() as name`),
  )
  expect(names.map(([row]) => row?.name)).toEqual(
    Array(2).fill(new URL(database.url).pathname.slice(1)),
  )
  await session.end()
  await sql.end()
})

test('while no host accepts writes, the database counts as down', async () => {
  const url = at(`127.0.0.1:1,${host}`)
  const name = new URL(database.url).pathname.slice(1)
  await database.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  await expect(openDatabase(url)).rejects.toThrow(
    `The database at 127.0.0.1:1 or ${host} takes no writes: is a standby in DATABASE_URL not ` +
      'promoted yet?',
  )
  const full = await startFullServer()
  await expect(openDatabase(at(`127.0.0.1:${full.port},${host}`))).rejects.toThrow(
    `The database at 127.0.0.1:${full.port} or ${host} has no free connections.`,
  )
  full.close()
  const proxied = `${database.url}?target_session_attrs=read-write`
  await expect(openDatabase(proxied)).rejects.toThrow(
    `The database at ${host} takes no writes: is a standby in DATABASE_URL not promoted yet?`,
  )
  await database.sql.unsafe(`alter database ${name} reset default_transaction_read_only`)
  for (const address of [url, proxied]) await openDatabase(address).then((sql) => sql.end())
})

/** Refuses each connection as a server at its `max_connections` does. */
async function startFullServer(): Promise<{ port: number; close: () => void }> {
  const fields = 'SFATAL\0C53300\0Msorry, too many clients already\0\0'
  const head = Buffer.from('E0000')
  head.writeInt32BE(4 + fields.length, 1)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([head, Buffer.from(fields)])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

test('a connection lost while idle does not end the process; the next query fails', async () => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise<void>((resolve) => client.on('end', () => resolve()))
  await Promise.all([ended, database.sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}, 5000)`])
  await expect(client.query('select 1')).rejects.toThrow(/not queryable|closed/)
})

test.each([
  ['its own', undefined],
  ["a pooler's", true],
] as const)('on %s read-only connections the database refuses writes', async (_whose, pooled) => {
  const sql = await openDatabase(database.url, {
    isReadOnly: true,
    sessionUrl: pooled && database.url,
  })
  const write = (queries: Queries) => queries`delete from users`
  for (const refused of [() => write(sql), () => atomically(sql, write)])
    await expect(refused()).rejects.toThrow('cannot execute DELETE in a read-only transaction')
  const { count } = await atomically(sql, async (tx) => {
    await tx`set transaction read write`
    return write(tx)
  })
  expect(count).toBe(0)
  await sql.end()
})

test('through a pooler no statement has a name; each transaction sets its own limits', async () => {
  const sql = await openDatabase(database.url, {
    poolSize: 1,
    patience: { lockMs: 3_000, statementMs: 15_000 },
    sessionUrl: database.url,
  })
  const limits = { lock: '3s', statement: '15s', named: 0n }
  const ask = async (queries: Queries) => {
    const [row] = await queries`select current_setting('lock_timeout') as lock,
        current_setting('statement_timeout') as statement, (select count(*)
        from pg_prepared_statements) as named where ${1n}::int8 = 1`
    return row
  }
  expect([await ask(sql), await atomically(sql, ask), await ask(sql)]).toEqual([
    limits,
    limits,
    limits,
  ])
  await expect(sql`select 1 / ${0}::integer`).rejects.toThrow('division by zero')
  expect(await ask(sql)).toEqual(limits)
  await sql.end()
})
