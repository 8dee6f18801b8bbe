import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf, StartupError } from '../../kernel/errors.ts'
import type { Cluster } from './cluster.ts'
import { reasonIn } from './printed-reason.ts'
import { commandAs } from './identity.ts'
import { serverArguments } from './settings.ts'

export type Postmaster = {
  pid: number
  ended: Promise<unknown>
  /** Fast shutdown: rolls back open transactions and flushes everything. */
  stop(): Promise<void>
}

/** Recovery after a crash replays up to 4 GB of log. */
const START_TIMEOUT_MS = 300_000
/** Limit of a fast shutdown. An immediate shutdown follows, which loses nothing either. */
const STOP_TIMEOUT_MS = 30_000
const POLL_MS = 10
const LONGEST_LOG_BYTES = 10_000_000

/**
 * Waits until the postmaster of a killed process has shut down, or removes the `postmaster.pid` of
 * a crash. Throws if the process that started the postmaster is running.
 */
export async function endLeftPostmaster({ folder, home }: Cluster): Promise<void> {
  const { pid, status } = await readPidFile(folder)
  if (pid === undefined) return
  if (!isPostgresOn(pid, folder)) return rm(pidFileOf(folder), { force: true })
  if (isServing(pid, folder, status))
    throw new StartupError(
      `The data folder ${home} is in use by another running server: stop that one, or choose ` +
        'another DATA_DIR.',
    )
  await stopPostmaster(pid, folder)
}

/** Starts a postmaster and waits until it takes connections. */
export async function startPostmaster(cluster: Cluster, signal: AbortSignal): Promise<Postmaster> {
  const postmaster = await spawnPostmaster(cluster)
  let hasEnded = false
  void postmaster.ended.then(() => (hasEnded = true))
  const isReady = async () => {
    const { pid, status } = await readPidFile(cluster.folder)
    return pid === postmaster.pid && status === 'ready'
  }
  for (const beganMs = Date.now(); !(await isReady()); await delay(POLL_MS)) {
    if (hasEnded) {
      // If two processes start at once, PostgreSQL itself ends one of them.
      await endLeftPostmaster(cluster)
      throw new StartupError(`PostgreSQL did not start: ${await reasonInLog(cluster)}.`)
    }
    if (!signal.aborted && Date.now() - beganMs < START_TIMEOUT_MS) continue
    await postmaster.stop()
    throw new StartupError('PostgreSQL did not start: it does not answer.')
  }
  return postmaster
}

/**
 * A shell that shuts PostgreSQL down when its input closes, and so when our process ends. Ignores
 * the signals that systemd sends to all processes of a service, so that PostgreSQL outlives us.
 */
const KEEPER = `
trap '' HUP INT TERM
exec 3<&0
"$@" 3<&- >&2 &
postmaster=$!
echo $postmaster
(read -r _ <&3; while kill -INT $postmaster; do sleep 1; done) &
wait $postmaster
kill -9 $!
wait`

const ownedBy = (pid: number): string => `owned-by-${pid}`

/**
 * Starts the postmaster in a session of its own, so that Ctrl-C in our terminal does not stop it
 * before us.
 */
export async function spawnPostmaster(cluster: Cluster): Promise<Postmaster> {
  const { identity, binaries, folder, access, logFile } = cluster
  const log = await openLog(logFile)
  const [command, args, options] = commandAs(identity, '/bin/sh', [
    '-c',
    KEEPER,
    ownedBy(process.pid),
    binaries.postgres,
    ...serverArguments({ cluster: folder, port: access.port }),
  ])
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', log.fd],
  })
  await log.close()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.stdout?.once('data', (printed: Buffer) => resolve(Number(printed)))
    void ended.then(() => resolve(0))
  })
  return { pid, ended, stop: async () => void (await stopPostmaster(pid, folder), await ended) }
}

async function stopPostmaster(pid: number, folder: string): Promise<void> {
  for (const beganMs = Date.now(); isPostgresOn(pid, folder); await delay(POLL_MS))
    signal(pid, Date.now() - beganMs < STOP_TIMEOUT_MS ? 'SIGINT' : 'SIGQUIT')
}

async function reasonInLog({ logFile }: Cluster): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n')
  return reasonIn(lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '')
}

const isLinux = process.platform === 'linux'

/**
 * A pid may have been reused by another program: only a postgres with our folder as argument is
 * ours.
 */
function isPostgresOn(pid: number, folder: string): boolean {
  const words = wordsOf(pid)
  return isLinux
    ? words.some((word) => word.endsWith('/postgres')) && words.includes(folder)
    : signal(pid, 0)
}

/**
 * Whether the process that started the postmaster is running, and so is still the parent of the
 * keeper.
 */
function isServing(pid: number, folder: string, status: string | undefined): boolean {
  const keeper = parentOf(pid)
  const words = wordsOf(keeper)
  return isLinux
    ? words.includes(folder) && words.includes(ownedBy(parentOf(keeper)))
    : status !== 'stopping'
}

const wordsOf = (pid: number): string[] => readIfThere(`/proc/${pid}/cmdline`).split('\0')
const parentOf = (pid: number): number =>
  Number(/\) \w (\d+)/.exec(readIfThere(`/proc/${pid}/stat`))?.[1])

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

async function readPidFile(folder: string): Promise<{ pid?: number; status?: string }> {
  const text = await readFile(pidFileOf(folder), 'utf8').catch(() => '')
  if (!/^\d+\n/.test(text)) return {}
  const lines = text.split('\n')
  return { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' }
}

function pidFileOf(folder: string): string {
  return join(folder, 'postmaster.pid')
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
