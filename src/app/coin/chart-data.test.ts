import { expect, test } from 'vitest'
import type { MarketTrade } from '#contract/market.ts'
import { candleData, lengthText, summaryOf, tradesByCandle, tradesSentence } from './chart-data.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour)).toISOString()
const CANDLES = [
  { at: at(8), open: '2000', high: '2400', low: '1900', close: '2100' },
  { at: at(10), open: '2100', high: '2200', low: '1800', close: '2050' },
]
const trade = (hour: number, side: 'buy' | 'sell'): MarketTrade => ({
  id: `${hour}`,
  botId: '',
  botName: 'Steady',
  tradingPair: 'ETH/USDT',
  side,
  quantity: '1',
  price: '2000',
  amount: '2000.00',
  venueFee: '2',
  reason: '',
  marketTime: at(hour),
})
const byCandle = (...trades: MarketTrade[]) =>
  tradesByCandle(trades, { candles: CANDLES, candleHours: 2 })

test('trades stand at the candle in which they were made; others are left out', () => {
  const trades = byCandle(
    trade(11, 'sell'),
    trade(9, 'buy'),
    trade(8, 'buy'),
    trade(12, 'buy'),
    trade(7, 'sell'),
  )
  expect(trades).toEqual([
    { timeMs: Date.parse(at(8)), bought: 2, sold: 0 },
    { timeMs: Date.parse(at(10)), bought: 0, sold: 1 },
  ])
})

test('a candle in which bots bought and sold gets both arrows', () => {
  const [first, second] = candleData(CANDLES, byCandle(trade(10, 'buy'), trade(11, 'sell'))).trades
  expect([first?.side, second?.side, first?.timeMs]).toEqual(['buy', 'sell', Date.parse(at(10))])
})

test('the summary has the change from first open to last close, and the extremes', () => {
  expect(summaryOf(CANDLES)).toEqual({ change: '2.50', lowest: '1800', highest: '2400' })
  expect(summaryOf([])).toBe(undefined)
})

test('the scale shows cents only for small prices', () => {
  const { scaleText } = candleData(CANDLES, [])
  expect([scaleText(61_240), scaleText(142.35), scaleText(0.5123)]).toEqual([
    '$61,240',
    '$142.35',
    '$0.5123',
  ])
})

test('sentences count the trades and name the length of a candle', () => {
  expect(tradesSentence(byCandle(trade(8, 'buy'), trade(8, 'sell'), trade(9, 'sell'))[0])).toBe(
    'Your bots bought once and sold 2 times.',
  )
  expect(tradesSentence(undefined)).toBe('')
  expect([1, 8, 72].map(lengthText)).toEqual(['an hour', '8 hours', '3 days'])
})
