import SearchableMap from 'minisearch/SearchableMap'
import { ENGLISH } from '#core/help/english.ts'
import type { Vocabulary } from '#core/help/tongue.ts'
import type { HelpIndex } from '#core/help/understand.ts'

/** Fewest letters of a part of a compound word. */
const SHORTEST_PART = 4
/**
 * Swaps of two letters are corrected from this length on: below it, 'paris' would become 'pairs'.
 */
const SHORTEST_SWAP = 6
/** Two wrong letters are corrected from this length on. */
const SHORTEST_WITH_TWO_TYPOS = 8

/** Corrects words that are not in `texts` to the nearest word that is. */
export function openSpelling(
  texts: readonly string[],
  isTerm: (term: string) => boolean,
  { plainText, isSpelled, termOf, shortestTypo, compoundLinks }: Vocabulary = ENGLISH.vocabulary,
): Pick<HelpIndex, 'isKnown' | 'corrected'> {
  const words = new SearchableMap<true>()
  for (const word of plainText(texts.join(' ')).match(/[a-z]+/g) ?? []) words.set(word, true)
  const isKnown = (word: string) => words.has(word) || isSpelled(word) || termOf(word).every(isTerm)
  const isPart = (part: string) => words.has(part) || termOf(part).some(isTerm)
  const partsOf = (word: string) => compoundLinks && partsIn(word, { links: compoundLinks, isPart })
  const correctedWord = (word: string) =>
    isKnown(word)
      ? word
      : (partsOf(word) ?? nearestWord(word, { words, shortest: shortestTypo }) ?? word)
  return {
    isKnown,
    corrected: (question) => plainText(question).replaceAll(/[a-z]+/g, correctedWord),
  }
}

/** 'wochenlimit' as 'wochen limit' if both parts are known; one of the `links` may join them. */
function partsIn(
  word: string,
  { links, isPart }: { links: readonly string[]; isPart: (part: string) => boolean },
): string | undefined {
  for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
    const first = word.slice(0, at)
    const starts = links
      .filter((link) => first.endsWith(link))
      .map((link) => first.slice(0, first.length - link.length))
    if (
      isPart(word.slice(at)) &&
      starts.some((start) => start.length >= SHORTEST_PART && isPart(start))
    )
      return `${first} ${word.slice(at)}`
  }
  return undefined
}

/** The nearest word by Levenshtein distance that begins with the same letter. */
function nearestWord(
  word: string,
  { words, shortest }: { words: SearchableMap<true>; shortest: number },
): string | undefined {
  if (word.length < shortest) return undefined
  const near = [...words.fuzzyGet(word, 2)].map(([known, [, typos]]) => ({ known, typos }))
  const likely = near.filter(
    ({ known, typos }) =>
      known[0] === word[0] &&
      known.length >= shortest &&
      (typos === 1 || maySlipTwice(word, known)),
  )
  return likely.toSorted((a, b) => a.typos - b.typos || (a.known < b.known ? -1 : 1))[0]?.known
}

function maySlipTwice(word: string, known: string): boolean {
  return (
    word.length >= (lettersOf(word) === lettersOf(known) ? SHORTEST_SWAP : SHORTEST_WITH_TWO_TYPOS)
  )
}

const lettersOf = (word: string): string => [...word].toSorted().join('')
