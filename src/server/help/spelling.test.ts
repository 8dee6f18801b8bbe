import { expect, test } from 'vitest'
import { ENGLISH } from '#core/help/english.ts'
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

test('a word is known by itself, by its stem or because it is a common one', () => {
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
