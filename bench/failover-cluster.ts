import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDataDir, removeDataDir } from '../test/running-server.ts'
import { NOBODY, pidsOf, postgresOf, signalAll, until } from '../test/faults/processes.ts'

/** Three machines of a database, each an address of this one, with the configuration of docs/high-availability: etcd, Patroni and PostgreSQL. */
export type DatabaseCluster = {
  machines: readonly Machine[]
  addresses: readonly string[]
  authority: string
  /** The machine that holds the lease; undefined if none does. */
  primary: () => Promise<Machine | undefined>
  /** The standby that confirms every commit. */
  standby: () => Promise<Machine | undefined>
  /** Waits until all three follow one primary, one of them synchronously; returns the time it took. */
  untilWhole: () => Promise<number>
  switchOver: () => Promise<void>
  remove: () => Promise<void>
}

export type Machine = {
  name: string
  address: string
  /** Starts what is not running. */
  start: () => void
  /** Everything on it ends at once. */
  kill: () => void
  killPostgres: () => void
  killEtcd: () => void
  freeze: () => void
  thaw: () => void
}

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

const CONFIGURATION = resolve(import.meta.dirname, '../docs/high-availability')
const NUMBERS = [1, 2, 3]
export const PASSWORDS = { SUPERUSER_PASSWORD: 'superuser', OWNER_PASSWORD: 'owner', APP_PASSWORD: 'app' }
const WHOLE_TIMEOUT_MS = 180_000

/** The first of these of Debian's programs that this machine lacks. */
export function missingProgram(): string | undefined {
  const programs = ['etcd', 'patroni', 'haproxy', 'openssl', '/usr/lib/postgresql/15/bin/postgres']
  return programs.find((program) => spawnSync(program, [program === 'haproxy' ? '-v' : '--version'], { env: PATHS, stdio: 'ignore' }).error !== undefined)
}

/** Patroni is written for the system's own Python. */
export const PATHS = { PATH: `/usr/bin:/bin:/usr/sbin`, ETCD_UNSUPPORTED_ARCH: process.arch }

/** A file of the document, with everything in it that differs on this machine replaced. Throws if something is not there to be replaced. */
export async function configurationOf(name: string, replaced: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(CONFIGURATION, name), 'utf8')
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

