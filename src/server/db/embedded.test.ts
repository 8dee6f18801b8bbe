import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '../kernel/errors.ts'
import { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './embedded.ts'
import { accessFileOf, readAccess, urlOf } from './embedded/access.ts'
import { reasonIn } from './embedded/printed-reason.ts'
import { openDatabase } from './open.ts'

const PATIENCE_MS = 20_000

let dataDir: string
let lines: string[]
let running: EmbeddedPostgres[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trading-bot-embedded-'))
  await chmod(dataDir, 0o711)
  lines = []
  running = []
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const note = (line: string): void => void lines.push(line)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: { info: note, warn: note, error: note },
    ...options,
  })
  running.push(postgres)
  return postgres
}

/** A server of ours in a process of its own, which can be killed. */
async function startElsewhere(): Promise<{ kill(): Promise<void>; postmasterPid: number }> {
  const program = `
    import { startEmbeddedPostgres } from '#server/db/embedded.ts'
    const quiet = () => undefined
    const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)},
    log: { info: quiet, warn: quiet, error: console.error } })
    console.log(pid)
    setInterval(quiet, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { kill, postmasterPid: Number(chunk.toString()) }
}

async function note(url: string, text: string): Promise<void> {
  const sql = await openDatabase(url, { poolSize: 1 })
  await sql`create table if not exists notes (text text)`
  await sql`insert into notes values (${text})`
  await sql.end()
}

async function notes(url: string): Promise<string[]> {
  const sql = await openDatabase(url, { poolSize: 1 })
  const rows = await sql<{ text: string }[]>`select text from notes order by text`
  await sql.end()
  return rows.map(({ text }) => text)
}

/** Processes whose command line names our folder, and their children. */
function processesOfCluster(): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const postmasters = all
    .filter((words) => words.includes(join(dataDir, 'postgres', 'cluster')))
    .map(([pid]) => pid)
  return all
    .filter(([pid, parent]) => postmasters.includes(pid) || postmasters.includes(parent))
    .map((words) => words.join(' '))
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited in vain; the log says: ${lines.join(' | ')}`)
    await delay(20)
  }
}

test('data survives a stop and a start, on the same port', async () => {
  const first = await start()
  await note(first.url, 'kept')
  await first.stop()
  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await notes(second.url)).toEqual(['kept'])
})

