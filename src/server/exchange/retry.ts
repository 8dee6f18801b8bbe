/** Minimum delay: no exchange gets more than one connection attempt per second. */
export const RETRY_FLOOR_MS = 1_000
const RETRY_CEILING_MS = 30_000

/**
 * Delay after `failures` in a row, in milliseconds: random between one second and a bound that
 * doubles up to half a minute, so that the clients of a recovering exchange do not all return at
 * once. `random` is in [0, 1).
 */
export function retryDelayMs({ failures, random }: { failures: number; random: number }): number {
  const boundMs = Math.min(RETRY_CEILING_MS, RETRY_FLOOR_MS * 2 ** Math.min(failures, 10))
  return RETRY_FLOOR_MS + random * (boundMs - RETRY_FLOOR_MS)
}
