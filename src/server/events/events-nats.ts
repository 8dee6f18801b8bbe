import type { FastifyBaseLogger } from 'fastify'
import type { Sql } from '#server/db/open.ts'
import type { NatsAddress } from '#server/nats-address.ts'
import type { Events } from '#server/ports/events.ts'
import { openIncoming } from './incoming.ts'
import { openLink } from './nats-link.ts'
import { openOutgoing } from './outgoing.ts'

const BEAT_MS = 1_000

type NatsOptions = { address: NatsAddress; sql: Sql; log: Pick<FastifyBaseLogger, 'info' | 'warn'> }

/**
 * Events through a NATS server, without its storage. A text is sent when its transaction has committed; a process that dies in between, a message
 * that is lost and a connection that breaks are noticed by those who hear, and everybody asks again (decision 062).
 */
export async function natsEvents({ address, sql, log }: NatsOptions): Promise<Events> {
  const outgoing = openOutgoing((message) => link.send(message))
  const incoming = openIncoming({ sql, log })
  const link = await openLink({ address, subject: await subjectOf(sql), greeting: outgoing.beat, onMessage: incoming.onMessage, onOpen: incoming.noteGap, log })
  const beating = setInterval(() => {
    link.send(outgoing.beat())
    incoming.watch()
  }, BEAT_MS)
  beating.unref()
  return {
    announce: outgoing.announce,
    hear: incoming.hear,
    isConnected: link.isOpen,
    stop: async () => {
      clearInterval(beating)
      incoming.stop()
      const goodbye = outgoing.goodbye()
      if (goodbye !== undefined) link.send(goodbye)
      await link.stop()
    },
  }
}

/** Processes of one database hear each other, and no copy of it elsewhere: their transactions have the same numbers. A promoted standby stays the same. */
async function subjectOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ subject: string }[]>`
    select 'trading-bot.' || system_identifier || '.' || (select oid from pg_database where datname = current_database()) as subject
      from pg_control_system()`
  return row?.subject ?? ''
}
