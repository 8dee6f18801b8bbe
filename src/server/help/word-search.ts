import MiniSearch from 'minisearch'
import type { Article } from '#core/help/article.ts'
import type { Vocabulary } from '#core/help/tongue.ts'

/** Documents and queries are lists of terms, which MiniSearch joins with commas. */
const BY_TERM = {
  tokenize: (terms: string) => terms.split(','),
  processTerm: (term: string) => term,
}

/**
 * The parts of a match: the question's terms that the article has anywhere, and those of its most
 * similar phrasing.
 */
const PARTS = { coverage: 0.4, similarity: 0.6 }

type Entry = { id: string; terms: string[] }
type Phrasing = Entry & { articleId: string; weight: number }

/**
 * Searches the articles by their words: how well each one that shares a word matches a question,
 * from 0 to 1.
 */
export function openWordSearch(
  articles: readonly Article[],
  { termsOf, related }: Vocabulary,
): (question: string) => ReadonlyMap<string, number> {
  const entries = articles.map(({ id, title, phrasings, body }): Entry => ({
    id,
    terms: [title, ...phrasings, body].flatMap(termsOf),
  }))
  const counts = countEntries(entries)
  const weigh = (terms: readonly string[]) =>
    terms.reduce((sum, term) => sum + rarity(counts.get(term) ?? 1, articles.length), 0)
  const bodies = new MiniSearch<Entry>({ ...BY_TERM, fields: ['terms'] })
  bodies.addAll(entries)
  const phrasings = new MiniSearch<Phrasing>({
    ...BY_TERM,
    fields: ['terms'],
    storeFields: ['articleId', 'weight'],
  })
  for (const { id, title, phrasings: list } of articles) {
    const lists = [title, ...list].map(termsOf)
    phrasings.addAll(
      lists.map((terms, place) => ({
        id: `${id} ${place}`,
        articleId: id,
        terms,
        weight: weigh([...new Set(terms)]),
      })),
    )
  }
  return (question) => {
    const terms = [...new Set(termsOf(question))]
    const query = [
      ...new Set([...terms, ...terms.flatMap((term) => related.get(term) ?? [])]),
    ].join(',')
    const weight = weigh(terms)
    const similarities = new Map<string, number>()
    for (const { articleId, weight: own, terms: shared } of phrasings.search(query)) {
      const cosine = Math.min(1, weigh(shared) / Math.sqrt(weight * own))
      similarities.set(articleId, Math.max(cosine, similarities.get(articleId) ?? 0))
    }
    const matchOf = (id: string, shared: readonly string[]) =>
      PARTS.coverage * Math.min(1, weigh(shared) / weight) +
      PARTS.similarity * (similarities.get(id) ?? 0)
    return new Map(
      bodies
        .search(query)
        .map(({ id, terms: shared }) => [String(id), matchOf(String(id), shared)]),
    )
  }
}

/** The number of entries that contain each term. */
function countEntries(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of entries.flatMap(({ terms }) => [...new Set(terms)]))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** The inverse document frequency of BM25. */
const rarity = (count: number, all: number): number =>
  Math.log(1 + (all - count + 0.5) / (count + 0.5))
