import { listen, NOTIFY_CHANNEL } from '#server/db/listen.ts'
import type { Sql } from '#server/db/open.ts'
import type { Events, Heard, Hearer } from '#server/ports/events.ts'
import { momentNow } from './moment.ts'

/**
 * Events through the database, delivered in the order of commits. Each listener has its own
 * connection.
 */
export function notifyEvents(sql: Sql): Events {
  const lost = new Set<Hearer>()
  return {
    hear: async (hearer) =>
      listen(sql, {
        channel: NOTIFY_CHANNEL,
        onPayload: (payload) => hearer.onText(readPayload(payload)),
        onListening: async (session) => {
          const moments = await momentNow(session)
          lost.delete(hearer)
          hearer.onGap(moments)
        },
        onLost: () => void lost.add(hearer),
      }),
    isConnected: () => lost.size === 0,
  }
}

/** Empty if malformed, such as a payload of another version. */
function readPayload(payload: string): Heard {
  const [, number, past, text] = /^(\d+) (\d+) (.*)$/s.exec(payload) ?? []
  return number === undefined || past === undefined || text === undefined
    ? { text: '' }
    : { text, number: BigInt(number), past: BigInt(past) }
}
