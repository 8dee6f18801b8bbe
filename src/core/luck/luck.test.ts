import { describe, expect, test } from 'vitest'
import { luckOf } from './luck.ts'
import { DAYS_A_YEAR } from './returns.ts'

/** Five years of daily returns: `mean` a day, alternately a percent above and below it. */
const returnsOf = (mean: number): number[] =>
  Array.from({ length: 5 * DAYS_A_YEAR }, (_, day) => mean + (day % 2 === 0 ? 0.01 : -0.01))

const TRIALS = { trials: 50, variance: 0.0005, overfitting: 0.1 }
const given = {
  returns: returnsOf(0.003),
  held: returnsOf(0),
  trials: TRIALS,
  cashRate: 0,
  feeBps: 0,
}

describe('a strategy that beats holding every day', () => {
  test('the strategy is distinguishable from luck', () => {
    const luck = luckOf(given)
    expect(luck).toMatchObject({ isDistinguishable: true, trials: 50, years: 5, overfitting: 0.1 })
    expect(luck.aboveHolding).toBeGreaterThan(0.95)
  })

  test('the strategy is not distinguishable if its settings are probably overfitted', () => {
    const trials = { ...TRIALS, overfitting: 0.5 }
    expect(luckOf({ ...given, trials }).isDistinguishable).toBe(false)
  })

  test('the strategy is not distinguishable if holding the coins did as well', () => {
    const luck = luckOf({ ...given, held: given.returns })
    expect(luck.isDistinguishable).toBe(false)
    expect(luck.deflated).toBeGreaterThan(luck.aboveHolding)
  })
})

test('if holding lost money, a strategy is compared with no gain', () => {
  const [small = 1, large = 0] = [-0.001, -0.003].map(
    (mean) => luckOf({ ...given, returns: returnsOf(0.0005), held: returnsOf(mean) }).aboveHolding,
  )
  expect(small).toBeLessThan(0.9)
  expect(large).toBe(small)
})

test('without a choice among settings, a result is never called overfitted', () => {
  const trials = { ...TRIALS, overfitting: undefined }
  expect(luckOf({ ...given, trials })).toMatchObject({
    overfitting: undefined,
    isDistinguishable: true,
  })
})

test('the platform fee is taken from the gains of the band, and not from its losses', () => {
  const gain = luckOf(given).band
  const afterFee = luckOf({ ...given, feeBps: 1_500 }).band
  expect(afterFee.median).toBeCloseTo(gain.median * 0.85)
  const loss = { ...given, returns: returnsOf(-0.003) }
  expect(luckOf({ ...loss, feeBps: 1_500 }).band).toEqual(luckOf(loss).band)
})
