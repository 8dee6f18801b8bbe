import { expect, test } from 'vitest'
import { decimalToUnits as units, parseDecimal } from '#core/money/decimal.ts'
import { PAIRS } from '#core/market/pair.ts'
import {
  checkBotName,
  checkInvestment,
  checkPairs,
  checkTopUp,
  switchBot,
  type BotStatus,
} from './bot.ts'

test.each([
  ['  Ada  ', 'Ada'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['🚀'.repeat(50), '🚀'.repeat(50)],
  ['\t1\n', '1'],
  ['Zoe\u0308', 'Zo\u00eb'],
])('the name %j is %j', (name, kept) => {
  expect(checkBotName(name)).toBe(kept)
})

test.each([
  '',
  '   ',
  '\n',
  'x'.repeat(51),
  '🚀'.repeat(51),
  'a\nb',
  '\u202etxt',
  '\u200b\u2060',
  'Bot\u200b',
])('the name %j is refused', (name) => {
  expect(() => checkBotName(name)).toThrow(
    expect.objectContaining({ code: 'bot-name-invalid', field: 'name' }),
  )
})

test('a missing name is refused with that reason only', () => {
  expect(() => checkBotName(' ')).toThrow(
    expect.objectContaining({ code: 'bot-name-invalid', sentence: undefined }),
  )
})

test.each([
  ['x'.repeat(51), 'A bot name can have up to 50 characters.'],
  ['a\nb', 'Please use visible characters on one line.'],
])('the name %j is refused with %j', (name, sentence) => {
  expect(() => checkBotName(name)).toThrow(expect.objectContaining({ sentence }))
})

test('pairs are sorted in the order of `PAIRS`, and MATIC is read as POL', () => {
  expect(checkPairs(['MATIC/USDT', 'BTC/USDT', 'ADA/USDT'], PAIRS)).toEqual([
    'BTC/USDT',
    'ADA/USDT',
    'POL/USDT',
  ])
})

test.each([
  [[], 'bot-pairs-missing'],
  [['BTC/USDT', 'BTC/USDT'], 'bot-pairs-duplicate'],
  [['POL/USDT', 'MATIC/USDT'], 'bot-pairs-duplicate'],
  [['DOGE/USDT'], 'invalid-input'],
  [['btc/usdt'], 'invalid-input'],
  [['BTC'], 'invalid-input'],
  [['XRP/USDT'], 'bot-pair-unavailable'],
])('the pairs %j are refused as %s', (names, code) => {
  const available = PAIRS.filter((pair) => pair !== 'XRP/USDT')
  expect(() => checkPairs(names, available)).toThrow(
    expect.objectContaining({ code, field: 'tradingPairs' }),
  )
})

test('an unknown pair is refused with its own sentence', () => {
  expect(() => checkPairs(['DOGE/USDT'], PAIRS)).toThrow(
    expect.objectContaining({ sentence: 'This trading pair is not supported.' }),
  )
})

test('the refusal names a pair that cannot be traded now', () => {
  expect(() => checkPairs(['BTC/USDT', 'XRP/USDT'], ['BTC/USDT'])).toThrow(
    expect.objectContaining({ values: { pair: 'XRP/USDT' } }),
  )
})

test.each([
  ['0', '100', 'bot-amount-invalid'],
  ['0.99', '100', 'bot-amount-invalid'],
  ['0.5', '0', 'bot-amount-invalid'],
  ['100.01', '100', 'bot-amount-above-available'],
  ['', '100', 'bot-amount-invalid'],
  ['ten', '5', 'bot-amount-invalid'],
  ['-5', '5', 'bot-amount-invalid'],
  ['5.01', '5', 'bot-amount-above-available'],
])('an investment of %j out of %s is refused as %s', (amount, available, code) => {
  const check = () => checkInvestment({ amount: parseDecimal(amount), available: units(available) })
  expect(check).toThrow(expect.objectContaining({ code, field: 'investmentAmount' }))
})

test('the minimum and the whole balance may be invested', () => {
  expect(() => checkInvestment({ amount: units('1'), available: units('1') })).not.toThrow()
  expect(() => checkInvestment({ amount: units('100'), available: units('100') })).not.toThrow()
})

test('too much or too little added money is refused under the name of its own field', () => {
  const check = () =>
    checkInvestment({ amount: units('0.99'), available: units('10'), field: 'amount' })
  expect(check).toThrow(expect.objectContaining({ code: 'bot-amount-invalid', field: 'amount' }))
})

test.each([
  ['active', true, 'active'],
  ['active', false, 'paused'],
  ['paused', true, 'active'],
  ['paused', false, 'paused'],
] satisfies [BotStatus, boolean, BotStatus][])(
  'a bot that is %s and switched to %s is %s',
  (status, isActive, next) => {
    expect(switchBot({ status, takingBps: null, isChanging: false }, isActive)).toBe(next)
  },
)

test.each([true, false])('a closing bot cannot be switched to %s', (isActive) => {
  expect(() =>
    switchBot({ status: 'closing', takingBps: null, isChanging: false }, isActive),
  ).toThrow(expect.objectContaining({ code: 'bot-closing' }))
})

test('a bot with a take-out under way cannot be paused, and stays switched on', () => {
  expect(() => switchBot({ status: 'active', takingBps: 2_500, isChanging: false }, false)).toThrow(
    expect.objectContaining({ code: 'bot-busy' }),
  )
  expect(switchBot({ status: 'active', takingBps: 2_500, isChanging: false }, true)).toBe('active')
})

test.each(['active', 'paused'] as const)('money can be added to a bot that is %s', (status) => {
  expect(() => checkTopUp({ status, takingBps: null, isChanging: false })).not.toThrow()
})

test.each([
  ['closing', null, 'bot-closing'],
  ['active', 2_500, 'bot-busy'],
] satisfies [BotStatus, number | null, string][])(
  'no money can be added to a bot that is %s with %s basis points on their way out',
  (status, takingBps, code) => {
    expect(() => checkTopUp({ status, takingBps, isChanging: false })).toThrow(
      expect.objectContaining({ code }),
    )
  },
)
