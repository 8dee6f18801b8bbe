import type { Announce, Outcome, Queries } from '#server/db/statement.ts'
import { newId } from '#server/ids.ts'
import { LIFE } from './moment.ts'
import { writeMessage } from './nats-message.ts'

/** A text that waits longer for its commit is left out: hearers would count its transaction as heard of. */
export const LATE_MS = 5_000

/** The messages of this process. A text that is left out is counted all the same: the next beat shows all hearers that something is missing. */
export type Outgoing = {
  announce: Announce
  beat: () => string
  /** Undefined while a transaction is open that has announced something: then the end is no orderly one. */
  goodbye: () => string | undefined
}

type Stamp = { life: string; number: string; past: string }

export function openOutgoing(send: (message: string) => void): Outgoing {
  const publisher = newId()
  let count = 0
  let waiting = 0
  const sendAll = (texts: readonly string[], { life, number, past }: Stamp) => {
    for (const text of texts) send(writeMessage({ publisher, count: (count += 1), kind: 'text', life, number: BigInt(number), past: BigInt(past), text }))
  }
  return {
    announce: async (sql, texts) => {
      const sinceMs = performance.now()
      const stamp = await stampOf(sql)
      if (sql.whenOver === undefined) return sendAll(texts, stamp)
      waiting += 1
      sql.whenOver((outcome: Outcome) => {
        waiting -= 1
        if (outcome === 'undone') return
        if (outcome === 'committed' && performance.now() - sinceMs < LATE_MS) sendAll(texts, stamp)
        else count += 1
      })
    },
    beat: () => writeMessage({ publisher, count, kind: 'beat' }),
    goodbye: () => (waiting === 0 ? writeMessage({ publisher, count, kind: 'goodbye' }) : undefined),
  }
}

async function stampOf(sql: Queries): Promise<Stamp> {
  const [stamp] = await sql<Stamp[]>`
    select ${LIFE}::text as life, pg_current_xact_id()::text as number, pg_snapshot_xmin(pg_current_snapshot())::text as past`
  return stamp as Stamp
}
