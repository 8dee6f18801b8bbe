import type { TrackRecord } from '#core/record/track-record.ts'

/** The track record of this book, extended hour by hour on request. */
export type RecordKeeper = {
  /**
   * The record, after waiting at most `withinMs` until it is extended to the last settled hour;
   * undefined while its past is still being read.
   */
  soon: (withinMs: number) => Promise<TrackRecord | 'failed' | undefined>
  /** Whether the record has been read, so that a request can be answered at once. */
  isReady: () => boolean
  stop: () => void
}
