import { codeOf, StartupError } from '../kernel/errors.ts'
import { forgetVariablesOfPsql } from '../settings/config.ts'
import { keepAccess, urlOf } from './embedded/access.ts'
import { appUrlOf, makeAppRole } from './embedded/app-role.ts'
import { openCluster } from './embedded/cluster.ts'
import { Supervisor, type Log } from './embedded/supervisor.ts'

export type EmbeddedPostgres = {
  /**
   * URL of the superuser, who owns the tables. It stays constant while our process lives, even
   * across restarts of the database.
   */
  readonly url: string
  /** URL of the app, whose role owns nothing. */
  readonly appUrl: string
  /** The postmaster's process; another one after a restart. */
  readonly pid: number
  /** Fast shutdown; afterwards no process of the database is left. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  dataDir: string
  /** Default: the cluster's last port, or a free one. */
  port?: number
  log: Log
  /** Called once if PostgreSQL died and could not be restarted. */
  onGivenUp?: (error: Error) => void
  /** Limits the growing delay before a restart; default 5 s. */
  longestRestartDelayMs?: number
}

/**
 * Runs PostgreSQL under `dataDir`, restarts it when it dies, and stops it with our process. Throws
 * `StartupError` if the folder is not writable or in use, or PostgreSQL does not start.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  log,
  onGivenUp,
  longestRestartDelayMs,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  forgetVariablesOfPsql()
  const cluster = await openCluster({ dataDir, port })
  const supervisor = new Supervisor({ cluster, log, onGivenUp, longestRestartDelayMs })
  await supervisor.start({ mayMove: port === undefined })
  const { access, accessFile } = cluster
  try {
    await keepAccess(accessFile, access).catch((error: unknown) => {
      throw new StartupError(`${accessFile} cannot be written.`, { cause: error })
    })
    await makeAppRole(access)
  } catch (error) {
    await supervisor.stop()
    if (codeOf(error) !== '28P01') throw error
    throw new StartupError(
      `The database's password in ${accessFile} is not the one it was made with.`,
      { cause: error },
    )
  }
  return {
    url: urlOf(access),
    appUrl: appUrlOf(access),
    get pid() {
      return supervisor.pid
    },
    stop: () => supervisor.stop(),
  }
}
