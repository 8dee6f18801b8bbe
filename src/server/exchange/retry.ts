/** Never sooner than this after the last attempt: no exchange is asked for a connection more than once a second. */
export const RETRY_FLOOR_MS = 1_000
const RETRY_CEILING_MS = 30_000

/**
 * How long to wait after `failures` in a row, milliseconds: anywhere between a second and a bound that doubles up to half a minute, so that
 * many clients of an exchange that comes back do not all come at once. `random` is in [0, 1).
 */
export function retryDelayMs({ failures, random }: { failures: number; random: number }): number {
  const boundMs = Math.min(RETRY_CEILING_MS, RETRY_FLOOR_MS * 2 ** Math.min(failures, 10))
  return RETRY_FLOOR_MS + random * (boundMs - RETRY_FLOOR_MS)
}
