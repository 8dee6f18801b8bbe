import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../../code-of.ts'
import type { Cluster } from './cluster.ts'
import { reasonIn } from './printed-reason.ts'
import { commandAs } from './identity.ts'
import { serverArguments } from './settings.ts'

/** PostgreSQL's first process, the parent of all others. */
export type Postmaster = { pid: number; port: number }

const POLL_MS = 10
const LONGEST_LOG_BYTES = 10_000_000

/**
 * The postmaster that runs on `cluster`; if there is none, also removes a `postmaster.pid` left by
 * a crash.
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const lines = await readPidFile(cluster)
  if (lines === undefined) return undefined
  const pid = Number(lines[0])
  if (isAlive(pid) && isPostgresOn(pid, cluster.folder)) return { pid, port: Number(lines[3]) }
  await rm(pidFileOf(cluster), { force: true })
  return undefined
}

/**
 * Starts a postmaster in its own session: neither Ctrl-C in our terminal nor our death stops it.
 */
export async function spawnPostmaster(cluster: Cluster): Promise<Postmaster> {
  const { port } = cluster.access
  const [command, args, options] = commandAs(
    cluster.identity,
    cluster.binaries.postgres,
    serverArguments({ cluster: cluster.folder, port }),
  )
  const log = await openLog(cluster.logFile)
  try {
    const child = spawn(command, args, {
      ...options,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    return { pid: child.pid ?? 0, port }
  } finally {
    await log.close()
  }
}

/**
 * Fast shutdown: rolls back open transactions and flushes everything. After `timeoutMs` immediate
 * shutdown, which loses nothing either.
 */
export async function stopPostmaster({
  cluster,
  pid,
  timeoutMs,
}: {
  cluster: Cluster
  pid: number
  timeoutMs: number
}): Promise<void> {
  if (isPostgresOn(pid, cluster.folder)) signal(pid, 'SIGINT')
  const deadline = Date.now() + timeoutMs
  while (isAlive(pid)) {
    await delay(POLL_MS)
    if (Date.now() > deadline && isPostgresOn(pid, cluster.folder)) signal(pid, 'SIGQUIT')
  }
}

export function isAlive(pid: number): boolean {
  if (!signal(pid, 0)) return false
  const status = `/proc/${pid}/stat`
  return !existsSync(status) || !/\) [ZX] /.test(readIfThere(status))
}

/**
 * Why the server did not start: the last fatal line of its log, where earlier ones tell of sessions
 * that ended.
 */
export async function reasonInLog({ logFile }: Cluster): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n')
  return reasonIn(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '')
}

/**
 * A pid may have been reused by another program: only a postgres with our folder as argument is
 * ours.
 */
function isPostgresOn(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return isAlive(pid)
  const words = readIfThere(`/proc/${pid}/cmdline`).split('\0')
  return words.some((word) => word.endsWith('/postgres')) && words.includes(folder)
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

async function readPidFile(cluster: Cluster): Promise<string[] | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '')
  return /^\d+\n/.test(text) ? text.split('\n') : undefined
}

function pidFileOf(cluster: Cluster): string {
  return join(cluster.folder, 'postmaster.pid')
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

async function openLog(file: string) {
  const size = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  if (size > LONGEST_LOG_BYTES) await rename(file, `${file}.old`)
  return open(file, 'a', 0o600)
}
