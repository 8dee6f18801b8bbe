import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import catalog from '#words/de.json' with { type: 'json' }
import {
  ACCOUNT_QUESTIONS,
  ADVICE_QUESTIONS,
  HELP_QUESTIONS,
  OUT_OF_SCOPE,
} from './german-evaluation.ts'

const FOLDER = 'docs/help'
const german = catalog as Record<string, unknown>
const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
const names = namesIn(FOLDER)
const textsOf = (name: string) => ({
  english: readFileSync(`${FOLDER}/${name}`, 'utf8'),
  german: readFileSync(`${FOLDER}/de/${name}`, 'utf8'),
})
const bodyOf = (text: string): string => text.split('\n---\n')[1] ?? ''
const factsIn = (text: string): string[] => [...new Set(text.match(/\{[\w-]+\}/g))].toSorted()

/** A text on a screen in German; a name behind a bar tells homonyms apart. */
const germanFor = (text: string): string[] =>
  Object.entries(german).flatMap(([message, words]) =>
    message.split('|')[0] === text && typeof words === 'string'
      ? [words.replaceAll('\u00a0', ' ')]
      : [],
  )

test('every article exists in German, under the same name', () => {
  expect(namesIn(`${FOLDER}/de`)).toEqual(names)
  expect(namesIn(`${FOLDER}/de/outside`)).toEqual(namesIn(`${FOLDER}/outside`))
  expect(
    names.filter((name) => !textsOf(name).german.includes(`\nid: ${name.replace('.md', '')}\n`)),
  ).toEqual([])
})

test.each(names)('%s states the same facts in both languages', (name) => {
  const texts = textsOf(name)
  expect(factsIn(texts.german)).toEqual(factsIn(texts.english))
  expect(texts.german.split('\n\n').length, 'paragraphs').toBe(texts.english.split('\n\n').length)
})

test.each(names)('%s names buttons as the German screens do', (name) => {
  const texts = textsOf(name)
  const plain = bodyOf(texts.german).replaceAll('\u00a0', ' ')
  for (const [, quoted = ''] of bodyOf(texts.english).matchAll(/"([^"]+)"/g)) {
    const words = germanFor(quoted.replace(/[,.]$/, ''))
    if (words.length > 0) expect(words.filter((word) => plain.includes(word))).not.toEqual([])
  }
})

test('no German article contains an evaluation question, and each has enough phrasings', () => {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\d ]/gu, '')
      .trim()
  const asked = new Set(
    [...HELP_QUESTIONS, ...ACCOUNT_QUESTIONS]
      .map(([question]) => bare(question))
      .concat([...ADVICE_QUESTIONS, ...OUT_OF_SCOPE].map(bare)),
  )
  const lists = names.map((name) => ({
    name,
    list: [...textsOf(name).german.matchAll(/^(?: {2}- |title: )(.+)$/gm)].map(([, line = '']) =>
      bare(line),
    ),
  }))
  expect(lists.flatMap(({ list }) => list.filter((line) => asked.has(line)))).toEqual([])
  expect(lists.filter(({ list }) => list.length < 11).map(({ name }) => name)).toEqual([])
})

test('both languages state which languages there are, and where to choose one', () => {
  const { english, german: twin } = textsOf('language.md')
  expect(bodyOf(english)).toMatch(/English and German.*"Language"/s)
  expect(bodyOf(twin)).toMatch(/Englisch und Deutsch.*„Sprache“/s)
})
