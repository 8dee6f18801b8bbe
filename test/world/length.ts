export const isFull = process.env['TEST_LENGTH'] === 'full'

type Lengths<Length> = {
  /** Length in `npm test` and `npm run test:long`. */
  usual: Length
  /** Length with `TEST_LENGTH=full`, before a release. */
  full: Length
}

/** Number of repetitions of a long test, or its cases, for the chosen length. */
export function lengthOf<Length = number>({ usual, full }: Lengths<Length>): Length {
  return isFull ? full : usual
}
