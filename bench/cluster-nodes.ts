import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { assert } from '#core/assert.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'

/** A PostgreSQL server on this machine, by the address of its maintenance database. */
export type Node = { url: string; postmaster: number; dataDir: string; program: string }

const TICKS_PER_SECOND = 100

/**
 * The server behind an address. Must run on this machine, because its CPU time is read and its
 * process is killed.
 */
export async function nodeAt(url: string): Promise<Node> {
  return withSql(url, async (sql) => {
    const [row] = await sql<
      { pid: number; dataDir: string }[]
    >`select pg_backend_pid() as pid, current_setting('data_directory') as data_dir`
    assert(row, 'a server has a process')
    const postmaster = (await statOf(row.pid)).parent
    return {
      url,
      postmaster,
      dataDir: row.dataDir,
      program: await readlink(`/proc/${postmaster}/exe`),
    }
  })
}

export async function withSql<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = await openDatabase(url, { poolSize: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** CPU in seconds that the servers' processes have used, including those that have ended. */
export async function cpuOf(nodes: readonly Node[]): Promise<number> {
  const postmasters = new Set(nodes.map(({ postmaster }) => postmaster))
  let ticks = 0
  for (const name of await readdir('/proc')) {
    const found = /^\d+$/.test(name) ? await statOf(Number(name)).catch(() => undefined) : undefined
    if (found === undefined) continue
    if (postmasters.has(Number(name))) ticks += found.own + found.ended
    else if (postmasters.has(found.parent)) ticks += found.own
  }
  return ticks / TICKS_PER_SECOND
}

async function statOf(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The process name, which ends at the last parenthesis, may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
    1, 11, 12, 13, 14,
  ].map((index) => fields[index])
  return { parent, own: user + system, ended: endedUser + endedSystem }
}

/** Kills the server as abruptly as a power cut, and starts it again. */
export async function crash(node: Node): Promise<void> {
  process.kill(node.postmaster, 'SIGQUIT')
  while (
    await statOf(node.postmaster).then(
      () => true,
      () => false,
    )
  )
    await delay(20)
  const { uid, gid } = await stat(node.dataDir)
  const server = spawn(node.program, ['-D', node.dataDir], {
    uid,
    gid,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: node.dataDir },
  })
  await once(server, 'spawn')
  server.unref()
  node.postmaster = server.pid ?? 0
  for (;;) {
    const answers = await withSql(node.url, () => Promise.resolve(true)).catch(() => false)
    if (answers) return
    await delay(50)
  }
}
