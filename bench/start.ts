import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert } from '#core/assert.ts'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { freePort } from '../test/process/running-server.ts'
import { makeFolder } from './database.ts'
import { median, report, seconds } from './report.ts'

/**
 * From `npm start` to the first page with HTTP 200: on an empty folder, again after a stop, and
 * again after kill -9 of everything.
 */

const ROUNDS = 5
const TARGET_MS = 3_000
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export async function run(): Promise<void> {
  const folder = await makeFolder()
  try {
    const dataDir = join(folder, 'data')
    const first = await start({ dataDir })
    await first.end('SIGTERM')
    const afterStop: number[] = []
    const afterKill: number[] = []
    const bare: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const stopped = await start({ dataDir })
      afterStop.push(stopped.ms)
      await stopped.end('SIGKILL')
      const killed = await start({ dataDir })
      afterKill.push(killed.ms)
      await killed.end('SIGTERM')
      bare.push(await startBare(dataDir))
    }
    const [again, recovered, least] = [median(afterStop), median(afterKill), median(bare)]
    report({ name: 'start, first, on an empty folder, app built', measured: seconds(first.ms) })
    const ratio = (ms: number) =>
      `${(ms / least).toFixed(1)} × a bare Fastify on a running database, ${seconds(least)}`
    report({
      name: 'start, second, after a stop',
      measured: seconds(again),
      ratio: ratio(again),
      target: { text: '≤ 3 s', met: again <= TARGET_MS },
    })
    report({
      name: 'start, after kill -9',
      measured: seconds(recovered),
      ratio: ratio(recovered),
      target: { text: '≤ 3 s', met: recovered <= TARGET_MS },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Started = { ms: number; end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void> }

/**
 * Starts the product through npm, as users do. All its processes are in one group, so that none
 * survives the signal.
 */
export async function start({
  dataDir,
  from = ROOT,
}: {
  dataDir: string
  from?: string
}): Promise<Started> {
  const port = await freePort()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: from,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
    detached: true,
  })
  const ms = await untilAnswered(child, `http://127.0.0.1:${port}/`)
  return {
    ms,
    end: async (signal) => {
      assert(child.pid !== undefined, 'it runs')
      const ended = once(child, 'exit')
      process.kill(-child.pid, signal)
      await ended
      while (isAlive(-child.pid)) await new Promise((resolve) => setTimeout(resolve, 10))
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** Milliseconds until `url` answers 200. */
async function untilAnswered(child: ChildProcess, url: string): Promise<number> {
  const startMs = performance.now()
  for (;;) {
    const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return performance.now() - startMs
    assert(child.exitCode === null, 'the started process still runs')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function startBare(dataDir: string): Promise<number> {
  const embedded = await startEmbeddedPostgres({
    dataDir,
    log: { info: () => undefined, warn: console.warn, error: console.error },
  })
  const port = await freePort()
  const child = spawn(process.execPath, ['bench/bare-server.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATABASE_URL: embedded.url },
    stdio: 'ignore',
  })
  try {
    return await untilAnswered(
      child,
      `http://127.0.0.1:${port}/users/00000000-0000-7000-8000-000000000000`,
    )
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    await embedded.stop()
  }
}
