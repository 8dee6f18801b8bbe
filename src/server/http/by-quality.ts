/**
 * The values of an Accept header in lower case, best first, without those that it refuses (`q=0`),
 * and those that it does. Source: RFC 9110, 12.4.2.
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

/** 1 where none is given; one that cannot be read counts as the worst that is still accepted. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  if (given === undefined) return 1
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0.001
}

/**
 * Whether the header accepts a value: its own entry decides, else the first of `wider` that the
 * header names, from the narrowest on.
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
