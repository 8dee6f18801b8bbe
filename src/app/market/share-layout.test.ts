import { afterEach, expect, test } from 'vitest'
import { sentence } from '#core/sentences.ts'
import { inGerman } from '#words/german.ts'
import { setLanguageSource, type Language } from '#words/language.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { addTranslator } from '#words/words.ts'
import { EDGE, SIZE, shareLayout, STAMP, type ShareFont } from './share-layout.ts'
import { shareLines, type Shared } from './share-lines.ts'

addTranslator('de', inGerman)
afterEach(() => setLanguageSource(() => 'en'))

/** A wide font. */
const widthOf = (text: string, { size }: ShareFont) => text.length * size * 0.7

const trades = (['sell', 'buy'] as const).map((side) => ({ side, coin: 'RENDER', count: 88 }))
const week = (): Shared => ({
  kind: 'week',
  moments: 'Wednesday, September 23, 2026, 16:00 to Wednesday, September 30, 2026, 16:00',
  week: {
    from: '',
    to: '',
    result: '-1234567.89',
    percent: '-12.34',
    trades: [...trades, { side: 'buy', coin: 'BTC', count: 9 }],
    tradingFees: '12345.67',
    platformFees: '0.00',
    best: null,
    worst: null,
    holding: null,
    months: [],
  },
})
const turn = { coin: 'RENDER', days: '120', level: '$61,150.00' }
const settled = () =>
  sentence('settled', {
    pair: 'RENDER/USDT',
    price: '$61,150.00',
    reason: sentence('decidedByVolatility', {
      close: sentence('soldBelowStop', turn),
      trends: sentence('trendsUp', { up: 2, all: 4 }),
      percent: '36%',
    }),
  })
const sale = (): Shared => ({
  kind: 'trade',
  moments: 'Wednesday, September 23, 2026, 16:00',
  amount: '-1234567.89',
  trade: {
    tradingPair: 'BTC/USDT',
    side: 'sell',
    quantity: '1',
    price: '1',
    amount: '10000000.00',
    venueFee: '1.00',
    profit: '-1234567.89',
    reason: sentenceText(settled()),
    marketTime: '',
  },
})
const lines = (shared: Shared, isPaper = true) =>
  shareLines(shared, { market: 'Recorded market', isPaper, amounts: true })

test.each<[name: string, Language, () => Shared]>([
  ['week', 'en', week],
  ['week', 'de', week],
  ['sale', 'en', sale],
  ['sale', 'de', sale],
])('the stamp of the longest %s (%s) stands below all lines, within the edge', (_, name, make) => {
  setLanguageSource(() => name)
  const { height, rows, stampTop } = shareLayout(lines(make()), widthOf)
  const bottoms = rows.map((row) => row.top + row.height)
  expect(rows.every(({ top }, place) => place === 0 || top >= (bottoms[place - 1] ?? 0))).toBe(true)
  expect(stampTop).toBeGreaterThanOrEqual(Math.max(...bottoms))
  expect(height).toBe((stampTop ?? 0) + STAMP.height + EDGE)
  expect(height).toBeGreaterThan(SIZE)
})

test('long texts without a stamp end within the edge, and short ones make a square', () => {
  const { height, rows } = shareLayout(lines(sale(), false), widthOf)
  expect(height - EDGE).toBeGreaterThanOrEqual(Math.max(...rows.map((row) => row.top + row.height)))
  const short = { ...lines(sale()), moment: 'Market · Day 9', figure: '+1.20%', texts: ['Sold.'] }
  expect(shareLayout(short, widthOf).height).toBe(SIZE)
})
