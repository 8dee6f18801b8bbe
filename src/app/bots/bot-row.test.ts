import { expect, test } from 'vitest'
import { coinsText } from './bot-row.tsx'

test('a row names a coin that was renamed by both names', () => {
  expect(coinsText(['BTC/USDT', 'POL/USDT'])).toBe('BTC, MATIC (POL)')
})
