import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endLaunched, leftDataDirs, removeDataDir } from '../process/running-server.ts'

/** A user other than root, if the tests run as root. */
export const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined

type Process = { pid: number; command: string; folder: string; environment: string; state: string }

/**
 * Every process of `dataDir`: PostgreSQL's, whose working folder is its cluster, and ours, which
 * have the folder in their environment.
 */
export function processesOf(dataDir: string): string[] {
  const found = allProcesses().filter(
    (each) =>
      each.command.includes(dataDir) ||
      each.folder.startsWith(dataDir) ||
      each.environment.includes(`DATA_DIR=${dataDir}\0`),
  )
  return found.map(({ pid, command }) => `${pid} ${command}`)
}

/** The processes of the PostgreSQL that serves `dataDir`, the postmaster first. */
export function postgresOf(dataDir: string): number[] {
  const cluster = join(dataDir, 'postgres', 'cluster')
  const postmaster = postmasterOf(dataDir)
  const pids = allProcesses()
    .filter(({ folder }) => folder === cluster)
    .map(({ pid }) => pid)
  return pids.toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster))
}

function postmasterOf(dataDir: string): number {
  return Number(readIfThere(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')).split('\n')[0])
}

/** Sends `signal` to all of them at once, ignoring processes that have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Ends processes and removes files that a failed test left behind. */
export async function cleanUp(): Promise<void> {
  await endLaunched()
  for (const dataDir of leftDataDirs()) {
    signalAll(postgresOf(dataDir), 'SIGKILL')
    await removeDataDir(dataDir)
  }
}

/** Waits until `isTrue`, or fails with `complaint`. Returns the time it took. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { timeoutMs, complaint }: Patience,
): Promise<number> {
  const beganMs = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - beganMs > timeoutMs)
      throw new Error(`waited ${timeoutMs} ms in vain: ${complaint()}`)
    await delay(20)
  }
  return performance.now() - beganMs
}

type Patience = { timeoutMs: number; complaint: () => string }

function allProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => describe(Number(name)))
    .filter(({ state, command }) => state !== 'Z' && command !== '')
}

function describe(pid: number): Process {
  const read = (name: string): string => readIfThere(`/proc/${pid}/${name}`)
  const state = /\) (\w) /.exec(read('stat'))?.[1] ?? 'Z'
  return {
    pid,
    state,
    command: read('cmdline').replaceAll('\0', ' ').trim(),
    environment: `${read('environ')}\0`,
    folder: workingFolder(pid),
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
