import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessFileOf, isPortFree, readAccess, urlOf } from '#server/db/embedded/access.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { MARKET_START } from '../world/market-start.ts'

/** A process of the product: the server, or another program of `src/server`. */
export type Launched = {
  process: ChildProcess
  /** Its output so far: both streams, and stderr alone. */
  output: () => string
  errors: () => string
  /** Its exit code, or the signal that ended it; waits for both streams to end as well. */
  ended: Promise<number | string | null>
}

/** The product as users run it: its own process with its own embedded PostgreSQL. */
export type RunningServer = Launched & {
  url: string
  dataDir: string
  /** A pool on the server's own database. */
  database: () => Promise<Sql>
  /** Sends SIGTERM and waits for the exit. */
  stop: () => Promise<number | null>
}

export type ServerOptions = {
  dataDir?: string
  port?: number
  env?: Record<string, string>
  userId?: number | undefined
}

const START_TIMEOUT_MS = 600_000
const END_TIMEOUT_MS = 15_000

export type LaunchOptions = {
  /** The program and its arguments; paths are relative to the repository. */
  program?: readonly string[]
  env: Record<string, string>
  /** The user that it runs as, if the tests run as root. */
  userId?: number | undefined
}

/** By default no exchange and one market: tests must depend on neither network nor date. */
const SIMULATED = { MARKET_FEED: 'simulated', MARKET_START }

/** Starts a program of the product without waiting for anything. */
export function launch({ program = ['src/server/main.ts'], env, userId }: LaunchOptions): Launched {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, LOG_LEVEL: 'warn', ...SIMULATED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(userId !== undefined && { uid: userId, gid: userId }),
  })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    errors += chunk.toString()
  })
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode)
  const launched = { process: child, output: () => output, errors: () => errors, ended }
  living.add(launched)
  void ended.then(() => living.delete(launched))
  return launched
}

const living = new Set<Launched>()

/**
 * Ends all processes that a failed test left running: SIGTERM, and SIGKILL after a grace period.
 */
export async function endLaunched(): Promise<void> {
  const left = [...living]
  for (const { process: child } of left) child.kill('SIGTERM')
  const killing = setTimeout(
    () => left.forEach(({ process: child }) => child.kill('SIGKILL')),
    END_TIMEOUT_MS,
  )
  await Promise.all(left.map(({ ended }) => ended))
  clearTimeout(killing)
}

/** Starts `src/server/main.ts` and waits until it responds. */
export async function startServer({
  dataDir,
  port,
  env = {},
  userId,
}: ServerOptions = {}): Promise<RunningServer> {
  const folder = dataDir ?? (await makeDataDir())
  const chosen = port ?? (await freePort())
  const launched = launch({ env: { PORT: String(chosen), DATA_DIR: folder, ...env }, userId })
  const { process: child, output } = launched
  const url = `http://127.0.0.1:${chosen}`
  await answered({ url, child, output })
  return {
    ...launched,
    url,
    dataDir: folder,
    database: async () =>
      openDatabase(urlOf(await readAccess(accessFileOf(folder))), { poolSize: 2 }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}

/** A folder that PostgreSQL's user may enter too. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trading-bot-'))
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'data')
  made.add(dataDir)
  return dataDir
}

const made = new Set<string>()

/** Folders of this test file that a failed test did not remove. */
export function leftDataDirs(): string[] {
  return [...made]
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, '..'), { recursive: true, force: true })
  made.delete(dataDir)
}

async function answered({
  url,
  child,
  output,
}: {
  url: string
  child: ChildProcess
  output: () => string
}): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}:\n${output()}`)
    if (Date.now() > deadline) throw new Error(`the server does not respond:\n${output()}`)
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Below the ports of the embedded PostgreSQL and those that the system hands out. */
const PORT_RANGE = { from: 11_000, to: 20_000 }

/** A port for a server of this process's tests, also while they restart it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_RANGE.from, PORT_RANGE.to)
    if ((await isPortFree(port)) && (await reserve(port))) return port
  }
}

/**
 * Whether no test has reserved this port. A UDP socket on it reserves it until this process ends:
 * otherwise a test could call another one's server, which started on the same port first.
 */
export function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref()
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
  })
}
