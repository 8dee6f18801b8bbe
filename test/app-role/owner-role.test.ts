import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { SECRET } from '../world/database.ts'
import { databaseUrl } from '../process/postgres.ts'
import { endLaunched, freePort, launch, startServer } from '../process/running-server.ts'
import { signUp } from '../faults/client.ts'

/** A database whose owner is no superuser, as hosted ones are. */
const id = randomUUID().replaceAll('-', '')
const [OWNER, APP, BOOK, COPY, FOREIGN] = ['owner', 'app', 'book', 'copy', 'foreign'].map(
  (name) => `${name}_${id}`,
) as [string, string, string, string, string]

const RESTORED =
  'Restored, and the book is in order.\nPayouts are halted: mark those that were sent after ' +
  'the backup, then run npm run ops -- payouts resume.'

let root: Sql
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-role-'))
  root = await openDatabase(inject('postgresUrl'), { poolSize: 1 })
  for (const role of [OWNER, APP]) await root.unsafe(`create role ${role} login password 'secret'`)
  for (const name of [BOOK, COPY]) await root.unsafe(`create database ${name} owner ${OWNER}`)
  await root.unsafe(`create database ${FOREIGN}`)
})

afterAll(async () => {
  await endLaunched()
  for (const name of [BOOK, COPY, FOREIGN]) await root.unsafe(`drop database ${name} with (force)`)
  await root.unsafe(`revoke set on parameter session_replication_role from ${OWNER}`)
  for (const role of [OWNER, APP]) await root.unsafe(`drop role ${role}`)
  await root.end({ timeout: 1 })
  await rm(folder, { recursive: true })
})

function urlAs(role: string, database: string): string {
  const url = new URL(databaseUrl(inject('postgresUrl'), database))
  Object.assign(url, { username: role, password: 'secret' })
  return url.href
}
const both = (database: string) => ({
  DATABASE_URL: urlAs(APP, database),
  DATABASE_OWNER_URL: urlAs(OWNER, database),
})
const settings = () => ({ SESSION_SECRET: SECRET, DATA_DIR: join(folder, 'data') })

async function run(program: string[], env: Record<string, string>) {
  const launched = launch({ program, env: { ...settings(), ...env } })
  const code = await launched.ended
  return {
    code,
    said: launched.output().replace(launched.errors(), '').trimEnd(),
    complained: launched.errors().trimEnd(),
  }
}
const ops = (words: string[], env: Record<string, string>) =>
  run(['src/server/ops/main.ts', ...words], env)

test('a server starts, serves and is restored if its owner is no superuser', async () => {
  const server = await startServer({ env: { ...settings(), ...both(BOOK) } })
  await signUp(server.url, 'ada')
  expect(await server.stop()).toBe(0)
  expect((await ops(['doctor'], both(BOOK))).said).toContain(
    'ok       database role: the app can neither change tables nor switch triggers off',
  )
  const file = join(folder, 'book.backup')
  expect((await ops(['backup', file], both(BOOK))).code).toBe(0)

  const refused = await ops(['restore', file], both(COPY))
  expect(refused).toEqual({
    code: 1,
    said: '',
    complained:
      `The role ${OWNER} may not switch triggers off, as a restore must: a superuser runs ` +
      `GRANT SET ON PARAMETER session_replication_role TO ${OWNER}. Nothing was restored.`,
  })
  await root.unsafe(`grant set on parameter session_replication_role to ${OWNER}`)
  expect(await ops(['restore', file], both(COPY))).toEqual({
    code: 0,
    said: RESTORED,
    complained: '',
  })
  // The next command or start grants the app its rights.
  expect((await ops(['reconcile'], both(COPY))).code).toBe(0)
  const app = await openDatabase(urlAs(APP, COPY), { poolSize: 1 })
  expect(await app<{ username: string }[]>`select username from users`).toEqual([
    { username: 'ada' },
  ])
  await expect(app.unsafe('truncate ledger_entries')).rejects.toThrow('permission denied')
  await app.end({ timeout: 1 })
})

test('a role that may not change tables is reported, with the remedy', async () => {
  const port = { PORT: String(await freePort()) }
  const start = (env: Record<string, string>) => run(['src/server/main.ts'], { ...port, ...env })
  expect(await start({ DATABASE_URL: urlAs(APP, FOREIGN) })).toMatchObject({
    code: 1,
    complained:
      `The role ${APP} may not create or change tables of the database ${FOREIGN}: name the ` +
      'role that owns them in DATABASE_OWNER_URL.',
  })
  expect(await start(both(FOREIGN))).toMatchObject({
    code: 1,
    complained:
      `The role ${OWNER} in DATABASE_OWNER_URL may not create or change tables of the ` +
      `database ${FOREIGN}: a superuser runs ALTER DATABASE ${FOREIGN} OWNER TO ${OWNER}, and ` +
      'makes it the owner of the tables if there are any.',
  })
})
