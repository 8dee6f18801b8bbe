/**
 * Between the middles of two marks, and from the first or last one to its edge: as wide as a mark,
 * in the unit that large text enlarges.
 */
const STEP_REM = 1.5

/**
 * Where a mark stands, as a CSS length: at `share` of the width, but within the edges, with room
 * for the marks before and after it. Otherwise two marks near an edge would overlap at a large text
 * size.
 */
export function placeOf({
  share,
  index,
  count,
}: {
  share: number
  index: number
  count: number
}): string {
  return (
    `clamp(${STEP_REM * (index + 1)}rem, ${share * 100}%, 100% - ` +
    `${STEP_REM * (count - index)}rem)`
  )
}
