import { once } from 'node:events'
import { createServer } from 'node:net'
import { inject, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/world/database.ts'
import { StartupError } from '../kernel/errors.ts'
import { openDatabase } from './open.ts'

test('rows return bigint, numeric as text, dates, camelCase columns and JSON', async () => {
  const { sql, drop } = await createTestDatabase()
  try {
    const [row] = await sql`
      select ${9_007_199_254_740_993n}::int8 as some_units, 0.10::numeric as exact_text,
             '2026-11-21T10:00:00Z'::timestamptz as booked_at,
        ${JSON.stringify({ inner_key: 1 })}::text::jsonb as the_document,
        ${[1n, 2n]}::int8[] as some_list,
        ${[]}::int8[] as no_list`
    expect(row).toEqual({
      someUnits: 9_007_199_254_740_993n,
      exactText: '0.10',
      bookedAt: new Date('2026-11-21T10:00:00Z'),
      theDocument: { inner_key: 1 },
      someList: [1n, 2n],
      noList: [],
    })
  } finally {
    await drop()
  }
})

test('statements are prepared once per connection', async () => {
  const { sql, drop } = await createTestDatabase({ poolSize: 1 })
  try {
    for (const units of [1n, 2n, 3n]) await sql`select ${units}::int8 as units`
    const [row] = await sql<
      { count: bigint }[]
    >`select count(*) from pg_prepared_statements where statement like 'select $1::int8 as units'`
    expect(row?.count).toBe(1n)
  } finally {
    await drop()
  }
})

test('a refused connection is one sentence with host and port, without the password', async () => {
  const attempt = openDatabase('postgres://someone:secret@127.0.0.1:1/name')
  await expect(attempt).rejects.toThrow(StartupError)
  await expect(attempt).rejects.toThrow(
    'The database at 127.0.0.1:1 refuses the connection: is it running, and is DATABASE_URL right?',
  )
})

test('a server that accepts connections but never responds is reported', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  try {
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(openDatabase(`postgres://someone:secret@127.0.0.1:${port}/name`)).rejects.toThrow(
      /does not answer/,
    )
  } finally {
    silent.close()
  }
})

test('wrong password, missing database and bad address each get their own message', async () => {
  const url = inject('postgresUrl')
  const { host } = new URL(url)
  await expect(openDatabase(url.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow(
    `The database at ${host} does not accept the user name and password`,
  )
  await expect(openDatabase(url.replace(/postgres$/, 'nowhere'))).rejects.toThrow(
    'has no database of the name in DATABASE_URL',
  )
  await expect(openDatabase('mysql://secret@host')).rejects.toThrow(
    /^The setting DATABASE_URL is not valid: it is the address of a PostgreSQL/,
  )
})
