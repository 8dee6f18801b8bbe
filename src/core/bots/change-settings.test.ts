import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import {
  checkChange,
  forecastChange,
  isSameSettings,
  movedBps,
  partForAdded,
  splitFreed,
  type BotSettings,
} from './change-settings.ts'

const [BTC, ETH, ADA] = ['BTC/USDT', 'ETH/USDT', 'ADA/USDT'] as const
const standing = { status: 'active', takingBps: null, isChanging: false, isSettled: true } as const

test('an active bot that is moving no money can change', () => {
  expect(() => checkChange(standing)).not.toThrow()
})

test.each([
  ['closing', { status: 'closing' }, 'bot-closing'],
  ['paused', { status: 'paused' }, 'bot-paused'],
  ['taking money out', { takingBps: 100 }, 'bot-busy'],
  ['changing', { isChanging: true }, 'bot-busy'],
  ['still moving money', { isSettled: false }, 'bot-busy'],
] as const)('a bot that is %s refuses a change', (_which, state, code) => {
  expect(() => checkChange({ ...standing, ...state })).toThrow(expect.objectContaining({ code }))
})

test('a paused bot must be resumed before a change', () => {
  const sentence = 'Resume this bot first to change its settings.'
  expect(() => checkChange({ ...standing, status: 'paused' })).toThrow(
    expect.objectContaining({ sentence }),
  )
})

test.each([
  [1, 2, 5_000],
  [2, 3, 3_333],
  [1, 12, 9_166],
  [2, 2, 0],
  [3, 1, 0],
])('from %d to %d pairs, each pair that stays gives %d basis points', (before, after, bps) => {
  expect(partForAdded({ before, after })).toBe(bps)
})

test.each([
  ['a dropped pair pays for an added one', 2, [false, true], ['0', '90']],
  ['added pairs share equally', 1, [true, true, true], ['30', '30', '30']],
  ['fewer pairs share what is left over', 3, [false, false], ['45', '45']],
  ['an added pair gets a whole part, a kept one the rest', 3, [false, true], ['22.5', '67.5']],
])('%s', (_what, before, isEmpty, parts) => {
  expect(splitFreed({ freed: units('90'), before, isEmpty })).toEqual(parts.map(units))
})

test('a remainder goes to the first pair that gets anything; if none does, all share it', () => {
  expect(splitFreed({ freed: 5n, before: 2, isEmpty: [false, true, true] })).toEqual([0n, 3n, 2n])
  expect(splitFreed({ freed: 5n, before: 2, isEmpty: [false, false] })).toEqual([3n, 2n])
})

test('nothing is lost when money is split, and no part is negative', () => {
  const cases = [
    fc.bigInt({ min: 0n, max: 10n ** 18n }),
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  ] as const
  fc.assert(
    fc.property(...cases, (freed, before, isEmpty) => {
      const parts = splitFreed({ freed, before, isEmpty })
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(freed)
      expect(parts.every((part) => part >= 0n)).toBe(true)
    }),
  )
})

test('after a change of pairs, each has an equal part of the investment', () => {
  const pairs = fc.subarray([...PAIRS], { minLength: 1 })
  fc.assert(
    fc.property(pairs, pairs, (from, to) => {
      if (from.join() === to.join()) return
      const each = units('120000') / BigInt(from.length)
      const given =
        (each * BigInt(partForAdded({ before: from.length, after: to.length }))) / 10_000n
      const isEmpty = to.map((pair) => !from.includes(pair))
      const kept = to.length - isEmpty.filter(Boolean).length
      const freed = each * BigInt(from.length - kept) + given * BigInt(kept)
      const parts = splitFreed({ freed, before: from.length, isEmpty }).map(
        (part, place) => part + (isEmpty[place] === true ? 0n : each - given),
      )
      // Parts sold from kept pairs are whole basis points.
      for (const part of parts)
        expect(Number(part) / (Number(units('120000')) / to.length)).toBeCloseTo(1, 2)
    }),
  )
})

test.each<[BotSettings, BotSettings, number]>([
  [
    { riskLevel: 'moderate', tradingPairs: [BTC] },
    { riskLevel: 'aggressive', tradingPairs: [BTC] },
    10_000,
  ],
  [
    { riskLevel: 'moderate', tradingPairs: [BTC, ETH] },
    { riskLevel: 'moderate', tradingPairs: [BTC] },
    5_000,
  ],
  [
    { riskLevel: 'moderate', tradingPairs: [BTC] },
    { riskLevel: 'moderate', tradingPairs: [BTC, ETH] },
    5_000,
  ],
  [
    { riskLevel: 'moderate', tradingPairs: [BTC, ETH] },
    { riskLevel: 'moderate', tradingPairs: [BTC, ADA] },
    5_000,
  ],
])('from %j to %j, %d basis points of the bot move', (from, to, bps) => {
  expect(movedBps({ from, to })).toBe(bps)
  const part = (amount: string) => (units(amount) * BigInt(bps)) / 10_000n
  expect(
    forecastChange({ worth: units('1000'), coins: units('300'), from, to, costBps: 17 }),
  ).toEqual({
    moved: part('1000'),
    selling: (part('300') * 17n) / 10_000n,
    buying: (part('1000') * 17n) / 10_000n,
  })
  expect(forecastChange({ worth: units('1000'), coins: 0n, from, to, costBps: 17 }).selling).toBe(
    0n,
  )
})

test('settings are the same when the risk level and all pairs are', () => {
  const tradingPairs: Pair[] = [BTC, ETH]
  for (const riskLevel of RISK_LEVELS)
    expect(
      isSameSettings({ riskLevel, tradingPairs }, { riskLevel: 'moderate', tradingPairs }),
    ).toBe(riskLevel === 'moderate')
  expect(
    isSameSettings(
      { riskLevel: 'moderate', tradingPairs },
      { riskLevel: 'moderate', tradingPairs: [BTC] },
    ),
  ).toBe(false)
})
