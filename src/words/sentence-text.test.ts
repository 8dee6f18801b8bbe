import { afterEach, beforeEach, expect, test } from 'vitest'
import { explain, explainTrade, type TrendCause } from '#core/strategy/reason.ts'
import { reasonOfTrade } from '#core/strategy/trade-reason.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import { inGerman } from './german.ts'
import { sentenceText } from './sentence-text.ts'
import { setLanguageSource } from './language.ts'
import { addTranslator } from './words.ts'

beforeEach(() => {
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
})
afterEach(() => setLanguageSource(() => 'en'))

const cause: TrendCause = {
  kind: 'trend',
  exposureBps: 3600,
  turn: 'up',
  lookback: 480,
  level: 6_115_000_000_000,
  trendsUp: 2,
  trends: 4,
  candlesMissing: 0,
}

test.each<[Sentence, German: string]>([
  [
    explain(cause),
    'Der Kurs stieg über sein 20-Tage-Hoch (61.150,00\u00a0$). 2 von 4 Trends zeigen aufwärts, ' +
      'also sind 36\u00a0% des Geldes für den Coin investiert.',
  ],
  [
    explain({ ...cause, turn: 'down', trendsUp: 1, level: 51_230_000 }),
    'Der Kurs fiel unter den Stopp seines 20-Tage-Trends (0,5123\u00a0$). 1 von 4 Trends zeigt ' +
      'aufwärts, also sind 36\u00a0% des Geldes für den Coin investiert.',
  ],
  [
    explain({ ...cause, turn: 'none', trendsUp: 0, exposureBps: 0 }),
    'Kein Trend zeigt aufwärts, also ist nichts investiert.',
  ],
  [
    explain({ ...cause, turn: 'none' }),
    'Kein Trend hat gedreht. 2 von 4 Trends zeigen aufwärts; bei diesen Schwankungen sind ' +
      '36\u00a0% des Geldes für den Coin investiert.',
  ],
  [
    reasonOfTrade({ reason: explain(cause), pair: 'SOL/USDT' }, 'buy'),
    'Gekauft, weil SOL über sein 20-Tage-Hoch (61.150,00\u00a0$) stieg. 2 von 4 Trends zeigen ' +
      'aufwärts, also sind 36\u00a0% des Geldes für den Coin investiert.',
  ],
  [
    reasonOfTrade(
      { reason: explain({ ...cause, turn: 'down', trendsUp: 0 }), pair: 'SOL/USDT' },
      'sell',
    ),
    'Verkauft, weil SOL unter den Stopp seines 20-Tage-Trends (61.150,00\u00a0$) fiel. Kein ' +
      'Trend zeigt aufwärts, also ist nichts investiert.',
  ],
  [
    explain({ ...cause, candlesMissing: 1_000 }),
    'Dem kürzesten Trend fehlen noch 1000 Stunden Kursverlauf, also ist nichts investiert.',
  ],
  [
    sentence('joins', {
      cause: explain({ ...cause, turn: 'none', trendsUp: 0, exposureBps: 0 }),
    }),
    'Dein Bot kauft, was Bots seiner Stufe halten. Kein Trend zeigt aufwärts, ' +
      'also ist nichts investiert.',
  ],
  [explain({ kind: 'hold', exposureBps: 10_000 }), 'Gekauft, um zu halten'],
  [
    explain({ kind: 'balanced', exposureBps: 5_000 }),
    '50\u00a0% bleiben in Coins, der Rest in Guthaben',
  ],
  [
    explainTrade({ kind: 'balanced', exposureBps: 5_000 }, 5_560),
    'Coins waren 56\u00a0% des Geldes: zurück auf 50\u00a0%',
  ],
  [sentence('leftPool'), 'Geld hat den Pool verlassen.'],
  [sentence('cardDeposit'), 'Einzahlung per Karte'],
  [sentence('refund', { amount: '$1,234.50' }), 'Erstattung von 1.234,50\u00a0$ auf deine Karte'],
  [
    sentence('refundOwed', { amount: '$1,234.50', missing: '$10.00' }),
    'Erstattung von 1.234,50\u00a0$ auf deine Karte, davon 10,00\u00a0$ offen',
  ],
  [
    sentence('paperPrices', { name: 'Kraken', quote: 'USD' }),
    'Live-Kurse von Kraken (USD), Spielgeld',
  ],
])('%j', (kept, said) => {
  expect(sentenceText(kept)).toBe(said)
})

test('the German history reads well with any name of a bot', () => {
  const name = 'Bot 2'
  const said = (['invested', 'added', 'takenOut', 'returned'] as const).map((code) =>
    sentenceText(sentence(code, { name })),
  )
  expect(said).toEqual([
    'In „Bot 2“ investiert',
    'Zu „Bot 2“ hinzugefügt',
    'Aus „Bot 2“ entnommen',
    'Aus „Bot 2“ zurückgezahlt',
  ])
})

test.each([
  'Card deposit',
  '$5.00',
  'Refund of $5.00 to your card',
  '{name}',
  'my · bot',
  'two\u2028lines',
])('a bot named %s keeps its name', (name) => {
  expect(sentenceText(sentence('invested', { name }))).toBe(`In „${name}“ investiert`)
  expect(sentenceText(sentence('bought', { coin: 'BTC', name }))).toBe(`BTC gekauft · ${name}`)
})
