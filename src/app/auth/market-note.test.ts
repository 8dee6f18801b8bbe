import { afterEach, beforeEach, expect, test } from 'vitest'
import { sentence } from '#core/sentences.ts'
import { inGerman } from '#words/german.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'
import { marketNote } from './market-note.ts'

const FEED = { speed: 1, start: '2026-01-01T00:00:00.000Z', pairs: [] }
const KRAKEN = { name: 'Kraken', quote: 'USD' }

function notes(language: Language): string[] {
  setLanguageSource(() => language)
  return [
    marketNote({
      book: 'paper',
      feed: { ...FEED, kind: 'simulated', label: sentenceText(sentence('simulatedMarket')) },
    }),
    marketNote({
      book: 'paper',
      feed: { ...FEED, kind: 'replay', label: sentenceText(sentence('recordedMarket')) },
    }),
    marketNote({
      book: 'paper',
      feed: { ...FEED, kind: 'live', label: sentenceText(sentence('paperPrices', KRAKEN)) },
    }),
    marketNote({
      book: 'live',
      feed: { ...FEED, kind: 'live', label: sentenceText(sentence('livePrices', KRAKEN)) },
    }),
  ]
}

beforeEach(() => addTranslator('de', inGerman))
afterEach(() => setLanguageSource(() => 'en'))

test('visitors see where prices come from and which money is used, each stated once', () => {
  expect(notes('en')).toEqual([
    'Simulated prices.',
    'Recorded prices.',
    'Live prices from Kraken (USD), paper money.',
    'Live prices from Kraken (USD). Real money.',
  ])
  expect(notes('de')).toEqual([
    'Simulierte Kurse.',
    'Aufgezeichnete Kurse.',
    'Live-Kurse von Kraken (USD), Spielgeld.',
    'Live-Kurse von Kraken (USD). Echtes Geld.',
  ])
})
