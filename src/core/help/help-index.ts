import type { Article } from './article.ts'
import { plainText } from './plain-text.ts'
import { nearestWord } from './spelling.ts'
import { isSpelled, RELATED, termOf, termsOf } from './words.ts'

/**
 * An article that was found. `score` orders; `confidence` (0 to 1) says how much of the question it speaks about, and counts for less in
 * a question without a single word of the product's own.
 */
export type Found = { article: Article; score: number; confidence: number }

/** Everything that is computed once about all articles. */
export type HelpIndex = {
  entries: readonly Entry[]
  rarity: ReadonlyMap<string, number>
  rarest: number
  /** Every word of the articles as it is written there: what a slip may be corrected to. */
  spellings: ReadonlySet<string>
  /** Words that many phrasings share: they tell that a question is about this product at all. */
  anchors: ReadonlySet<string>
}

type Entry = { article: Article; frequencies: ReadonlyMap<string, number>; length: number; phrasings: readonly ReadonlySet<string>[] }

/** How much a word counts by where it stands. */
const WEIGHTS = { title: 3, phrasing: 1, body: 0.5 }

/** Saturation and length normalisation. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), usual values. */
const BM25 = { k1: 1.2, b: 0.4 }

/** What the likeness to the nearest phrasing counts beside BM25, both between 0 and 1. */
const PHRASING_SHARE = 1.2

/** What a related word counts beside one that was typed. */
const RELATED_SHARE = 0.6

/** How far a question without the product's own words is believed. */
const ANCHORLESS = 0.6

export function buildIndex(articles: readonly Article[]): HelpIndex {
  const entries = articles.map(entryOf)
  const documents = new Map<string, number>()
  for (const { frequencies } of entries) {
    for (const term of frequencies.keys()) documents.set(term, (documents.get(term) ?? 0) + 1)
  }
  const rarityOf = (count: number) => Math.log(1 + (entries.length - count + 0.5) / (count + 0.5))
  const rarity = new Map([...documents].map(([term, count]) => [term, rarityOf(count)]))
  const spellings = new Set(articles.flatMap(({ title, phrasings, body }) => wordsIn([title, ...phrasings, body].join(' '))))
  return { entries, rarity, rarest: rarityOf(1), spellings, anchors: anchorsOf(entries) }
}

const wordsIn = (text: string): string[] => plainText(text).match(/[a-z]+/g) ?? []

/** Phrasings that must share a word before it counts as the product's own. */
const ANCHOR_PHRASINGS = 6

function anchorsOf(entries: readonly Entry[]): Set<string> {
  const uses = new Map<string, number>()
  for (const term of entries.flatMap(({ phrasings }) => phrasings.flatMap((phrasing) => [...phrasing]))) uses.set(term, (uses.get(term) ?? 0) + 1)
  return new Set([...uses].filter(([term, count]) => count >= ANCHOR_PHRASINGS && !ASKING.has(term)).map(([term]) => term))
}

/** Words of asking, which every subject shares. */
const ASKING = new Set(
  'how why when wher long much many work mean us first happen up see tim nam number too back new phon enter wrong hid total add all test stop real light'.split(' '),
)

/** The question with slips corrected to words that the articles use. */
export function corrected(index: HelpIndex, question: string): string {
  return plainText(question).replaceAll(/[a-z]+/g, (word) => (isKnownWord(index, word) ? word : (nearestWord(word, index.spellings) ?? word)))
}

function entryOf(article: Article): Entry {
  const frequencies = new Map<string, number>()
  const count = (text: string, weight: number) => {
    for (const term of termsOf(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight)
  }
  count(article.title, WEIGHTS.title)
  for (const phrasing of article.phrasings) count(phrasing, WEIGHTS.phrasing)
  count(article.body, WEIGHTS.body)
  const length = [...frequencies.values()].reduce((sum, frequency) => sum + frequency, 0)
  const phrasings = [article.title, ...article.phrasings].map((phrasing) => new Set(termsOf(phrasing)))
  return { article, frequencies, length, phrasings }
}

/** Whether the articles know the word, as it is typed. */
export function isKnownWord({ rarity, spellings }: HelpIndex, word: string): boolean {
  return spellings.has(word) || isSpelled(word) || termOf(word).every((term) => rarity.has(term))
}

/** The articles, best first, only those that share a word with the question. */
export function search(index: HelpIndex, question: string): Found[] {
  const asked = askedTerms(index, question)
  const mass = [...asked.values()].reduce((sum, { weight, counts }) => sum + (counts ? weight : 0), 0)
  if (mass === 0) return []
  const trust = [...asked].some(([term, { counts }]) => counts && index.anchors.has(term)) ? 1 : ANCHORLESS
  const meanLength = index.entries.reduce((sum, { length }) => sum + length, 0) / index.entries.length
  const found = index.entries.map((entry) => {
    const likeness = Math.max(...entry.phrasings.map((phrasing) => likenessOf({ index, asked, phrasing, mass })))
    const score = bm25({ entry, asked, meanLength }) / mass + PHRASING_SHARE * likeness
    return { article: entry.article, score, confidence: trust * (0.5 * coverageOf({ entry, asked, mass }) + 0.5 * likeness) }
  })
  return found.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score || (a.article.id < b.article.id ? -1 : 1))
}

/** `counts` is false for words that were only brought to mind: they help, and their absence does no harm. */
type Asked = ReadonlyMap<string, { weight: number; counts: boolean }>

function askedTerms(index: HelpIndex, question: string): Asked {
  const asked = new Map<string, { weight: number; counts: boolean }>()
  for (const term of termsOf(corrected(index, question))) {
    asked.set(term, { weight: index.rarity.get(term) ?? index.rarest, counts: true })
    for (const other of RELATED[term] ?? []) {
      const rarity = index.rarity.get(other)
      if (rarity !== undefined && !asked.has(other)) asked.set(other, { weight: RELATED_SHARE * rarity, counts: false })
    }
  }
  return asked
}

function bm25({ entry, asked, meanLength }: { entry: Entry; asked: Asked; meanLength: number }): number {
  const { k1, b } = BM25
  let sum = 0
  for (const [term, { weight }] of asked) {
    const frequency = entry.frequencies.get(term) ?? 0
    sum += (weight * frequency) / (frequency + k1 * (1 - b + (b * entry.length) / meanLength))
  }
  return sum
}

/** Cosine of question and phrasing over the rarity of their words. */
function likenessOf({ index, asked, phrasing, mass }: { index: HelpIndex; asked: Asked; phrasing: ReadonlySet<string>; mass: number }): number {
  let shared = 0
  let own = 0
  for (const term of phrasing) {
    shared += asked.get(term)?.weight ?? 0
    own += index.rarity.get(term) ?? 0
  }
  return own === 0 ? 0 : Math.min(1, shared / Math.sqrt(mass * own))
}

/** The share of the question's rare words that the article has. */
function coverageOf({ entry, asked, mass }: { entry: Entry; asked: Asked; mass: number }): number {
  let covered = 0
  for (const [term, { weight }] of asked) if (entry.frequencies.has(term)) covered += weight
  return Math.min(1, covered / mass)
}
