import { expect, test } from 'vitest'
import { checkBotName, checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { checkLength, checkUsername } from '#core/auth/credentials.ts'
import { PAIRS } from '#core/market/pair.ts'
import { decimalToUnits as units, parseDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { checkWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { refusalOf, refusalsOf } from './problem.ts'

test('a check that passes shows nothing', () => {
  expect(refusalOf(() => checkBotName('Steady'))).toBeUndefined()
})

const good = { name: 'Steady', pairs: ['BTC/USDT'], amount: '100' }

test.each([
  [{ name: '  ' }, 'Invalid Name', 'Please enter a bot name'],
  [{ pairs: [] }, 'No Trading Pairs', 'Please select at least one trading pair'],
  [{ amount: '' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '0' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '0.99' }, 'Invalid Amount', 'Please enter a valid investment amount'],
  [{ amount: '100.01' }, 'Insufficient Balance', 'Investment amount exceeds available balance'],
  [{ name: '', amount: '' }, 'Invalid Name', 'Please enter a bot name'],
])('of the checks of a new bot with %j the first refusal is shown: %s', (change, title, description) => {
  const { name, pairs, amount } = { ...good, ...change }
  const refusal = refusalOf(() => {
    checkBotName(name)
    checkPairs(pairs, PAIRS)
    checkInvestment({ amount: parseDecimal(amount), available: units('100') })
  })
  expect(refusal).toMatchObject({ title, description })
})

test.each([
  ['', '100', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['0', '100', 'Invalid Amount', 'Please enter a valid withdrawal amount'],
  ['100.01', '100', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9', '5', 'Insufficient Balance', 'Withdrawal amount exceeds available balance'],
  ['9.99', '100', 'Minimum Withdrawal', 'Minimum withdrawal amount is $10'],
])('a withdrawal of %j out of %s is refused with %s', (amount, available, title, description) => {
  const refusal = refusalOf(() => checkWithdrawal({ amount: parseDecimal(amount), available: units(available), owed: 0n, holds: [] }))
  expect(refusal).toEqual({ title, description, field: 'amount' })
})

test('a refusal that no form expects has a title too', () => {
  expect(refusalOf(() => { throw new Refusal('bot-closing') })).toEqual({ title: 'Error', description: 'This bot is closing.', field: undefined })
})

test('every field at fault has its sentence, and the others have none', () => {
  const sentences = refusalsOf({ username: () => checkUsername('ab'), password: () => checkLength('password', ''), firstName: () => checkLength('firstName', 'Ada') })
  expect(sentences).toEqual({ username: 'String must contain at least 3 character(s)', password: 'Required' })
})

test('a bug is no refusal', () => {
  expect(() => refusalOf(() => { throw new TypeError('a bug') })).toThrow('a bug')
})
