export const isFull = process.env['TEST_LENGTH'] === 'full'

type Lengths<Length> = {
  /** Length in `npm test` and `npm run test:long`. */
  usual: Length
  /** Length with `TEST_LENGTH=full`, before a release. */
  full: Length
}

/** How often a long test repeats its steps, or which of them it runs. */
export function lengthOf<Length = number>({ usual, full }: Lengths<Length>): Length {
  return isFull ? full : usual
}
