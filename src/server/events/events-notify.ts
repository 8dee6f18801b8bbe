import { listen, NOTIFY_CHANNEL } from '#server/db/listen.ts'
import type { Sql } from '#server/db/open.ts'
import type { Events, ReceivedEvent, EventReceiver } from '#server/ports/events.ts'
import { momentNow } from './moment.ts'

/**
 * Events through the database, delivered in the order of commits. Each listener has its own
 * connection.
 */
export function notifyEvents(sql: Sql): Events {
  const lost = new Set<EventReceiver>()
  return {
    listen: async (receiver) =>
      listen(sql, {
        channel: NOTIFY_CHANNEL,
        onPayload: (payload) => receiver.onText(readPayload(payload)),
        onListening: async (session) => {
          const moments = await momentNow(session)
          lost.delete(receiver)
          receiver.onGap(moments)
        },
        onLost: () => void lost.add(receiver),
      }),
    isConnected: () => lost.size === 0,
  }
}

/** Empty if malformed, such as a payload of another version. */
function readPayload(payload: string): ReceivedEvent {
  const [, number, past, text] = /^(\d+) (\d+) (.*)$/s.exec(payload) ?? []
  return number === undefined || past === undefined || text === undefined
    ? { text: '' }
    : { text, number: BigInt(number), past: BigInt(past) }
}
