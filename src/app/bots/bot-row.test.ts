import { expect, test } from 'vitest'
import type { Bot } from '#contract/bots.ts'
import { coinsText, nowOf } from './bot-row.tsx'

test('a row names a coin that was renamed by both names', () => {
  expect(coinsText(['BTC/USDT', 'POL/USDT'])).toBe('BTC, MATIC (POL)')
})

const DOING = '3 of 12 price trends are up.'
const NEXT = 'Buys SOL below $726.43.'
const HALF = { equity: '599.00', closingFee: '1.00', coins: '300.00', doing: DOING }

test.each([
  [{}, `50% in coins, because ${DOING}`],
  [{ strategy: 'balanced', doing: NEXT }, NEXT],
  [{ coins: '0.00', doing: 'In cash.' }, 'In cash.'],
  [{ doing: null }, ''],
  [{ waitingPairs: [{ pair: 'SOL/USDT' }], doing: 'Waiting to sell SOL.' }, 'Waiting to sell SOL.'],
  [{ takingOutPercent: 20 }, 'taking out 20%'],
])('a row with %j has: %s', (bot, text) => {
  const active = {
    ...HALF,
    strategy: 'trend',
    waitingPairs: [],
    takingOutPercent: null,
    ...bot,
  } as unknown as Bot
  expect(nowOf(active)).toBe(text)
})
