/**
 * Values of an Accept header in lower case: accepted ones best first, and those refused by `q=0`.
 * Source: RFC 9110, 12.4.2.
 */
export function byQuality(header = ''): { accepted: string[]; refused: string[] } {
  const values = header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === '' ? [] : [{ name, quality: qualityOf(parameters) }]
  })
  const accepted = values
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return {
    accepted: accepted.map(({ name }) => name),
    refused: values.filter(({ quality }) => quality <= 0).map(({ name }) => name),
  }
}

/** Default 1. A malformed quality counts as the lowest one above 0. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  if (given === undefined) return 1
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0.001
}

/**
 * Whether the header accepts a value. The value's own entry decides, else the first of `wider` in
 * the header. `wider`: patterns that match the value, narrowest first.
 */
export function accepts(
  header: string | undefined,
  name: string,
  wider: readonly string[] = [],
): boolean {
  const { accepted, refused } = byQuality(header)
  for (const entry of [name, ...wider]) {
    if (refused.includes(entry)) return false
    if (accepted.includes(entry)) return true
  }
  return false
}
