import MiniSearch from 'minisearch'
import { required } from '#core/assert.ts'
import type { Article } from '#core/help/article.ts'
import { ENGLISH } from '#core/help/english.ts'
import type { Tongue } from '#core/help/tongue.ts'
import type { Found, HelpIndex } from '#core/help/understand.ts'
import { openSpelling } from './spelling.ts'

/** Documents and queries are lists of terms, which MiniSearch joins with commas. */
const BY_TERM = { tokenize: (terms: string) => terms.split(','), processTerm: (term: string) => term }

/** A term in at least this many phrasings is one of the product's own. */
const OWN_TERM_PHRASINGS = 6

/** Reduces the confidence if a question has none of the product's own terms. */
const WITHOUT_OWN_TERMS = 0.6

/** The parts of the confidence: the question's terms that the article has, and its most similar phrasing. */
const SHARES = { coverage: 0.4, similarity: 0.6 }

/** An article as terms. */
type Entry = { id: string; title: string[]; phrasings: string[][]; body: string[] }
type Phrasing = { id: string; articleId: string; terms: string[]; weight: number }

/** The sum of the terms' inverse document frequencies, as in BM25. */
type Weigh = (terms: readonly string[]) => number

/** Ranks articles by MiniSearch's score (BM25) times the similarity of their nearest phrasing. */
export function buildIndex(articles: readonly Article[], tongue: Tongue = ENGLISH): HelpIndex {
  const { termsOf, related, questionTerms } = tongue.vocabulary
  const byId = new Map(articles.map((article) => [article.id, article]))
  const entries = articles.map((article) => entryOf(article, termsOf))
  const bodies = new MiniSearch<Entry>({ ...BY_TERM, fields: ['title', 'phrasings', 'body'] })
  bodies.addAll(entries)
  const counts = countEntries(entries)
  const weigh: Weigh = (terms) => terms.reduce((sum, term) => sum + rarity(counts.get(term) ?? 1, articles.length), 0)
  const phrasings = indexPhrasings(entries, weigh)
  const isOwn = (term: string) => !questionTerms.has(term) && phrasings.search(term).length >= OWN_TERM_PHRASINGS
  const spelling = openSpelling(articles.flatMap(({ title, phrasings: list, body }) => [title, ...list, body]), (term) => counts.has(term), tongue.vocabulary)

  function search(question: string): Found[] {
    const terms = [...new Set(termsOf(spelling.corrected(question)))]
    const query = [...new Set([...terms, ...terms.flatMap((term) => related.get(term) ?? [])])].join(',')
    const weight = weigh(terms)
    const similarities = new Map<string, number>()
    for (const { articleId, weight: own, terms: shared } of phrasings.search(query)) {
      const cosine = Math.min(1, weigh(shared) / Math.sqrt(weight * own))
      similarities.set(articleId, Math.max(cosine, similarities.get(articleId) ?? 0))
    }
    const similarityOf = (id: string) => similarities.get(id) ?? 0
    const trust = terms.some(isOwn) ? 1 : WITHOUT_OWN_TERMS
    return bodies.search(query, { boostDocument: (id: string) => similarityOf(id) ** tongue.emphasis }).map(({ id, terms: shared }) => {
      const coverage = Math.min(1, weigh(shared) / weight)
      const confidence = trust * (SHARES.coverage * coverage + SHARES.similarity * similarityOf(id))
      return { article: required(byId.get(id), 'only articles are indexed'), confidence }
    })
  }
  return { ...spelling, tongue, search }
}

function entryOf({ id, title, phrasings, body }: Article, termsOf: (text: string) => string[]): Entry {
  return { id, title: termsOf(title), phrasings: phrasings.map(termsOf), body: termsOf(body) }
}

/** The number of entries that contain each term. */
function countEntries(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  const terms = entries.flatMap(({ title, phrasings, body }) => [...new Set([...title, ...phrasings.flat(), ...body])])
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Each title and phrasing is a document of its own. */
function indexPhrasings(entries: readonly Entry[], weigh: Weigh): MiniSearch<Phrasing> {
  const index = new MiniSearch<Phrasing>({ ...BY_TERM, fields: ['terms'], storeFields: ['articleId', 'weight'] })
  for (const { id, title, phrasings } of entries) {
    index.addAll([title, ...phrasings].map((terms, place) => ({ id: `${id} ${place}`, articleId: id, terms, weight: weigh([...new Set(terms)]) })))
  }
  return index
}

const rarity = (count: number, all: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5))
