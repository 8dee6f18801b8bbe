import { expect, test } from 'vitest'
import { GERMAN } from '#core/help/german/german.ts'
import { openSpelling } from './spelling.ts'

const { corrected, isKnown } = openSpelling(
  ['Wie zahle ich mein Guthaben aus?', 'Gebühr', 'Wochen', 'Passwort'],
  () => false,
  GERMAN.vocabulary,
)
const { termsOf, plainText } = GERMAN.vocabulary

test('umlauts are the same however they are typed, and two vowels stay two', () => {
  expect(['Gebühr', 'Gebuehr', 'gebuhr'].map(plainText)).toEqual(['gebuhr', 'gebuhr', 'gebuhr'])
  expect(['Größe', 'groesse', 'neue Steuer'].map(plainText)).toEqual([
    'grosse',
    'grosse',
    'neue steuer',
  ])
})

test('forms of a word, separable verbs and compounds share their terms', () => {
  expect(termsOf('Bots löschen')).toEqual(termsOf('gelöschte Bots').toReversed())
  expect(termsOf('wie zahle ich mein Geld aus')).toEqual(['wie', ...termsOf('auszahlen Geld')])
  expect(termsOf('Auszahlungsgebühr')).toEqual(termsOf('Auszahlung Gebühr'))
})

test('typos are corrected, and unknown compounds become their parts', () => {
  expect(corrected('mein gutaben')).toBe('mein guthaben')
  expect(corrected('Wochenguthaben')).toBe('wochen guthaben')
  expect(['guthaben', 'der', 'quatsch'].map(isKnown)).toEqual([true, true, false])
})
