import { keepAccess, urlOf } from './embedded/access.ts'
import { openCluster } from './embedded/cluster.ts'
import { Supervisor, type Log } from './embedded/supervisor.ts'
import { StartupError } from '../startup-error.ts'

export type EmbeddedPostgres = {
  /** Constant while our process lives, even across restarts of the database. */
  readonly url: string
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
}

/**
 * Runs PostgreSQL under `dataDir`: creates and starts it, adopts it if an earlier process of ours died without stopping it, and restarts it
 * when it dies. Throws `StartupError` if the folder is not writable, another process of ours owns it, or PostgreSQL does not start.
 */
export async function startEmbeddedPostgres({ dataDir, port, log, onGivenUp }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster({ dataDir, port })
  const supervisor = new Supervisor({ cluster, log, onGivenUp })
  const postmaster = await supervisor.start({ mayMove: port === undefined })
  const access = { ...cluster.access, port: postmaster.port }
  await keepAccess(cluster.accessFile, access).catch(async (error: unknown) => {
    await supervisor.stop()
    throw new StartupError(`${cluster.accessFile} cannot be written.`, { cause: error })
  })
  return {
    url: urlOf(access),
    get pid() {
      return supervisor.pid
    },
    stop: () => supervisor.stop(),
  }
}
