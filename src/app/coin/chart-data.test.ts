import { expect, test } from 'vitest'
import type { Market, MarketTrade } from '#contract/market.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import {
  candleData,
  drawnForecast,
  drawnTimes,
  lengthText,
  nextPrices,
  nextPricesText,
  summaryOf,
  tradesByCandle,
  tradesSentence,
} from './chart-data.ts'

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

test('each trade is drawn at the candle in which it was made; trades outside are left out', () => {
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
  const [first, second] = candleData(CANDLES, {
    trades: byCandle(trade(10, 'buy'), trade(11, 'sell')),
    forecast: [],
    prices: [],
  }).trades
  expect([first?.side, second?.side, first?.timeMs]).toEqual(['buy', 'sell', Date.parse(at(10))])
})

const MARKET: Market = {
  pair: 'ETH/USDT',
  range: '1W',
  candleHours: 2,
  candles: CANDLES,
  closedUntil: at(11),
  levels: [],
  bots: [],
  forecast: { low: '-10.00', high: '20.00', rests: false },
  trades: [],
}

const bot = (
  wantedPercent: number,
  moves: { above?: [string, number]; below?: [string, number] },
) => {
  const move = ([price, percent]: [string, number]) => ({ price, percent })
  return {
    botId: '',
    botName: '',
    wantedPercent,
    next: {
      lookedAt: at(10),
      trends: [],
      percent: wantedPercent,
      above: moves.above ? move(moves.above) : null,
      below: moves.below ? move(moves.below) : null,
    },
  }
}

test('each price beyond which a bot buys or sells is drawn once and listed', () => {
  const trend = bot(24, { above: ['2200', 48], below: ['1900.50', 0] })
  const balanced = bot(50, { above: ['2300', 50], below: ['1800', 50] })
  const bots = [trend, balanced, trend, bot(0, {})]
  expect(nextPrices(bots)).toEqual([
    { action: 'buy', price: '2200' },
    { action: 'sell', price: '1900.50' },
    { action: 'sell', price: '2300' },
    { action: 'buy', price: '1800' },
  ])
  expect(nextPricesText(nextPrices(bots))).toBe(
    'Dotted: your bots buy if an hour closes beyond $2,200 and $1,800. ' +
      'Dotted: your bots sell if an hour closes beyond $1,900.50 and $2,300.',
  )
  expect(nextPricesText(nextPrices([bot(96, { above: ['2200', 72] })]))).toBe(
    'Dotted: your bots sell if an hour closes beyond $2,200.',
  )
  expect(nextPricesText([])).toBe('')
})

test('the forecast starts at the last closed price and ends a day later', () => {
  const drawn = drawnForecast(MARKET)
  expect(drawn[0]).toEqual({ timeMs: Date.parse(at(10)), low: 2_050, high: 2_050 })
  expect(drawn.at(-1)).toEqual({ timeMs: Date.parse(at(34)), low: 1_845, high: 2_460 })
  const hours = drawn.map(({ timeMs }) => (timeMs - Date.parse(at(10))) / HOUR_MS)
  expect(hours).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24])
})

test('after a quarter of the day, the forecast is half as wide', () => {
  const { low = 0, high = 0 } = drawnForecast(MARKET)[3] ?? {}
  expect([low, high]).toEqual([2_050 * Math.sqrt(0.9), 2_050 * Math.sqrt(1.2)])
})

test('no forecast is drawn if there is none, or if candles are longer than a day', () => {
  expect(drawnForecast({ ...MARKET, forecast: null })).toEqual([])
  expect(drawnForecast({ ...MARKET, candles: [] })).toEqual([])
  expect(drawnForecast({ ...MARKET, candleHours: 72, closedUntil: at(130) })).toEqual([])
})

test('a candle that has grown into the forecast is not drawn twice', () => {
  const forecast = drawnForecast(MARKET)
  const live = [...CANDLES, { at: at(12), open: '2050', high: '2060', low: '2040', close: '2055' }]
  const times = (candles: typeof CANDLES) =>
    drawnTimes(candleData(candles, { trades: [], forecast, prices: [] }))
  expect(times(CANDLES)).toHaveLength(14)
  expect(times(live)).toEqual(times(CANDLES))
})

test('the summary has the change from first open to last close, and the extremes', () => {
  expect(summaryOf(CANDLES)).toEqual({ change: '2.50', lowest: '1800', highest: '2400' })
  expect(summaryOf([])).toBe(undefined)
})

test('the scale shows cents only for small prices', () => {
  const { scaleText } = candleData(CANDLES, { trades: [], forecast: [], prices: [] })
  expect([scaleText(61_240), scaleText(142.35), scaleText(0.5123)]).toEqual([
    '$61,240',
    '$142.35',
    '$0.5123',
  ])
})

test('the texts count the trades and name the length of a candle', () => {
  expect(tradesSentence(byCandle(trade(8, 'buy'), trade(8, 'sell'), trade(9, 'sell'))[0])).toBe(
    'Your bots bought once and sold 2 times.',
  )
  expect(tradesSentence(undefined)).toBe('')
  expect([1, 8, 72].map(lengthText)).toEqual(['an hour', '8 hours', '3 days'])
})
