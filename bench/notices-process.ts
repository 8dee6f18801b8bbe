import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { readConfig } from '#server/settings/config.ts'
import { writeAudit } from '#server/security/audit.ts'
import type { OpenBook } from '#server/db/book.ts'
import { checkBook } from '#server/db/check-book.ts'
import { openDatabase } from '#server/db/open.ts'
import { newId } from '#server/kernel/ids.ts'
import { deliverNotices } from '#server/notices/deliver.ts'
import { notify } from '#server/notices/notify.ts'
import { httpsWebhooks } from '#server/notices/webhook-https.ts'
import { openContext } from '#server/open-context.ts'
import { LoopbackAgent } from '../test/emulators/push-service.ts'

export type NoticesOrder = {
  role: 'write' | 'deliver'
  databaseUrl: string
  smtpUrl?: string
  /** Sends to webhooks; their receiver is on this port of loopback. */
  receiverPort?: number
  users: readonly string[]
  events: number
  eventsASecond: number
}

/** One of the bench's processes. Ends with its parent. */
const order = JSON.parse(process.argv[2] ?? '') as NoticesOrder
process.on('disconnect', () => process.exit())

const config = readConfig({
  SESSION_SECRET: 'x'.repeat(32),
  ...(order.smtpUrl !== undefined && {
    SMTP_URL: order.smtpUrl,
    MAIL_FROM: 'bots@bots.example',
  }),
})

/**
 * Writes a dozen at a time, at a steady pace. A restarted writer repeats the last events, because
 * it does not know whether its last commit arrived.
 */
async function writeEvents(book: OpenBook): Promise<void> {
  const [row] = await book.sql<
    { written: number }[]
  >`select count(*)::integer as written from notices`
  const from = Math.max(0, (row?.written ?? 0) - AT_ONCE * 2)
  const begunMs = Date.now()
  for (let number = from; number < order.events; number += AT_ONCE) {
    await delay(Math.max(0, begunMs + ((number - from) / order.eventsASecond) * 1_000 - Date.now()))
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, order.events - number) }, (_, index) =>
        writeEvent(book, number + index),
      ),
    )
  }
}

const AT_ONCE = 12

/**
 * Writes an event and its notice in one transaction, as an action of the product does; the event
 * here is a row of the audit trail.
 */
async function writeEvent({ atomically }: OpenBook, number: number): Promise<void> {
  const userId = order.users[number % order.users.length] ?? ''
  const event = `bench:${number}`
  await atomically(async (tx) => {
    await notify(tx.sql, { userId, kind: 'deposit', event, details: { amount: `${number}.00` } })
    const done = await tx.sql`select from audit_events where subject = ${event}`
    if (done.length === 0)
      await writeAudit(tx, {
        id: newId(),
        actor: 'system',
        action: 'bench',
        subject: event,
        details: {},
      })
  })
}

async function deliverForEver(book: OpenBook): Promise<void> {
  const { receiverPort: port } = order
  const channel = port === undefined ? 'mail' : 'webhook'
  const context = openContext({
    ...book,
    config,
    log: pino({ level: 'error' }),
    ...(port !== undefined && { webhook: httpsWebhooks({ agent: new LoopbackAgent(port) }) }),
  })
  for (;;) {
    await deliverNotices(context, channel)
    await delay(500)
  }
}

const sql = await openDatabase(order.databaseUrl, { poolSize: 10 })
const book = await checkBook(sql, config)
if (order.role === 'deliver') await deliverForEver(book)
else await writeEvents(book)
