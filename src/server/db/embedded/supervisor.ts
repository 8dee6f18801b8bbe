import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../../startup-error.ts'
import { findFreePort, isPortFree } from './access.ts'
import type { Cluster } from './cluster.ts'
import { acquireGuard, type Guard } from './guard.ts'
import {
  findPostmaster,
  isAlive,
  reasonInLog,
  spawnPostmaster,
  stopPostmaster,
  type Postmaster,
} from './postmaster.ts'

/** The part of pino's logger that is used. */
export type Log = {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

type Running = { postmaster: Postmaster; guard: Guard; sinceMs: number }

/** Progress of an attempt to start PostgreSQL. */
type Begun = { spawned?: Postmaster; isTaken?: boolean }

type SupervisorOptions = {
  cluster: Cluster
  log: Log
  onGivenUp: ((error: Error) => void) | undefined
  longestRestartDelayMs?: number | undefined
}

/** Recovery after a crash replays up to 4 GB of log. */
const START_TIMEOUT_MS = 300_000
/** A killed owner's lock lasts until its backend notices. */
const LOCK_TIMEOUT_MS = 2_000
const STOP_TIMEOUT_MS = 30_000
const POLL_MS = 20
const MOST_FAILED_STARTS = 10
const LONGEST_RESTART_DELAY_MS = 5_000
const STABLE_AFTER_MS = 60_000

/** Keeps one postmaster running on one cluster. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  #running: Running | undefined
  #watching: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get pid(): number {
    return this.#running?.postmaster.pid ?? 0
  }

  async start({ mayMove }: { mayMove: boolean }): Promise<Postmaster> {
    const { cluster, log } = this.#options
    const found = await findPostmaster(cluster)
    if (found !== undefined) cluster.access.port = found.port
    else if (mayMove && !(await isPortFree(cluster.access.port)))
      cluster.access.port = await findFreePort()
    this.#running = await this.#bringUp()
    const { pid, port } = this.#running.postmaster
    log.info(
      pid === found?.pid
        ? `PostgreSQL still ran as process ${pid}: adopted`
        : `PostgreSQL runs as process ${pid} on port ${port}`,
    )
    this.#watching = this.#watch(this.#running)
    return this.#running.postmaster
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    await this.#endPostmaster()
    await this.#watching
    // A restart in progress may have started another one meanwhile.
    await this.#endPostmaster()
    await this.#running?.guard.release()
  }

  async #endPostmaster(): Promise<void> {
    const { cluster } = this.#options
    const postmaster = await findPostmaster(cluster)
    if (postmaster !== undefined)
      await stopPostmaster({ cluster, pid: postmaster.pid, timeoutMs: STOP_TIMEOUT_MS })
  }

  /**
   * Waits until the server answers and is ours, starting it if nothing runs. On failure, stops what
   * it started.
   */
  async #bringUp(): Promise<Running> {
    const begun: Begun = {}
    try {
      return await this.#untilHeld(begun)
    } catch (error) {
      const { cluster } = this.#options
      // Of two simultaneous starts, the loser may have started the server that the winner now owns.
      if (begun.spawned !== undefined && !begun.isTaken)
        await stopPostmaster({ cluster, pid: begun.spawned.pid, timeoutMs: STOP_TIMEOUT_MS })
      throw error
    }
  }

  async #untilHeld(begun: Begun): Promise<Running> {
    const { cluster } = this.#options
    const beganMs = Date.now()
    let reason = 'it does not answer'
    while (Date.now() - beganMs < START_TIMEOUT_MS && !this.#stopping.signal.aborted) {
      const postmaster = await findPostmaster(cluster)
      if (postmaster !== undefined) {
        const answer = await acquireGuard({ cluster, port: postmaster.port })
        if (answer.kind === 'held') return { postmaster, guard: answer.guard, sinceMs: Date.now() }
        begun.isTaken = answer.kind === 'taken'
        if (begun.isTaken && Date.now() - beganMs > LOCK_TIMEOUT_MS) throw inUse(cluster)
        if (answer.kind === 'not-ready') reason = answer.reason
      } else if (begun.spawned === undefined) {
        begun.spawned = await spawnPostmaster(cluster)
      } else if (!isAlive(begun.spawned.pid)) {
        throw new StartupError(`PostgreSQL did not start: ${await reasonInLog(cluster)}.`)
      }
      await delay(POLL_MS)
    }
    throw new StartupError(`PostgreSQL did not start: ${reason}.`)
  }

  async #watch(first: Running): Promise<void> {
    const { log } = this.#options
    let running: Running | undefined = first
    let restarts = 0
    while (running !== undefined) {
      await running.guard.lost
      await running.guard.release()
      if (this.#stopping.signal.aborted) return
      log.error(
        `The connection to PostgreSQL process ${running.postmaster.pid} broke: bringing it back`,
      )
      if (Date.now() - running.sinceMs > STABLE_AFTER_MS) restarts = 0
      running = await this.#restart(restarts)
      restarts += 1
      if (running !== undefined) this.#running = running
    }
  }

  /**
   * Restarts with delays that grow with the restarts since the last stable minute. Gives up after
   * `MOST_FAILED_STARTS` in a row: a server that starts each time is worth starting again, however
   * often it is killed.
   */
  async #restart(restarts: number): Promise<Running | undefined> {
    const { log, onGivenUp, longestRestartDelayMs = LONGEST_RESTART_DELAY_MS } = this.#options
    for (let failed = 0; failed < MOST_FAILED_STARTS; failed += 1) {
      try {
        await delay(Math.min(longestRestartDelayMs, restartDelayMs(restarts + failed)), undefined, {
          signal: this.#stopping.signal,
        })
        const running = await this.#bringUp()
        log.warn(`PostgreSQL runs again as process ${running.postmaster.pid}`)
        return running
      } catch (error) {
        if (this.#stopping.signal.aborted) break
        log.error(error instanceof Error ? error.message : String(error))
      }
    }
    if (!this.#stopping.signal.aborted) {
      log.error(`PostgreSQL could not be brought back after ${MOST_FAILED_STARTS} attempts`)
      onGivenUp?.(new Error('PostgreSQL could not be brought back'))
    }
    return undefined
  }
}

function restartDelayMs(earlier: number): number {
  return earlier === 0 ? 0 : 100 * 2 ** earlier
}

function inUse(cluster: Cluster): StartupError {
  return new StartupError(
    `The data folder ${cluster.home} is in use by another running server: stop that one, or ` +
      'choose another DATA_DIR.',
  )
}
