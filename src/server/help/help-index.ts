import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Article } from '#core/help/article.ts'
import { trainClassifier, type Classifier, type Example } from '#core/help/classifier.ts'
import { ENGLISH } from '#core/help/english.ts'
import { openFamiliarity, type Familiarity } from '#core/help/familiarity.ts'
import { featuresOf } from '#core/help/features.ts'
import type { Tongue, Vocabulary } from '#core/help/tongue.ts'
import { ADVICE, OTHER_FIELDS, type HelpIndex, type Search } from '#core/help/understand.ts'
import { openSpelling } from './spelling.ts'
import MiniSearch from 'minisearch'

/**
 * `outside`: subjects that this product lacks; their phrasings train the index to recognize them.
 */
export type Pages = { articles: readonly Article[]; outside: readonly Article[] }

/** Weight of the words shared with an article, relative to the classifier's result. */
const SHARED_WORDS = 2

/**
 * Weights for the likelihood that a question is about this product: fitted by logistic regression
 * on every phrasing of all pages, with five-fold cross-validation. Both kinds of questions have the
 * same total weight, so 0.5 is the middle.
 */
const WEIGHTS = { constant: -1.16, inside: 0.33, terms: 0.59, match: 1.46, strange: -1.62 }

/** Below this share, the subject of a question outside of the product counts as unknown. */
const CLEAR = 0.3

const TEXTS_A_TURN = 50

const SMALLEST_SCORE = 1e-4

type Scored = { label: string; score: number }

/**
 * Ranks articles by a classifier trained on all phrasings, and by the words that they share with
 * the question. The classifier's share for other subjects and the familiarity of the words decide
 * whether the question is about the product. Yields while learning.
 */
export async function buildIndex(
  { articles, outside }: Pages,
  tongue: Tongue = ENGLISH,
): Promise<HelpIndex> {
  const vocabulary = remembering(tongue.vocabulary)
  const pages = [...articles, ...outside]
  const classifier = await learnPhrasings(pages, vocabulary)
  const texts = [...pages.flatMap(questionsOf), ...pages.map(({ body }) => body)]
  const terms = new Set(texts.flatMap(vocabulary.termsOf))
  const spelling = openSpelling(texts, (term) => terms.has(term), vocabulary)
  await nextTurn()
  const inside = [...articles, ...outside.filter(({ id }) => id === ADVICE)]
  const strangers = outside.filter(({ id }) => id !== ADVICE)
  const learned: Learned = {
    ...classifier,
    tongue,
    articles: new Map(articles.map((article) => [article.id, article])),
    insideIds: new Set(inside.map(({ id }) => id)),
    matchesOf: openWordSearch(articles, vocabulary),
    familiarityOf: openFamiliarity(
      {
        inside: inside.flatMap(questionsOf),
        outside: strangers.flatMap(questionsOf),
        pages: inside.flatMap((page) => [...questionsOf(page), page.body]),
      },
      vocabulary,
    ),
  }
  vocabulary.forget()
  return {
    ...spelling,
    tongue,
    search: (question) => searchFor(spelling.corrected(question), learned),
  }
}

/** `insideIds`: the pages about this product. */
type Learned = Classifier & {
  tongue: Tongue
  articles: ReadonlyMap<string, Article>
  insideIds: ReadonlySet<string>
  matchesOf: (question: string) => ReadonlyMap<string, number>
  familiarityOf: (question: string) => Familiarity
}

async function learnPhrasings(
  pages: readonly Article[],
  vocabulary: Vocabulary,
): Promise<Classifier> {
  const questions = pages.flatMap((page) =>
    questionsOf(page).map((text) => ({ text, label: page.id })),
  )
  const examples: Example[] = []
  for (const [place, { text, label }] of questions.entries()) {
    if (place % TEXTS_A_TURN === 0) await nextTurn()
    examples.push({ features: featuresOf(text, vocabulary), label })
  }
  return finish(trainClassifier(examples))
}