test('the database runs with settings that lose no commit', async () => {
  const sql = await openDatabase((await start()).url, { poolSize: 1 })
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, current_setting(name) as setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding', 'TimeZone',
          'jit') order by name`
  await sql.end()
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    TimeZone: 'UTC',
    fsync: 'on',
    full_page_writes: 'on',
    jit: 'off',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  })
})

test('only the owner can read the database password, and nobody connects without it', async () => {
  const { url } = await start()
  const { mode } = await stat(join(dataDir, 'postgres', 'access.json'))
  expect(mode & 0o777).toBe(0o600)
  const intruder = new URL(url)
  intruder.password = 'guessed'
  await expect(openDatabase(intruder.href)).rejects.toThrow(
    'does not accept the user name and password',
  )
})

test('a data folder that the start creates can be read and listed by nobody else', async () => {
  const made = join(dataDir, 'made')
  await start({ dataDir: made })
  expect((await stat(made)).mode & 0o066).toBe(0)
})

test('a stopped database leaves no process behind', async () => {
  const postgres = await start()
  expect(processesOfCluster()).not.toEqual([])
  await postgres.stop()
  expect(processesOfCluster()).toEqual([])
})

test('a second start on the same folder is refused, and the first continues', async () => {
  const first = await start()
  const second = start()
  await expect(second).rejects.toThrow(StartupError)
  await expect(second).rejects.toThrow(/is in use by another running server/)
  await note(first.url, 'still here')
  expect(await notes(first.url)).toEqual(['still here'])
})

test('two first starts at once make one cluster and one owner', async () => {
  const outcomes = await Promise.allSettled([start(), start()])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readdir(dataDir)).toEqual(['postgres'])
})

test('after kill -9 of the server its database ends; the next start has every row', async () => {
  const elsewhere = await startElsewhere()
  const { port, password } = await readAccess(accessFileOf(dataDir))
  await note(urlOf({ port, password }), 'acknowledged')
  await elsewhere.kill()
  await until(() => processesOfCluster().length === 0)
  expect(await notes((await start()).url)).toEqual(['acknowledged'])
})

test('a start ends a database whose server and guard have died', async () => {
  const elsewhere = await startElsewhere()
  const ps = (...args: string[]) =>
    execFileSync('ps', ['-o', ...args], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)
  const [keeper = 0] = ps('ppid=', '-p', String(elsewhere.postmasterPid))
  for (const pid of [keeper, ...ps('pid=', '--ppid', String(keeper))])
    if (pid !== elsewhere.postmasterPid) process.kill(pid, 'SIGKILL')
  await elsewhere.kill()
  const next = await start()
  expect(next.pid).not.toBe(elsewhere.postmasterPid)
  await next.stop()
  expect(processesOfCluster()).toEqual([])
})

test('after kill -9 of the postmaster the database runs again and the pool recovers', async () => {
  const postgres = await start()
  await note(postgres.url, 'acknowledged')
  const sql = await openDatabase(postgres.url)
  const before = postgres.pid
  process.kill(before, 'SIGKILL')
  await until(() => postgres.pid !== before)
  await until(() =>
    sql`select text from notes`.then(
      (rows) => rows.length === 1,
      () => false,
    ),
  )
  await sql.end()
})

test('a postmaster that is killed again and again restarts each time', async () => {
  const lost: Error[] = []
  const postgres = await start({
    longestRestartDelayMs: 20,
    onGivenUp: (error) => lost.push(error),
  })
  for (let kills = 0; kills < 12; kills += 1) {
    const before = postgres.pid
    process.kill(before, 'SIGKILL')
    await until(() => postgres.pid !== before || lost.length > 0)
  }
  expect(lost).toEqual([])
})

test('after kill -9 of one of its backends the pool recovers', async () => {
  const postgres = await start()
  const sql = await openDatabase(postgres.url)
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  process.kill(backend?.pid ?? 0, 'SIGKILL')
  await until(() => lines.some((line) => line.includes('runs again')))
  await until(() =>
    sql`select 1`.then(
      () => true,
      () => false,
    ),
  )
  await sql.end()
})

test('a stale pid file is removed, even if another program has its pid now', async () => {
  await (await start()).stop()
  const stale = [
    process.pid,
    join(dataDir, 'postgres', 'cluster'),
    1,
    5432,
    '',
    '127.0.0.1',
    '0 0',
    'ready',
  ].join('\n')
  await writeFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), `${stale}\n`)
  const again = await start()
  expect(again.pid).not.toBe(process.pid)
})

test('a failed setup reports the first fatal line of PostgreSQL, not the last line', () => {
  const printed = [
    '2026-11-26 20:40:45.129 UTC [18382] FATAL:  could not resize shared memory segment ' +
      '"/PostgreSQL.793734650" to 1048576 bytes: No space left on device',
    '2026-11-26 20:40:45.129 UTC [18382] PANIC:  cannot abort transaction 1, it was already ' +
      'committed',
    'Aborted',
    'child process exited with exit code 134',
    'initdb: removing contents of data directory "/data/postgres/cluster"',
  ]
  const full =
    'could not resize shared memory segment "/PostgreSQL.793734650" to 1048576 bytes: No ' +
    'space left on device. /dev/shm is too small: in a container, start it with ' +
    '--shm-size=256m'
  expect(reasonIn(printed.join('\n'))).toBe(full)
  expect(
    reasonIn(
      'initdb: error: could not access directory "/data": Permission denied\ninitdb: hint: ask\n',
    ),
  ).toBe('could not access directory "/data": Permission denied')
  expect(reasonIn('')).toBe('it left no message')
})

test.each([
  ['below a file', () => join(dataDir, 'file', 'below'), 'a part of it is a file'],
  ['where the system allows none', () => '/proc/nowhere', 'it cannot be created'],
])('an unusable folder %s is reported in one sentence', async (_where, folder, reason) => {
  await writeFile(join(dataDir, 'file'), '')
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const attempt = startEmbeddedPostgres({ dataDir: folder(), log })
  await expect(attempt).rejects.toThrow(StartupError)
  await expect(attempt).rejects.toThrow(
    `The data folder ${folder()} cannot be written (${reason}): choose another one with DATA_DIR.`,
  )
})
