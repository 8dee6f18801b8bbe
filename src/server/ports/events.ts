/**
 * A moment in the order of the database's transactions, so that no two machines' clocks are
 * compared. Transactions below `number` had ended by then. Numbers belong to one life of the
 * database: after a restart or with a promoted standby in its place they cannot be compared.
 */
export type Moment = { life: string; number: bigint }

/**
 * `past`: what was committed below it is seen by everything read from now on. `next`: every
 * transaction from there on begins after now.
 */
export type Moments = { past: Moment; next: Moment }

/**
 * A text as it is heard. `number` is that of the transaction that made it; transactions below
 * `past` had ended by then, and all their texts were heard. Without them its place in the order is
 * not known.
 */
export type Heard = { text: string; number?: bigint; past?: bigint }

export type Hearer = {
  onText: (heard: Heard) => void
  /**
   * Texts until now may be lost, and all from here on are heard: at the beginning, and after each
   * gap.
   */
  onGap: (moments: Moments) => void
}

/** Port: how events travel between the processes of one database. */
export type Events = {
  /**
   * Hears until the returned function is called. Throws if the database does not answer at the
   * beginning.
   */
  hear: (hearer: Hearer) => Promise<() => Promise<void>>
  /** False while nothing may be heard. A gap ends it. */
  isConnected: () => boolean
}
