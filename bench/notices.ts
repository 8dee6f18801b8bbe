import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '#server/db/open.ts'
import { startMailServer } from '../test/emulators/mail-server.ts'
import { withDatabase } from './database.ts'
import { percentile, report, seconds } from './report.ts'
import type { NoticesOrder } from './notices-process.ts'

/**
 * Notices while processes are killed: one process writes events, each in one transaction with its
 * notice, and another sends the mail to a real SMTP server. Every few seconds one of them is killed
 * with SIGKILL and restarted.
 */

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000)
const KILLS = Number(process.env['BENCH_KILLS'] ?? 50)
const USERS = 100
const EVENTS_A_SECOND = 50
/** Maximum time from the last event until everything has arrived: two leases and a margin. */
const PATIENCE_MS = 30_000

export async function run(): Promise<void> {
  await withDatabase(async ({ sql }, databaseUrl) => {
    const mails = await startMailServer()
    const users = await addUsers(sql)
    const processes = (['write', 'deliver'] as const).map((role) =>
      keepAlive({
        role,
        databaseUrl,
        smtpUrl: mails.url,
        users,
        events: EVENTS,
        eventsASecond: EVENTS_A_SECOND,
      }),
    )
    const arrivals = new Map<string, number[]>()
    const seen = { count: 0 }
    const watch = setInterval(() => {
      for (const { id } of mails.received.slice(seen.count))
        arrivals.set(id, [...(arrivals.get(id) ?? []), Date.now()])
      seen.count = mails.received.length
    }, 10)
    const spanMs = (EVENTS / EVENTS_A_SECOND) * 1_000
    for (let kill = 0; kill < KILLS; kill += 1) {
      await delay(spanMs / KILLS)
      processes[kill % 2]?.kill()
    }
    await waitFor(async () => (await countNotices(sql)) >= EVENTS, spanMs)
    await waitFor(async () => arrivals.size >= EVENTS, PATIENCE_MS)
    await Promise.all(processes.map((one) => one.stop()))
    clearInterval(watch)
    await tell(sql, arrivals)
    await mails.close()
  })
}

async function tell(sql: Sql, arrivals: ReadonlyMap<string, readonly number[]>): Promise<void> {
  const rows = await sql<{ id: string; createdAt: Date; action: number; shown: number }[]>`
    select '<' || d.id || '@bots.example>' as id, n.created_at, (select count(*)::integer
           from audit_events a where a.subject = n.event_key) as action,
           count(*) over (partition by n.user_id, n.event_key)::integer as shown
      from notices n join deliveries d on d.user_id = n.user_id and d.notice_id = n.id`
  const [actions] = await sql<
    { count: number }[]
  >`select count(*)::integer as count from audit_events`
  const lost =
    rows.filter(({ id }) => !arrivals.has(id)).length + ((actions?.count ?? 0) - rows.length)
  const twice = rows.filter(({ shown, action }) => shown > 1 || action !== 1).length
  const repeated = [...arrivals.values()].filter(({ length }) => length > 1).length
  const waits = rows.flatMap(({ id, createdAt }) =>
    (arrivals.get(id) ?? []).slice(0, 1).map((atMs) => atMs - createdAt.getTime()),
  )
  report({ name: `events under ${KILLS} kills`, measured: String(rows.length) })
  report({
    name: 'notices lost',
    measured: String(lost),
    target: { text: '0', met: lost === 0 && rows.length === EVENTS },
  })
  report({
    name: 'notices shown twice',
    measured: String(twice),
    target: { text: '0', met: twice === 0 },
  })
  report({ name: 'mails sent again under the same Message-ID', measured: String(repeated) })
  const p95 = percentile(waits, 0.95)
  report({
    name: 'from the event to its mail, p95',
    measured: seconds(p95),
    target: { text: '10 s', met: p95 <= 10_000 },
  })
  report({ name: 'the slowest', measured: seconds(Math.max(...waits)) })
}

async function countNotices(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from notices`
  return row?.count ?? 0
}

export async function addUsers(sql: Sql): Promise<string[]> {
  const users = Array.from({ length: USERS }, () => randomUUID())
  for (const [index, id] of users.entries()) {
    await sql`
      insert into users (id, username, password, email, first_name, last_name, email_verified_at)
      values (${id}, ${`user${index}`}, 'none', ${`user${index}@example.com`}, 'Ada', 'Lovelace',
             now())`
  }
  return users
}

type Kept = { kill: () => void; stop: () => Promise<void> }

/** A process that is restarted whenever it is killed. */
export function keepAlive(order: NoticesOrder): Kept {
  let isWanted = true
  let child: ChildProcess | undefined
  const start = () => {
    if (!isWanted) return
    child = fork(
      fileURLToPath(new URL('notices-process.ts', import.meta.url)),
      [JSON.stringify(order)],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    )
    child.once('exit', start)
  }
  start()
  return {
    kill: () => void child?.kill('SIGKILL'),
    stop: async () => {
      isWanted = false
      child?.kill('SIGKILL')
      await delay(100)
    },
  }
}

export async function waitFor(isDone: () => Promise<boolean>, atMostMs: number): Promise<void> {
  for (const endMs = Date.now() + atMostMs; Date.now() < endMs && !(await isDone());)
    await delay(100)
}
