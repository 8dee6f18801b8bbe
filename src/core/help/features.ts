import type { Features } from './classifier.ts'
import type { Vocabulary } from './tongue.ts'

/** Weights of the kinds of features; a term has weight 1. */
const WORD = 0.4
const WORD_PAIR = 0.6
const TERM_PAIR = 0.8
const PIECE = 0.22
/** Pieces of words match misspelled and compound words. */
const PIECE_LENGTHS = [3]

export function featuresOf(text: string, { termsOf, plainText }: Vocabulary): Features {
  const terms = termsOf(text)
  const words = plainText(text).match(/[a-z0-9]+/g) ?? []
  return new Map([
    ...terms.flatMap(piecesOf).map((piece) => [`piece ${piece}`, PIECE] as const),
    ...pairsOf(words).map((pair) => [`words ${pair}`, WORD_PAIR] as const),
    ...pairsOf(terms).map((pair) => [`terms ${pair}`, TERM_PAIR] as const),
    ...words.map((word) => [`word ${word}`, WORD] as const),
    ...terms.map((term) => [`term ${term}`, 1] as const),
  ])
}

function pairsOf(list: readonly string[]): string[] {
  return list.slice(1).map((item, place) => `${list[place]} ${item}`)
}

function piecesOf(term: string): string[] {
  const framed = `<${term}>`
  return PIECE_LENGTHS.flatMap((length) =>
    Array.from({ length: Math.max(0, framed.length - length + 1) }, (_, at) =>
      framed.slice(at, at + length),
    ),
  )
}
