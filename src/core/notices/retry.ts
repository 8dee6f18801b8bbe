/** Spread over about two days. */
const MOST_ATTEMPTS = 24

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 4 * 3_600_000

/** The wait after `attempts` failed attempts; undefined to give up. */
export function deliveryRetryMs(attempts: number): number | undefined {
  return attempts >= MOST_ATTEMPTS
    ? undefined
    : Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS)
}
