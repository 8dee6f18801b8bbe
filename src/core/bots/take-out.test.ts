import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximum } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { closingFee, PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { checkTakeOut, forecastTakeOut, partInBps, type TakeOutStanding } from './take-out.ts'

test.each([[1, 100], [25, 2_500], [99, 9_900]])('%d percent are %d basis points', (percent, bps) => {
  expect(partInBps(percent)).toBe(bps)
})

test.each([0, -1, 100, 1.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY])('a part of %d percent is refused', (percent) => {
  expect(() => partInBps(percent)).toThrow(expect.objectContaining({ code: 'invalid-input', field: 'percent' }))
})

const standing: TakeOutStanding = { status: 'active', takingBps: null, isSettled: true }

test('a part of a bot that trades and moves no money can be taken out', () => {
  expect(() => checkTakeOut(standing)).not.toThrow()
})

test.each<[string, Partial<TakeOutStanding>, string]>([
  ['a closing bot', { status: 'closing' }, 'bot-closing'],
  ['a paused bot', { status: 'paused' }, 'bot-paused'],
  ['a paused bot that still moves money', { status: 'paused', isSettled: false }, 'bot-paused'],
  ['a bot of which a part is taken out', { takingBps: 2_500 }, 'bot-busy'],
  ['a bot that still moves money', { isSettled: false }, 'bot-busy'],
])('of %s no part is taken out', (_which, change, code) => {
  expect(() => checkTakeOut({ ...standing, ...change })).toThrow(expect.objectContaining({ code }))
})

test.each([
  ['1200', '1000', 25, { out: '300', fee: '7.5', returned: '292.5' }],
  ['900', '1000', 50, { out: '450', fee: '0', returned: '450' }],
  ['1000', '1000', 99, { out: '990', fee: '0', returned: '990' }],
  ['0', '1000', 10, { out: '0', fee: '0', returned: '0' }],
] as const)('of a bot worth %s on %s, %d percent bring %j', (worth, invested, percent, { out, fee, returned }) => {
  const expected = { out: units(out), fee: units(fee), returned: units(returned) }
  expect(forecastTakeOut({ worth: units(worth), invested: units(invested), percent })).toEqual(expected)
})

test('a forecast loses nothing and never takes more than the fee of closing the whole', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 17n })
  fc.assert(fc.property(amount, amount, fc.integer({ min: 1, max: 99 }), (worth, invested, percent) => {
    const { out, fee, returned } = forecastTakeOut({ worth, invested, percent })
    expect(fee + returned).toBe(out)
    expect(out).toBeLessThanOrEqual(worth)
    expect(returned).toBeGreaterThanOrEqual(0n)
    // The floor of the investment's part may leave a unit of profit more.
    expect(fee).toBeLessThanOrEqual(closingFee({ invested, out: worth, feeBps: PERFORMANCE_FEE_BPS }).fee + 1n)
  }))
})

/** What happens to a bot between its beginning and its close. */
type Step = { kind: 'moves' | 'top-up' | 'take-out'; by: number }

test('the same profit is never charged twice, however a bot is topped up and taken out of', () => {
  const step = fc.constantFrom('moves' as const, 'top-up' as const, 'take-out' as const).chain((kind) => fc.integer({ min: 1, max: 99 }).map((by): Step => ({ kind, by })))
  fc.assert(fc.property(fc.bigInt({ min: 10n ** 8n, max: 10n ** 13n }), fc.array(step, { maxLength: 40 }), (start, steps) => {
    let [worth, invested, paidIn, paidOut, fees, lossesAfterwards] = [start, start, start, 0n, 0n, 0n]
    for (const { kind, by } of steps) {
      const before = worth
      if (kind === 'moves') worth = (worth * BigInt(50 + by)) / 100n
      if (worth < before) lossesAfterwards += before - worth
      if (kind === 'top-up') {
        const amount = BigInt(by) * 10n ** 8n
        worth += amount
        invested += amount
        paidIn += amount
      }
      if (kind === 'take-out') {
        const { out, fee } = forecastTakeOut({ worth, invested, percent: by })
        worth -= out
        invested -= (invested * BigInt(by)) / 100n
        paidOut += out
        fees += fee
      }
    }
    const { fee } = closingFee({ invested, out: worth, feeBps: PERFORMANCE_FEE_BPS })
    const profit = maximum(0n, paidOut + worth - paidIn)
    // What later losses took back of a profit that was charged is not given back; nothing else is ever charged beyond 15 % of the whole.
    expect((fees + fee) * 100n).toBeLessThanOrEqual((profit + lossesAfterwards) * 15n)
  }))
})
