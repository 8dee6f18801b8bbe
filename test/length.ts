const isFull = process.env['TEST_LENGTH'] === 'full'

type Lengths = {
  /** In `npm test`, which everybody waits for. */
  usual: number
  /** In `npm run bench -- long`. */
  full: number
}

/** How often a long test repeats what it does. */
export function lengthOf({ usual, full }: Lengths): number {
  return isFull ? full : usual
}

/** A test of full length takes as long as it needs. */
export const LONG_TIMEOUT_MS = isFull ? 7_200_000 : 600_000
