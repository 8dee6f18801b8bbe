import { afterEach, expect, test } from 'vitest'
import { moneyText } from './figures.ts'
import { inGerman } from './german.ts'
import { setLanguageSource } from './language.ts'
import {
  firstPeriodText,
  firstTradesText,
  periodMessage,
  resultMessage,
  tradesText,
  type TradeCount,
  type TradingResult,
} from './trades-text.ts'
import { addTranslator, say } from './words.ts'

afterEach(() => setLanguageSource(() => 'en'))

const sold = (coin: string, count = 1): TradeCount => ({ side: 'sell', coin, count })
const bought = (coin: string, count = 1): TradeCount => ({ side: 'buy', coin, count })

type Row = TradingResult & { en: string; de: string }

const ROWS: Row[] = [
  {
    trades: [],
    result: '0.00',
    fees: '0.00',
    en: 'No trades, no change.',
    de: 'Keine Trades, keine Änderung.',
  },
  {
    trades: [],
    result: '-4.36',
    fees: '0.00',
    en: 'No trades. Price moves: −$4.36.',
    de: 'Keine Trades. Kursbewegung: −4,36\u00a0$.',
  },
  {
    trades: [bought('SOL')],
    result: '1.20',
    fees: '0.00',
    en: 'Bought SOL. +$1.20.',
    de: 'SOL gekauft. +1,20\u00a0$.',
  },
  {
    trades: [bought('SOL')],
    result: '-0.42',
    fees: '0.42',
    en: 'Bought SOL. −$0.42: the trading fees.',
    de: 'SOL gekauft. −0,42\u00a0$: die Handelsgebühren.',
  },
  {
    trades: [bought('SOL'), sold('ETH'), sold('ETH')],
    result: '-4.36',
    fees: '0.42',
    en: 'Sold ETH twice and bought SOL. −$4.36, $0.42 of it trading fees.',
    de: 'ETH zweimal verkauft und SOL gekauft. −4,36\u00a0$, davon 0,42\u00a0$ Handelsgebühren.',
  },
  {
    trades: [bought('BTC', 2)],
    result: '-0.10',
    fees: '0.42',
    en: 'Bought BTC twice. −$0.10 after $0.42 trading fees.',
    de: 'BTC zweimal gekauft. −0,10\u00a0$ nach 0,42\u00a0$ Handelsgebühren.',
  },
  {
    trades: [sold('ETH', 3), bought('ETH', 12), bought('SOL'), bought('XRP', 2), sold('ADA')],
    result: '1234.50',
    fees: '3.00',
    en:
      'Bought ETH 12 times, sold ETH 3 times, and 4 more trades. ' +
      '+$1,234.50 after $3.00 trading fees.',
    de:
      '12-mal ETH gekauft, 3-mal ETH verkauft und 4 weitere Trades. ' +
      '+1.234,50\u00a0$ nach 3,00\u00a0$ Handelsgebühren.',
  },
  {
    trades: [bought('ETH'), bought('SOL'), bought('ADA')],
    result: '0.00',
    fees: '0.30',
    en: 'Bought ETH, bought SOL, and 1 more trade. +$0.00 after $0.30 trading fees.',
    de:
      'ETH gekauft, SOL gekauft und 1 weiterer Trade. ' +
      '+0,00\u00a0$ nach 0,30\u00a0$ Handelsgebühren.',
  },
]

const textOf = (figures: TradingResult) =>
  say(resultMessage(figures), {
    trades: tradesText(figures.trades),
    result: moneyText({ amount: figures.result, sign: 'always' }),
    fees: moneyText({ amount: figures.fees }),
  })

test.each(ROWS)('“$en”', ({ en, de, ...figures }) => {
  addTranslator('de', inGerman)
  expect(textOf(figures)).toBe(en)
  setLanguageSource(() => 'de')
  expect(textOf(figures)).toBe(de)
})

test.each([
  [[bought('SOL')], 'First trade: bought SOL', 'Erster Trade: SOL gekauft'],
  [
    [bought('SOL'), bought('XRP')],
    'First trades: bought SOL and bought XRP',
    'Erste Trades: SOL gekauft und XRP gekauft',
  ],
])('%j are named as first', (trades, en, de) => {
  addTranslator('de', inGerman)
  expect(firstTradesText(trades)).toBe(en)
  setLanguageSource(() => 'de')
  expect(firstTradesText(trades)).toBe(de)
})

test.each([
  [
    7,
    '-13.15',
    '0.42',
    'First week: −$13.15, $0.42 of it trading fees.',
    'Erste Woche: −13,15\u00a0$, davon 0,42\u00a0$ Handelsgebühren.',
  ],
  [
    7,
    '-0.42',
    '0.42',
    'First week: −$0.42, all of it trading fees.',
    'Erste Woche: −0,42\u00a0$, alles Handelsgebühren.',
  ],
  [
    30,
    '2.10',
    '0.42',
    'First 30 days: +$2.10 after $0.42 trading fees.',
    'Die ersten 30 Tage: +2,10\u00a0$ nach 0,42\u00a0$ Handelsgebühren.',
  ],
  [
    30,
    '0.00',
    '0.00',
    'First 30 days: +$0.00 after $0.00 trading fees.',
    'Die ersten 30 Tage: +0,00\u00a0$ nach 0,00\u00a0$ Handelsgebühren.',
  ],
])('the first %i days with %s and %s of fees: “%s”', (days, result, fees, en, de) => {
  addTranslator('de', inGerman)
  const text = () =>
    say(periodMessage({ result, fees }), {
      period: firstPeriodText(days),
      result: moneyText({ amount: result, sign: 'always' }),
      fees: moneyText({ amount: fees }),
    })
  expect(text()).toBe(en)
  setLanguageSource(() => 'de')
  expect(text()).toBe(de)
})
