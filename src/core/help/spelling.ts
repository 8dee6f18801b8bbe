/** Shorter words are too easily turned into one another. */
const SHORTEST = 5
/** Words of this length may be wrong in two places. */
const LONG = 8

/** The word of `vocabulary` that `word` was probably meant to be: one slip, or two in a long word. Undefined where none is near. */
export function nearestWord(word: string, vocabulary: Iterable<string>): string | undefined {
  if (word.length < SHORTEST - 1 || /\d/.test(word)) return undefined
  const allowed = word.length >= LONG ? 2 : 1
  let best: { known: string; slips: number } | undefined
  for (const known of vocabulary) {
    if (known[0] !== word[0] || known.length < SHORTEST - 1 || Math.abs(known.length - word.length) > allowed) continue
    const slips = slipsBetween({ word, known })
    const isNearer = best === undefined || slips < best.slips || (slips === best.slips && known < best.known)
    if (slips <= allowed && isNearer) best = { known, slips }
  }
  return best?.known
}

/**
 * Letters to insert, take out, replace, or swap with their neighbour to make one word from the other.
 * Source: the restricted Damerau-Levenshtein distance (optimal string alignment).
 */
export function slipsBetween({ word, known }: { word: string; known: string }): number {
  const rows: number[][] = [Array.from({ length: known.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= word.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= known.length; j += 1) {
      const cost = word[i - 1] === known[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && word[i - 1] === known[j - 2] && word[i - 2] === known[j - 1]
      const swap = swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + cost, swap))
    }
    rows.push(row)
  }
  return rows[word.length]?.[known.length] ?? 0
}
