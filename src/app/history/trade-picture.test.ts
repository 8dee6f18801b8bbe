import { expect, test } from 'vitest'
import { textsOf } from './trade-picture.tsx'

const purchase = { at: '2026-09-23T13:00:00.000Z', value: '110' }
const texts = (side: 'buy' | 'sell') =>
  textsOf({ trade: { side, price: '120' }, purchase, level: null })

test('a sale labels its purchase as the last one, because the result counts every purchase', () => {
  expect(texts('sell')).toEqual([
    { sign: '▲', shown: 'last bought $110.00', said: 'Last bought at $110.00.' },
    { sign: '▼', shown: 'sold $120.00', said: 'Sold at $120.00.' },
  ])
  expect(texts('buy')).toEqual([{ sign: '▲', shown: 'bought $110.00', said: 'Bought at $110.00.' }])
})
