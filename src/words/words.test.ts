import { afterEach, expect, test } from 'vitest'
import { setLanguageSource } from './language.ts'
import { translatorOf } from './german.ts'
import { addTranslator, sayIfKnown, t, tCount } from './words.ts'

afterEach(() => setLanguageSource(() => 'en'))

function readGerman(): void {
  addTranslator(
    'de',
    translatorOf('de', {
      'Hello {name}': 'Hallo {name}',
      '{count} trades': { one: 'ein Handel', other: '{count} Trades' },
      Cancel: 'Abbrechen',
    }),
  )
  setLanguageSource(() => 'de')
}

test('messages are in the language of the reader, with their values', () => {
  expect([t('Hello {name}', { name: 'Ada' }), t('Cancel')]).toEqual(['Hello Ada', 'Cancel'])
  readGerman()
  expect([t('Hello {name}', { name: 'Ada' }), t('Cancel')]).toEqual(['Hallo Ada', 'Abbrechen'])
})

test('a message without a translation stays in English', () => {
  readGerman()
  expect(t('Not {what} yet', { what: 'translated' })).toBe('Not translated yet')
})

test('a suffix after a bar distinguishes two meanings of one English text', () => {
  const texts = () => [t('To|until'), t('To|account'), t('Up to {day}|until', { day: 'now' })]
  expect(texts()).toEqual(['To', 'To', 'Up to now'])
  addTranslator('de', translatorOf('de', { 'To|until': 'Bis', 'To|account': 'An' }))
  setLanguageSource(() => 'de')
  expect(texts()).toEqual(['Bis', 'An', 'Up to now'])
})

test('messages with a count follow the plural rules of the language', () => {
  const trades = (count: number) => tCount(count, { one: '{count} trade', other: '{count} trades' })
  expect([trades(0), trades(1), trades(2)]).toEqual(['0 trades', '1 trade', '2 trades'])
  readGerman()
  expect([trades(0), trades(1), trades(2)]).toEqual(['0 Trades', 'ein Handel', '2 Trades'])
})

test('the plural depends on a number, not on its spelling: 1.000 is a thousand in German', () => {
  readGerman()
  expect(tCount(1_000, { one: '{count} trade', other: '{count} trades' }, { count: '1.000' })).toBe(
    '1.000 Trades',
  )
})

test('text that is no message is unchanged', () => {
  const texts = ['Unknown field: a|b', 'Unknown field: {admin}', 'constructor']
  expect(texts.map(sayIfKnown)).toEqual(texts)
  readGerman()
  expect(texts.map(sayIfKnown)).toEqual(texts)
  expect(sayIfKnown('Cancel')).toBe('Abbrechen')
})
