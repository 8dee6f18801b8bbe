import { expect, test } from 'vitest'
import { checkAmount, checkBot, readPercent, type BotFields } from './bot-rules.ts'

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

test.each([['1', '1.00'], ['1,000.50', '1000.50'], ['$5', '5.00']])('%s of %s can be added to a bot', (typed, available) => {
  expect(checkAmount(typed, available)).toBeUndefined()
})

test.each([
  ['', 'Invalid Amount'], ['0.99', 'Invalid Amount'], ['1.001', 'Invalid Amount'], ['ten', 'Invalid Amount'], ['-5', 'Invalid Amount'], ['5.01', 'Insufficient Balance'],
])('%j of 5.00 is answered with %s', (typed, title) => {
  expect(checkAmount(typed, '5.00')).toMatchObject({ title })
})

test.each([['1', 1], ['25', 25], [' 75 % ', 75], ['99%', 99], ['05', 5]])('%j is a part of %d percent', (typed, percent) => {
  expect(readPercent(typed)).toBe(percent)
})

test.each(['', '0', '100', '12.5', '-5', '1e1', '٢٥', 'half'])('%j is no part', (typed) => {
  expect(readPercent(typed)).toBeUndefined()
})
