/**
 * Messages of different processes arrive in any order, but each soon after its commit, or its lack is noticed as a gap. So the messages of
 * transactions that had ended this long ago have all been heard: longer than a message may wait for its commit, a silent process counts as alive,
 * and a beat takes, together.
 */
export const SETTLED_AFTER_MS = 15_000

/** The transaction below which all messages were heard, from what each message knows of transactions that had ended. */
export type SettledPast = { note: (past: bigint, nowMs: number) => bigint }

export function openSettledPast(): SettledPast {
  let settled = 0n
  let waiting: { past: bigint; sinceMs: number } | undefined
  return {
    note: (past, nowMs) => {
      if (waiting !== undefined && nowMs - waiting.sinceMs < SETTLED_AFTER_MS) return settled
      if (waiting !== undefined) settled = waiting.past
      waiting = { past, sinceMs: nowMs }
      return settled
    },
  }
}
