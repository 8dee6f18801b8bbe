/** A reason without its prices in parentheses; empty if prices remain. */
export function withoutDollars(reason: string): string {
  const bare = reason.replaceAll(/ \([^)]*\$[^)]*\)/g, '')
  return bare.includes('$') ? '' : bare
}
