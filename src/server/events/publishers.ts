/** A process that beats every second and was not heard for so long without a goodbye may have died between a commit and its message. */
export const SILENT_MS = 5_000

/**
 * The processes that send. Each counts its messages from 1 and repeats its count in every beat, so that a hearer finds what is missing, though
 * no message has a position in a stream. Times are of this process's own clock, in milliseconds.
 */
export type Publishers = {
  /** Notes a message, whose number it is, or a beat with the count so far. False if something before it was not heard. */
  note: (message: Noted, nowMs: number) => boolean
  /** It has said goodbye: its silence means nothing. */
  leave: (publisher: string) => void
  /** Forgets those that fell silent. True if there are any. */
  forgetSilent: (nowMs: number) => boolean
}

type Noted = { publisher: string; count: number; isBeat: boolean }

export function watchPublishers(): Publishers {
  const known = new Map<string, { count: number; heardMs: number }>()
  const isSilent = ({ heardMs }: { heardMs: number }, nowMs: number) => nowMs - heardMs > SILENT_MS
  return {
    note: ({ publisher, count, isBeat }, nowMs) => {
      const before = known.get(publisher)
      known.set(publisher, { count, heardMs: nowMs })
      // A process begins with a beat and the count 0. One that was forgotten is heard as if it were unknown.
      const heard = before === undefined || isSilent(before, nowMs) ? 0 : before.count
      return count === heard + (isBeat ? 0 : 1)
    },
    leave: (publisher) => void known.delete(publisher),
    forgetSilent: (nowMs) => {
      const silent = [...known].filter(([, one]) => isSilent(one, nowMs))
      for (const [publisher] of silent) known.delete(publisher)
      return silent.length > 0
    },
  }
}
