import { listen, NOTIFY_CHANNEL } from '#server/db/listen.ts'
import type { Sql } from '#server/db/open.ts'
import type { Events, Heard, Hearer } from '#server/ports/events.ts'
import { momentNow } from './moment.ts'

/**
 * Events through the database itself, which delivers them with the commit and in its order. Each
 * hearer has a session of its own.
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

/** Empty for what this version did not write. */
function readPayload(payload: string): Heard {
  const [, number, past, text] = /^(\d+) (\d+) (.*)$/s.exec(payload) ?? []
  return number === undefined || past === undefined || text === undefined
    ? { text: '' }
    : { text, number: BigInt(number), past: BigInt(past) }
}
