import { expect, test } from 'vitest'
import { nearlyNormal, uniformFrom } from '#core/market/seeded.ts'
import { overfittingOf } from '../../bench/overfitting.ts'

function noise(
  seed: number,
  {
    settings,
    days,
    drift = () => 0,
  }: { settings: number; days: number; drift?: (setting: number) => number },
): number[][] {
  const uniform = uniformFrom(seed)
  return Array.from({ length: settings }, (_, setting) =>
    Array.from({ length: days }, () => 0.01 * nearlyNormal(uniform) + drift(setting)),
  )
}

test.each([1, 2, 3, 4, 5])(
  'the probability equals a direct walk through every split, day by day: draw %i',
  (seed) => {
    const trials = noise(seed, { settings: 7, days: 67 })
    const { probability, chosen, afterwards } = overfittingOf(trials, 6)
    const plain = bySplits(trials, 6)
    expect(probability).toBe(plain.probability)
    expect(chosen).toBeCloseTo(plain.chosen, 10)
    expect(afterwards).toBeCloseTo(plain.afterwards, 10)
  },
)

test('a setting that is better on all days is best in every half: no overfitting', () => {
  expect(
    overfittingOf(
      noise(1, { settings: 9, days: 320, drift: (setting) => (setting === 4 ? 0.03 : 0) }),
    ).probability,
  ).toBe(0)
})

test('settings that won in one half and lost in the other are always overfitted', () => {
  const won = (block: number, setting: number) => ((setting >> block) & 1 ? 1 : -1)
  const settings = Array.from({ length: 16 }, (_, bits) => bits).filter((bits) =>
    [3, 5, 6, 9, 10, 12].includes(bits),
  )
  const trials = settings.map((setting) =>
    Array.from(
      { length: 40 },
      (_, day) => won(Math.floor(day / 10), setting) * (day % 2 === 0 ? 0.01 : 0.03),
    ),
  )
  expect(overfittingOf(trials, 4).probability).toBe(1)
})

test('among settings without skill, the best of one half is often below the other’s median', () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => seed)
  const mean =
    seeds.reduce(
      (sum, seed) => sum + overfittingOf(noise(seed, { settings: 20, days: 400 }), 10).probability,
      0,
    ) / seeds.length
  expect(mean).toBeGreaterThan(0.4)
  expect(mean).toBeLessThan(0.6)
})

/** An independent computation: halves as lists of days, ratios from the returns themselves. */
function bySplits(trials: readonly (readonly number[])[], blocks: number) {
  const perBlock = Math.floor((trials[0]?.length ?? 0) / blocks)
  const skipped = (trials[0]?.length ?? 0) - perBlock * blocks
  const sharpe = (returns: readonly number[]) => {
    const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length
    const variance =
      returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1)
    return (mean / Math.sqrt(variance)) * Math.sqrt(365)
  }
  const choose = (from: number, count: number): number[][] => {
    if (count === 0) return [[]]
    return Array.from({ length: blocks - from }, (_, index) => from + index).flatMap((first) =>
      choose(first + 1, count - 1).map((rest) => [first, ...rest]),
    )
  }
  const splits = choose(0, blocks / 2)
  const results = splits.map((inside) => {
    const half = (isInside: boolean) =>
      trials.map((returns) =>
        sharpe(
          returns.filter(
            (_each, day) =>
              day >= skipped &&
              inside.includes(Math.floor((day - skipped) / perBlock)) === isInside,
          ),
        ),
      )
    const [here, there] = [half(true), half(false)]
    const best = here.indexOf(Math.max(...here))
    const place = there.toSorted((a, b) => a - b).indexOf(there[best] ?? 0) + 1
    const share = place / (trials.length + 1)
    return {
      isFallen: Math.log(share / (1 - share)) <= 0,
      chosen: here[best] ?? 0,
      afterwards: there[best] ?? 0,
    }
  })
  const mean = (figure: (result: (typeof results)[number]) => number) =>
    results.reduce((sum, result) => sum + figure(result), 0) / results.length
  return {
    probability: mean(({ isFallen }) => (isFallen ? 1 : 0)),
    chosen: mean((result) => result.chosen),
    afterwards: mean((result) => result.afterwards),
  }
}
