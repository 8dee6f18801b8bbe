/** Number of items at the end of `before` with which `after` starts. */
export function overlap(before: readonly string[], after: readonly string[]): number {
  const longest = Math.min(before.length, after.length)
  for (let count = longest; count > 0; count -= 1) {
    if (before.slice(-count).every((item, place) => item === after[place])) return count
  }
  return 0
}
