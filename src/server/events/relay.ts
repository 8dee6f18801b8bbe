import { coalesce } from '#server/coalesce.ts'
import type { Sql } from '#server/db/open.ts'
import type { Events, Hearer } from '#server/ports/events.ts'
import { momentNow } from './moment.ts'
import type { Announced } from './nats-message.ts'
import { openSettledPast } from './settled-past.ts'

/** Hands texts to the hearers of this process, each in its place in the order of transactions. */
export type Relay = {
  hear: Events['hear']
  /** False if the text is of another life of the database. */
  hand: (announced: Announced) => boolean
  /** Asks the database for the moment, and begins again from there. */
  begin: () => Promise<void>
  isHeard: () => boolean
}

export function openRelay(sql: Sql): Relay {
  const hearers = new Set<Hearer>()
  let past = openSettledPast()
  let life: string | undefined
  /** Texts that arrive while the database is asked for the moment: it may be before their transactions. */
  let held: Announced[] | undefined
  const hand = (announced: Announced): boolean => {
    if (held !== undefined) return held.push(announced) > 0
    // Numbers of another life of the database say nothing here.
    const isOurs = announced.life === life
    const order = isOurs && { number: announced.number, past: past.note(announced.past, performance.now()) }
    for (const { onText } of hearers) onText({ text: announced.text, ...order })
    return isOurs
  }
  const begin = coalesce(async () => {
    held = []
    try {
      const moments = await momentNow(sql)
      life = moments.past.life
      past = openSettledPast()
      for (const { onGap } of hearers) onGap(moments)
    } finally {
      const texts = held
      held = undefined
      for (const text of texts) hand(text)
    }
  })
  return {
    hear: async (hearer) => {
      hearers.add(hearer)
      await begin('').catch((error: unknown) => {
        hearers.delete(hearer)
        throw error
      })
      return async () => void hearers.delete(hearer)
    },
    hand,
    begin: () => begin(''),
    isHeard: () => hearers.size > 0,
  }
}
