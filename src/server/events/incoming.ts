import type { FastifyBaseLogger } from 'fastify'
import type { Sql } from '#server/db/open.ts'
import type { Events } from '#server/ports/events.ts'
import { readMessage } from './nats-message.ts'
import { watchPublishers } from './publishers.ts'
import { openRelay } from './relay.ts'

/** Longer than a beat takes: after a lost connection all processes have been heard by then, and everybody asks again once. */
const GATHER_MS = 1_500

/** The messages of all processes. Whenever something may be missing, the hearers learn of a gap. */
export type Incoming = {
  hear: Events['hear']
  onMessage: (written: string) => void
  noteGap: () => void
  /** Looks for processes that fell silent; called with each beat. */
  watch: () => void
  stop: () => void
}

export function openIncoming({ sql, log }: { sql: Sql; log: Pick<FastifyBaseLogger, 'warn'> }): Incoming {
  const publishers = watchPublishers()
  const relay = openRelay(sql)
  let gathering: ReturnType<typeof setTimeout> | undefined
  const noteGap = () => {
    if (!relay.isHeard()) return
    gathering ??= setTimeout(() => {
      gathering = undefined
      log.warn('Events may have been missed: all open pages ask again')
      // While the database does not answer, pages cannot ask either.
      relay.begin().catch(noteGap)
    }, GATHER_MS).unref()
  }
  return {
    hear: relay.hear,
    onMessage: (written) => {
      const message = readMessage(written)
      if (message === undefined) return noteGap()
      const isNext = publishers.note({ ...message, isBeat: message.kind !== 'text' }, performance.now())
      if (message.kind === 'goodbye') publishers.leave(message.publisher)
      const isOurs = message.kind !== 'text' || relay.hand(message)
      if (!isNext || !isOurs) noteGap()
    },
    noteGap,
    watch: () => {
      if (publishers.forgetSilent(performance.now())) noteGap()
    },
    stop: () => clearTimeout(gathering),
  }
}
