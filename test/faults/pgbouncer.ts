import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { freePort } from '../process/running-server.ts'
import { NOBODY, until } from './processes.ts'

/** PgBouncer in transaction mode before one database. */
export type PgBouncer = { url: string; stop: () => Promise<void> }

const READY_TIMEOUT_MS = 180_000

/** Whether this machine has it: Debian's package is `pgbouncer`. */
export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore', env: PATHS }).status === 0
}

const PATHS = { PATH: `${process.env['PATH']}:/usr/sbin` }

/** Fewer connections to the database than the processes behind it would open themselves. */
export async function startPgBouncer(
  databaseUrl: string,
  { connections }: { connections: number },
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${databasePort} dbname=${name} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  )
  await chmod(folder, 0o755)
  const child = spawn('pgbouncer', ['-q', file], {
    stdio: 'ignore',
    env: PATHS,
    ...(NOBODY !== undefined && { uid: NOBODY, gid: NOBODY }),
  })
  const ended = once(child, 'exit')
  const url = databaseUrl.replace(`:${databasePort}/`, `:${port}/`)
  const answers = async () =>
    openDatabase(url, { poolSize: 1 }).then(
      (sql) => sql.end().then(() => true),
      () => false,
    )
  await until(answers, {
    timeoutMs: READY_TIMEOUT_MS,
    complaint: () => 'PgBouncer does not answer',
  })
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
