import { expect, test } from 'vitest'
import { checkBot, type BotFields } from './bot-rules.ts'

const good: BotFields = { name: 'Steady', tradingPairs: ['BTC/USDT'], investmentAmount: '100' }

test('a complete form has nothing wrong with it', () => {
  expect(checkBot(good, '100.00')).toBeUndefined()
})

test.each([
  [{ name: '  ' }, 'Invalid Name', 'Please enter a bot name'],
  [{ tradingPairs: [] }, 'No Trading Pairs', 'Please select at least one trading pair'],
  [{ investmentAmount: '' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ investmentAmount: '0' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ investmentAmount: '0.99' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ investmentAmount: '100.01' }, 'Insufficient Balance', 'Investment amount exceeds available balance'],
  [{ name: '', investmentAmount: '' }, 'Invalid Name', 'Please enter a bot name'],
])('%j is answered with %s', (change, title, description) => {
  expect(checkBot({ ...good, ...change }, '100.00')).toMatchObject({ title, description })
})
