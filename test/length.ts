export const isFull = process.env['TEST_LENGTH'] === 'full'

type Lengths<Length> = {
  /** In `npm test` and `npm run test:long`. */
  usual: Length
  /** With `TEST_LENGTH=full`, before a release. */
  full: Length
}

/** How often a long test repeats what it does, or what of it. */
export function lengthOf<Length = number>({ usual, full }: Lengths<Length>): Length {
  return isFull ? full : usual
}
