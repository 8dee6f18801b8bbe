/**
 * A moment in the order of the database's transactions, so that no two machines' clocks are
 * compared. Transactions below `number` had ended by then. Numbers belong to one life of the
 * database: after a restart or with a promoted standby in its place they cannot be compared.
 */
export type Moment = { life: string; number: bigint }

/**
 * `past`: commits below it are visible to all reads from now on. `next`: transactions from it on
 * begin after now.
 */
export type Moments = { past: Moment; next: Moment }

/**
 * A received text. `number`: of the transaction that sent it. Transactions below `past` had ended
 * by then, and all their texts were received. Without both, its place in the order is unknown.
 */
export type ReceivedEvent = { text: string; number?: bigint; past?: bigint }

export type EventReceiver = {
  onText: (event: ReceivedEvent) => void
  /**
   * Called at the beginning and after each gap: earlier texts may be lost, all later ones are
   * received.
   */
  onGap: (moments: Moments) => void
}

/** Port: sends events between the processes of one database. */
export type Events = {
  /** Listens until the returned function is called. Throws if the first connection fails. */
  listen: (receiver: EventReceiver) => Promise<() => Promise<void>>
  /** False while texts may be lost; the next gap ends that. */
  isConnected: () => boolean
}