export async function startCluster(): Promise<DatabaseCluster> {
  // Each run has a network of its own, so that the ports can be those of the document.
  const network = `127.${64 + (process.pid % 128)}.${(process.pid >> 7) % 256}.`
  const addresses = NUMBERS.map((number) => `${network}1${number}`)
  const folders = await Promise.all(NUMBERS.map(() => makeDataDir()))
  const certificates = join(await makeDataDir())
  await mkdir(certificates, { recursive: true })
  const made = spawnSync(join(CONFIGURATION, 'make-certificates.sh'), [certificates, ...addresses], { encoding: 'utf8', env: PATHS })
  if (made.status !== 0) throw new Error(`there are no certificates: ${made.stderr}`)
  const machines = await Promise.all(NUMBERS.map((number, index) => prepareMachine({ number, network, certificates, folder: folders[index] ?? '' })))
  for (const { start } of machines) start()
  const primary = async () => {
    const answers = await Promise.all(machines.map(({ address }) => ask(address, 'primary')))
    return machines.find((_machine, index) => answers[index]?.ok)
  }
  const members = async () => membersOf(await primary())
  const standby = async () => {
    const chosen = (await members()).find(({ role }) => role === 'sync_standby')
    return machines.find(({ name }) => name === chosen?.name)
  }
  const untilWhole = () => until(async () => isWhole(await members()), { timeoutMs: WHOLE_TIMEOUT_MS, complaint: () => `the three do not follow one primary\n${folders.map(lastWords).join('\n')}` })
  await untilWhole()
  return {
    machines,
    addresses,
    authority: join(certificates, 'database-ca.crt'),
    primary,
    standby,
    untilWhole,
    switchOver: async () => {
      const [from, to] = [await primary(), await standby()]
      const asked = await run('patronictl', ['-c', join(folders[0] ?? '', 'patroni.yml'), 'switchover', '--leader', from?.name ?? '', '--candidate', to?.name ?? '', '--force'])
      if (!asked.includes('Successfully switched over')) throw new Error(asked)
    },
    remove: async () => {
      for (const { kill } of machines) kill()
      await Promise.all([...folders, certificates].map(removeDataDir))
    },
  }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { env: { ...PATHS, LC_ALL: 'C.UTF-8' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((resolve) => child.once('close', resolve))
  return output
}

type Place = { number: number; network: string; folder: string; certificates: string }

async function prepareMachine({ number, network, folder, certificates }: Place): Promise<Machine> {
  const name = `db${number}`
  const address = `${network}1${number}`
  /** The lines of a machine's own name and addresses are the first machine's in the document. */
  const own = (text: string) => text.replace('name: db1', `name: ${name}`).replaceAll(/^( *(?:listen|advertise|initial-advertise|connect)\S*: .*)10\.0\.0\.11/gm, `$1${address}`).replaceAll('10.0.0.', network)
  const etcd = own(await configurationOf('etcd.yml', { '/var/lib/etcd/trading-bot': join(folder, 'etcd') }))
  const patroni = own(await configurationOf('patroni.yml', {
    ...PATRONI_PASSWORDS,
    '/var/lib/postgresql/15/trading-bot': join(folder, 'postgres', 'cluster'),
    '/var/lib/postgresql/patroni.pgpass': join(folder, 'pgpass'),
    '/var/run/postgresql': folder,
    '/etc/trading-bot': folder,
    // One address of this machine speaks to another with any of them.
    '10.0.0.0/24': '127.0.0.0/8',
  }))
  await mkdir(join(folder, 'postgres'), { recursive: true })
  await writeFile(join(folder, 'etcd.yml'), etcd)
  await writeFile(join(folder, 'patroni.yml'), patroni)
  for (const file of ['database-ca.crt', 'database.crt', 'database.key']) await copyFile(join(certificates, file), join(folder, file))
  await chmod(join(folder, 'database.key'), 0o600)
  if (NOBODY !== undefined) for (const path of ['', 'postgres', 'database.key', 'etcd.yml', 'patroni.yml']) await chown(join(folder, path), NOBODY, NOBODY)
  const running: { etcd?: ChildProcess; patroni?: ChildProcess } = {}
  return {
    name,
    address,
    start: () => {
      if (!isRunning(running.etcd)) running.etcd = start(folder, 'etcd', ['--config-file', join(folder, 'etcd.yml')])
      if (!isRunning(running.patroni)) running.patroni = start(folder, 'patroni', [join(folder, 'patroni.yml')])
    },
    kill: () => signalAll(pidsOf(folder), 'SIGKILL'),
    killPostgres: () => signalAll(postgresOf(folder), 'SIGKILL'),
    killEtcd: () => void running.etcd?.kill('SIGKILL'),
    freeze: () => signalAll(pidsOf(folder), 'SIGSTOP'),
    thaw: () => signalAll(pidsOf(folder), 'SIGCONT'),
  }
}

const PATRONI_PASSWORDS = { SUPERUSER_PASSWORD: PASSWORDS.SUPERUSER_PASSWORD, REST_PASSWORD: 'rest', REPLICATION_PASSWORD: 'replication', REWIND_PASSWORD: 'rewind' }

const isRunning = (child: ChildProcess | undefined): boolean => child !== undefined && child.exitCode === null && child.signalCode === null

/** As a user other than root, whom PostgreSQL refuses, with its output in the machine's folder. */
function start(folder: string, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${program}.log`), 'a')
  return spawn(program, args, { cwd: folder, env: { ...PATHS, LC_ALL: 'C.UTF-8', HOME: folder }, stdio: ['ignore', log, log], ...(NOBODY !== undefined && { uid: NOBODY, gid: NOBODY }) })
}

const LAST_LINES = 12

/** The end of a machine's log of Patroni, with PostgreSQL's own lines in it, and without what HAProxy causes when it hangs up. */
function lastWords(folder: string): string {
  const lines = readFileSync(join(folder, 'patroni.log'), 'utf8').split('\n').filter((line) => /^\d{4}-/.test(line))
  return lines.slice(-LAST_LINES).join('\n')
}

const ASK_TIMEOUT_MS = 2_000

/** Patroni's answer, by which HAProxy chooses too; undefined if it gives none. */
async function ask(address: string, path: string): Promise<Response | undefined> {
  return fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).catch(() => undefined)
}

/** As the primary sees them: another machine may have missed something. */
async function membersOf(primary: Machine | undefined): Promise<Member[]> {
  const answer = primary && (await ask(primary.address, 'cluster'))
  return answer ? ((await answer.json()) as { members: Member[] }).members : []
}

function isWhole(members: readonly Member[]): boolean {
  const count = (role: string) => members.filter((member) => member.role === role).length
  const timelines = new Set(members.map(({ timeline }) => timeline))
  return members.length === NUMBERS.length && count('leader') === 1 && count('sync_standby') === 1 && timelines.size === 1 && members.every(({ state }) => state === 'running' || state === 'streaming')
}

/** HAProxy as on a machine of the product. */
export async function startHaproxy({ addresses, port }: { addresses: readonly string[]; port: number }): Promise<{ restart: () => void; remove: () => Promise<void> }> {
  const folder = await makeDataDir()
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'haproxy.cfg')
  const network = (addresses[0] ?? '').replace(/\d+$/, '')
  const text = await configurationOf('haproxy.cfg', { '127.0.0.1:5000': `127.0.0.1:${port}`, '10.0.0.': network })
  // Only root can become another user.
  await writeFile(file, NOBODY === undefined ? text.replaceAll(/^ *(user|group) haproxy\n/gm, '') : text)
  const begin = () => spawn('haproxy', ['-db', '-f', file], { env: PATHS, stdio: 'ignore' })
  let child = begin()
  return {
    restart: () => {
      child.kill('SIGKILL')
      child = begin()
    },
    remove: async () => {
      child.kill('SIGKILL')
      await rm(join(folder, '..'), { recursive: true, force: true })
    },
  }
}
