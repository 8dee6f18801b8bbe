import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '#server/db/open.ts'
import { newWebhookSecret } from '#server/notices/send-webhook.ts'
import { RECEIVER, startWebhookReceiver } from '../test/emulators/webhook-receiver.ts'
import { withDatabase } from './database.ts'
import { addUsers, keepAlive, waitFor } from './notices.ts'
import { report } from './report.ts'

/**
 * Notices to webhooks whose sender is killed all the time: one process writes events, another sends
 * them over TLS, and dies by SIGKILL every few seconds.
 */

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000)
const KILLS = Number(process.env['BENCH_KILLS'] ?? 50)
const EVENTS_A_SECOND = 100
const PATIENCE_MS = 120_000

export async function run(): Promise<void> {
  await withDatabase(async ({ sql }, databaseUrl) => {
    const receiver = await startWebhookReceiver()
    const users = await addUsers(sql)
    await addWebhooks(sql, users)
    const order = { databaseUrl, users, events: EVENTS, eventsASecond: EVENTS_A_SECOND }
    const writer = keepAlive({ ...order, role: 'write' })
    const sender = keepAlive({ ...order, role: 'deliver', receiverPort: receiver.port })
    const spanMs = (EVENTS / EVENTS_A_SECOND) * 1_000
    for (let kill = 0; kill < KILLS; kill += 1) {
      await delay(spanMs / KILLS)
      sender.kill()
    }
    await waitFor(async () => (await countDone(sql)) >= EVENTS, PATIENCE_MS)
    await Promise.all([writer.stop(), sender.stop()])
    await tell(
      sql,
      receiver.received.map(({ headers }) => headers['webhook-id'] ?? ''),
    )
    await receiver.close()
  })
}

async function addWebhooks(sql: Sql, users: readonly string[]): Promise<void> {
  const config = { SESSION_SECRET: 'x'.repeat(32) } as Parameters<
    typeof newWebhookSecret
  >[0]['config']
  for (const userId of users) {
    const { secretSealed } = newWebhookSecret({ config }, userId)
    await sql`
      insert into webhooks (user_id, id, address, topics, secret_sealed)
      values (${userId}, ${randomUUID()}, ${`${RECEIVER}/${userId}`}, '{deposits}',
             ${secretSealed})`
  }
}

async function countDone(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from deliveries where channel = 'webhook' and state = 'sent'`
  return row?.count ?? 0
}

async function tell(sql: Sql, arrivals: readonly string[]): Promise<void> {
  const rows = await sql<{ id: string; state: string }[]>`
    select 'msg_' || replace(id::text, '-', '') as id, state from deliveries
     where channel = 'webhook'`
  const received = new Set(arrivals)
  const known = new Set(rows.map(({ id }) => id))
  const lost = rows.filter(({ id, state }) => !received.has(id) || state !== 'sent').length
  const strange = [...received].filter((id) => !known.has(id)).length + rows.length - EVENTS
  report({ name: `messages to webhooks under ${KILLS} kills`, measured: String(rows.length) })
  report({
    name: 'messages lost',
    measured: String(lost),
    target: { text: '0', met: lost === 0 && rows.length === EVENTS },
  })
  report({
    name: 'events under two ids',
    measured: String(strange),
    target: { text: '0', met: strange === 0 },
  })
  report({
    name: 'messages sent again under the same id',
    measured: String(arrivals.length - received.size),
  })
}