function searchFor(
  text: string,
  { tongue, labels, classify, articles, insideIds, matchesOf, familiarityOf }: Learned,
): Search {
  const { vocabulary, threshold } = tongue
  const matches = matchesOf(text)
  const scores = classify(featuresOf(text, vocabulary))
  const ranked = rank(
    labels.map((label, place) => ({
      label,
      score: (scores[place] ?? 0) * Math.exp(SHARED_WORDS * (matches.get(label) ?? 0)),
    })),
  )
  const isInside = ({ label }: Scored): boolean => insideIds.has(label)
  const likely = likelihood({
    share: ranked.filter(isInside).reduce((sum, { score }) => sum + score, 0),
    match: Math.max(0, ...matches.values()),
    ...familiarityOf(text),
  })
  const best = ranked.find((one) => isInside(one) === likely >= threshold)
  const isClear =
    vocabulary.termsOf(text).length > 0 && (likely >= threshold || (best?.score ?? 0) >= CLEAR)
  const subject = isClear ? best?.label : OTHER_FIELDS
  return {
    found: ranked.flatMap(({ label }) => articles.get(label) ?? []),
    likely,
    outside: subject === undefined || articles.has(subject) ? undefined : subject,
  }
}

/** Runs the work in parts, one in each turn of the event loop. */
async function finish<Result>(work: Generator<void, Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Caches the terms of texts until `forget`: building the index needs them several times. */
function remembering(vocabulary: Vocabulary): Vocabulary & { forget: () => void } {
  let terms: Map<string, string[]> | undefined = new Map()
  const termsOf = (text: string): string[] => {
    const known = terms?.get(text) ?? vocabulary.termsOf(text)
    terms?.set(text, known)
    return known
  }
  return { ...vocabulary, termsOf, forget: () => (terms = undefined) }
}

const questionsOf = ({ title, phrasings }: Article): string[] => [title, ...phrasings]

/** Sorts best first, with each score as a share of the sum. */
function rank(scored: readonly Scored[]): Scored[] {
  const total = scored.reduce((sum, { score }) => sum + score, 0)
  return scored
    .map(({ label, score }) => ({ label, score: score / total }))
    .toSorted((a, b) => b.score - a.score)
}

/**
 * Likelihood, 0 to 1, that a question is about the product. `share`: the part of all pages' scores
 * that belongs to pages about the product. `match`: the best article's score.
 */
function likelihood({
  share,
  match,
  terms,
  strange,
}: Familiarity & { share: number; match: number }): number {
  const odds = Math.log((share + SMALLEST_SCORE) / (1 - share + SMALLEST_SCORE))
  return (
    1 /
    (1 +
      Math.exp(
        -(
          WEIGHTS.constant +
          WEIGHTS.inside * odds +
          WEIGHTS.terms * terms +
          WEIGHTS.match * match +
          WEIGHTS.strange * strange
        ),
      ))
  )
}

/** Documents and queries are lists of terms, joined with commas by MiniSearch. */
const BY_TERM = {
  tokenize: (terms: string) => terms.split(','),
  processTerm: (term: string) => term,
}

/** Share of the question's terms anywhere in the article, and in its most similar phrasing. */
const PARTS = { coverage: 0.4, similarity: 0.6 }

type Entry = { id: string; terms: string[] }
type Phrasing = Entry & { articleId: string; weight: number }

/** Scores each article that shares a word with the question, 0 to 1. */
function openWordSearch(
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
  const phrasings = indexPhrasings(articles, weigh, termsOf)
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

function indexPhrasings(
  articles: readonly Article[],
  weigh: (terms: readonly string[]) => number,
  termsOf: Vocabulary['termsOf'],
): MiniSearch<Phrasing> {
  const index = new MiniSearch<Phrasing>({
    ...BY_TERM,
    fields: ['terms'],
    storeFields: ['articleId', 'weight'],
  })
  for (const article of articles)
    index.addAll(
      questionsOf(article)
        .map(termsOf)
        .map((terms, place) => ({
          id: `${article.id} ${place}`,
          articleId: article.id,
          terms,
          weight: weigh([...new Set(terms)]),
        })),
    )
  return index
}

function countEntries(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of entries.flatMap(({ terms }) => [...new Set(terms)]))
    counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Inverse document frequency of BM25. */
const rarity = (count: number, all: number): number =>
  Math.log(1 + (all - count + 0.5) / (count + 0.5))
