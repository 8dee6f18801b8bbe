import { expect, test } from 'vitest'
import { ENGLISH } from '#core/help/english.ts'
import { GERMAN } from '#core/help/german/german.ts'
import { openSpelling } from './spelling.ts'

const { corrected, isKnown } = openSpelling(
  ['Withdraw your balance', 'password', 'pairs', 'charge'],
  (term) => term === 'deposit',
)

test.each([
  ['a missing letter', 'my pasword', 'my password'],
  ['two swapped letters', 'Balnace?', 'balance?'],
  ['two wrong letters in a long word', 'passwart', 'password'],
])('%s is corrected', (_what, typed, correct) => {
  expect(corrected(typed)).toBe(correct)
})

test.each([
  ['two swapped letters of a short word', 'paris'],
  ['two wrong letters of a short word', 'charlie'],
  ['three wrong letters', 'pesswart'],
  ['a wrong first letter', 'fassword'],
  ['a known stem', 'deposits'],
])('%s is left alone', (_what, typed) => {
  expect(corrected(typed)).toBe(typed)
})

test('a word is known by itself, by its stem or as a common word', () => {
  expect(['balance', 'deposits', 'the', 'balnace', 'bob'].map(isKnown)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('a property name of every object is a word like any other', () => {
  expect(ENGLISH.vocabulary.termsOf('what is a constructor')).toEqual(['constructor'])
  expect(isKnown('constructor')).toBe(false)
})

const german = openSpelling(
  ['Wie zahle ich mein Guthaben aus?', 'Gebühr', 'Wochen', 'Passwort'],
  () => false,
  GERMAN.vocabulary,
)
const { termsOf, plainText } = GERMAN.vocabulary

test('umlauts are equal however they are typed; two vowels stay two', () => {
  expect(['Gebühr', 'Gebuehr', 'gebuhr'].map(plainText)).toEqual(['gebuhr', 'gebuhr', 'gebuhr'])
  expect(['Größe', 'groesse', 'neue Steuer'].map(plainText)).toEqual([
    'grosse',
    'grosse',
    'neue steuer',
  ])
})

test('forms of a German word, separable verbs and compounds share their terms', () => {
  expect(termsOf('Bots löschen')).toEqual(termsOf('gelöschte Bots').toReversed())
  expect(termsOf('wie zahle ich mein Geld aus')).toEqual(['wie', ...termsOf('auszahlen Geld')])
  expect(termsOf('Auszahlungsgebühr')).toEqual(termsOf('Auszahlung Gebühr'))
})

test('German typos are corrected, and unknown compounds become their parts', () => {
  expect(german.corrected('mein gutaben')).toBe('mein guthaben')
  expect(german.corrected('Wochenguthaben')).toBe('wochen guthaben')
  expect(['guthaben', 'der', 'quatsch'].map(german.isKnown)).toEqual([true, true, false])
})
