import { expect, test } from 'vitest'
import type { Market } from '#contract/market.ts'
import { isWithin, liveCandles, pricesOf } from './use-market.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour)).toISOString()
const candle = (hour: number, [open, high, low, close]: [string, string, string, string]) => ({
  at: at(hour),
  open,
  high,
  low,
  close,
})
const MARKET: Market = {
  pair: 'BTC/USDT',
  range: '1W',
  candleHours: 2,
  candles: [candle(8, ['10', '12', '9', '11']), candle(10, ['11', '11.5', '10.5', '11.2'])],
  closedUntil: at(11),
  forecast: null,
  levels: [],
  bots: [],
  trades: [],
}
const changed = (price: string, moment: string) => liveCandles(MARKET, [{ price, at: moment }])

test('the growing candle ends at the last price, and its range includes it', () => {
  expect(changed('11.3', at(11))).toEqual([
    MARKET.candles[0],
    candle(10, ['11', '11.5', '10.5', '11.3']),
  ])
  expect(changed('13', at(11)).at(-1)).toEqual(candle(10, ['11', '13', '10.5', '13']))
  expect(changed('9.5', at(11)).at(-1)).toEqual(candle(10, ['11', '11.5', '9.5', '9.5']))
})

test('the first price of the next step begins its candle at the last close', () => {
  expect(changed('10', at(12))).toEqual([
    ...MARKET.candles,
    candle(12, ['11.2', '11.2', '10', '10']),
  ])
  expect(changed('12', at(13)).at(-1)).toEqual(candle(12, ['11.2', '12', '11.2', '12']))
})

test('a price after unknown hours, or from before the end of the candles, changes nothing', () => {
  for (const moment of [at(14), at(10), at(3)]) expect(changed('20', moment)).toBe(MARKET.candles)
  expect(liveCandles(MARKET, [])).toBe(MARKET.candles)
  expect(liveCandles({ ...MARKET, candles: [] }, [{ price: '1', at: at(11) }])).toEqual([])
})

test('on a fast market prices extend their own candle, at most one after the last', () => {
  const prices = [
    { price: '11.4', at: at(11) },
    { price: '11', at: at(12) },
    { price: '12.5', at: at(13) },
    { price: '12', at: at(14) },
  ]
  const candles = liveCandles(MARKET, prices)
  expect(candles).toEqual([
    candle(10, ['11', '11.5', '10.5', '11.4']),
    candle(12, ['11.4', '12.5', '11', '12.5']),
    candle(14, ['12.5', '12.5', '12', '12']),
  ])
  expect([at(13), at(15), at(16)].map((moment) => isWithin(candles, 2, moment))).toEqual([
    true,
    true,
    false,
  ])
  expect(isWithin([], 2, at(13))).toBe(false)
})

test('a closed candle ends at the price of the end of its hour', () => {
  const hourly = {
    ...MARKET,
    candleHours: 1,
    candles: [candle(10, ['11', '11.5', '10.5', '11.2'])],
  }
  const prices = pricesOf({ price: '12.1', at: at(13), trace: ['11.2', '11.9', '12'] })
  expect(prices.map((seen) => seen.at)).toEqual([
    '2026-11-22T10:59:59.999Z',
    '2026-11-22T11:59:59.999Z',
    '2026-11-22T12:59:59.999Z',
    at(13),
  ])
  expect(liveCandles(hourly, prices)).toEqual([
    candle(12, ['11.9', '12', '11.9', '12']),
    candle(13, ['12', '12.1', '12', '12.1']),
  ])
})
