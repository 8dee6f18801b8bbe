import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessFileOf, readAccess, urlOf } from '#server/db/embedded/access.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'

/** The product as users run it: its own process with its own embedded PostgreSQL. */
export type RunningServer = {
  url: string
  dataDir: string
  process: ChildProcess
  /** A pool on the server's own database. */
  database: () => Promise<Sql>
  /** SIGTERM, and waits for the end. */
  stop: () => Promise<number | null>
  output: () => string
}

export type ServerOptions = { dataDir?: string; port?: number; env?: Record<string, string> }

const START_TIMEOUT_MS = 120_000

/** Starts `src/server/main.ts` and waits until it answers. */
export async function startServer({ dataDir, port, env = {} }: ServerOptions = {}): Promise<RunningServer> {
  const folder = dataDir ?? (await makeDataDir())
  const chosen = port ?? (await freePort())
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: String(chosen), DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const url = `http://127.0.0.1:${chosen}`
  await answered({ url, child, output: () => output })
  return {
    url,
    dataDir: folder,
    process: child,
    database: async () => openDatabase(urlOf(await readAccess(accessFileOf(folder))), { poolSize: 2 }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode
    },
    output: () => output,
  }
}

/** A folder that PostgreSQL's own user may enter too. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trading-bot-'))
  return join(folder, 'data')
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, '..'), { recursive: true, force: true })
}

async function answered({ url, child, output }: { url: string; child: ChildProcess; output: () => string }): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`)
    if (Date.now() > deadline) throw new Error(`the server does not answer:\n${output()}`)
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
