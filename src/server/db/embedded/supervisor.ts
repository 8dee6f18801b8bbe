import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort, isPortFree } from './access.ts'
import type { Cluster } from './cluster.ts'
import { endLeftPostmaster, startPostmaster, type Postmaster } from './postmaster.ts'

export type Log = {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

type SupervisorOptions = {
  cluster: Cluster
  log: Log
  onGivenUp: ((error: Error) => void) | undefined
  longestRestartDelayMs?: number | undefined
}

const MOST_FAILED_STARTS = 10
const LONGEST_RESTART_DELAY_MS = 5_000
const STABLE_AFTER_MS = 60_000

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  #postmaster: Postmaster | undefined
  #watching: Promise<void> = Promise.resolve()

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get pid(): number {
    return this.#postmaster?.pid ?? 0
  }

  async start({ mayMove }: { mayMove: boolean }): Promise<void> {
    const { cluster, log } = this.#options
    const { access } = cluster
    await endLeftPostmaster(cluster)
    if (mayMove && !(await isPortFree(access.port))) access.port = await findFreePort()
    const first = await startPostmaster(cluster, this.#stopping.signal)
    log.info(`PostgreSQL runs as process ${first.pid} on port ${access.port}`)
    this.#watching = this.#watch(first)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#postmaster?.stop()
    await this.#watching
  }

  async #watch(first: Postmaster): Promise<void> {
    const { signal } = this.#stopping
    let running: Postmaster | undefined = first
    let restarts = 0
    while (running !== undefined) {
      this.#postmaster = running
      const sinceMs = Date.now()
      if (signal.aborted) await running.stop()
      await running.ended
      if (signal.aborted) return
      this.#options.log.error(`PostgreSQL process ${running.pid} ended: bringing it back`)
      if (Date.now() - sinceMs > STABLE_AFTER_MS) restarts = 0
      running = await this.#restart(restarts)
      restarts += 1
    }
  }

  /**
   * Delays grow with the number of restarts since the last stable minute. Gives up after
   * `MOST_FAILED_STARTS` failed starts in a row.
   */
  async #restart(restarts: number): Promise<Postmaster | undefined> {
    const { cluster, log, onGivenUp, longestRestartDelayMs } = this.#options
    const longestMs = longestRestartDelayMs ?? LONGEST_RESTART_DELAY_MS
    const { signal } = this.#stopping
    for (let failed = 0; failed < MOST_FAILED_STARTS; failed += 1) {
      try {
        const ms = Math.min(longestMs, restartDelayMs(restarts + failed))
        await delay(ms, undefined, { signal })
        await endLeftPostmaster(cluster)
        const running = await startPostmaster(cluster, signal)
        log.warn(`PostgreSQL runs again as process ${running.pid}`)
        return running
      } catch (error) {
        if (signal.aborted) return undefined
        log.error(error instanceof Error ? error.message : String(error))
      }
    }
    log.error(`PostgreSQL could not be brought back after ${MOST_FAILED_STARTS} attempts`)
    onGivenUp?.(new Error('PostgreSQL could not be brought back'))
    return undefined
  }
}

function restartDelayMs(earlier: number): number {
  return earlier === 0 ? 0 : 100 * 2 ** earlier
}
