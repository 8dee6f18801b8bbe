import { EVENT_NAMES } from '#contract/events.ts'
import type { Moment } from '#server/ports/events.ts'
import type { AppEvent } from './bus.ts'

const MOST_EVENTS = 1_000

/** The latest events, for browsers whose page is rendered but whose stream is not open yet. */
export type Memory = {
  /** Drops events before `moment`. From then on, all events must be noted. */
  begin: (moment: Moment) => void
  /** Stores an event. `number`: of the transaction that published it. */
  note: (event: AppEvent, number: bigint) => void
  /**
   * Events of transactions that a reader at `moment` may not have seen. If some of them are no
   * longer stored: one event of each kind, and the last prices.
   */
  since: (moment: Moment) => readonly AppEvent[]
}

export function openMemory(): Memory {
  let remembered: { number: bigint; event: AppEvent }[] = []
  let life: string | undefined
  let completeFrom = 0n
  return {
    begin: (moment) => {
      life = moment.life
      completeFrom = moment.number
      remembered = remembered
        .filter(({ event }) => event.name === 'prices')
        .map(({ event }) => ({ event, number: moment.number }))
    },
    note: (event, number) => {
      // Only the latest prices are kept.
      if (event.name === 'prices')
        remembered = remembered.filter((other) => other.event.name !== 'prices')
      remembered.push({ number, event })
      if (remembered.length <= MOST_EVENTS) return
      const forgotten = remembered.shift()
      if (forgotten !== undefined && forgotten.number >= completeFrom)
        completeFrom = forgotten.number + 1n
    },
    since: (moment) => {
      if (moment.life === life && moment.number >= completeFrom)
        return remembered.filter(({ number }) => number >= moment.number).map(({ event }) => event)
      const prices = remembered.map(({ event }) => event).filter(({ name }) => name === 'prices')
      return [
        ...EVENT_NAMES.filter((name) => name !== 'prices').map((name) => ({ name })),
        ...prices,
      ]
    },
  }
}
