import { totalmem } from 'node:os'

/**
 * An eighth of the machine's memory, within bounds. If the rows of a large block do not fit, they
 * are read and written back page by page.
 */
const SHARED_MEGABYTES = Math.min(2_048, Math.max(128, Math.floor(totalmem() / 8 / 1_048_576)))

/**
 * Settings of the cluster, given on the command line so that they apply to clusters of any age.
 * Durability comes first: acknowledged writes survive a power cut.
 */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Off, because this build has only pglz, which takes longer than writing the bytes that it saves.
  wal_compression: 'off',
  wal_buffers: '64MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  shared_buffers: `${SHARED_MEGABYTES}MB`,
  random_page_cost: '1.1',
  jit: 'off',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_checkpoints: 'off',
  log_lock_waits: 'on',
  idle_in_transaction_session_timeout: '60s',
  // Off, because our supervisor restarts the server after a crash.
  restart_after_crash: 'off',
  cluster_name: 'trading-bot',
} as const

export function serverArguments({ cluster, port }: { cluster: string; port: number }): string[] {
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return ['-D', cluster, ...settings]
}
