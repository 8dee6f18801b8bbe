import fc from 'fast-check'
import { expect, test } from 'vitest'
import { watch, type GuardName, type Guards } from './guard.ts'
import { guardLevels, type GuardLevels } from './guard-levels.ts'

const NONE: Guards = {
  stopLossBps: null,
  stopLossFrom: 'invested',
  takeProfitBps: null,
  dailyLossBps: null,
  coolDownDays: null,
}
const units = (most: bigint) => fc.bigInt({ min: 1n, max: most })
const bps = fc.integer({ min: 1, max: 90 }).map((percent) => percent * 100)

/** Each guard alone, with the name of its level. */
const guards: fc.Arbitrary<[Guards, keyof GuardLevels, GuardName]> = bps.chain((value) =>
  fc.constantFrom<[Guards, keyof GuardLevels, GuardName]>(
    [{ ...NONE, stopLossBps: value }, 'stopLoss', 'stop-loss'],
    [{ ...NONE, stopLossBps: value, stopLossFrom: 'best' }, 'stopLoss', 'trailing-stop'],
    [{ ...NONE, takeProfitBps: value }, 'takeProfit', 'take-profit'],
    [{ ...NONE, dailyLossBps: value }, 'dailyLoss', 'daily-loss'],
  ),
)

test('the engine stops a bot at the level of its guard, and not a unit before', () => {
  fc.assert(
    fc.property(
      guards,
      units(10n ** 15n),
      units(10n ** 15n),
      units(10n ** 15n),
      ([guard, name, stops], start, more, dayStart) => {
        const marks = { start, best: start + more, dayStart, day: 3 }
        const level = guardLevels(guard, marks)[name] ?? 0n
        const at = (worth: bigint) =>
          watch(guard, marks, { worth, timeMs: 3.5 * 86_400_000 }).trip?.guard
        const before = name === 'takeProfit' ? level - 1n : level + 1n
        // A worth above the best would be a new best.
        return at(level) === stops && (before > marks.best || at(before) === undefined)
      },
    ),
  )
})

test('without a guard there is no level', () => {
  const marks = { start: 100n, best: 120n, dayStart: 110n }
  expect(guardLevels(NONE, marks)).toEqual({ stopLoss: null, takeProfit: null, dailyLoss: null })
  const all = { ...NONE, stopLossBps: 1_000, takeProfitBps: 2_000, dailyLossBps: 500 }
  expect(guardLevels(all, marks)).toEqual({ stopLoss: 90n, takeProfit: 120n, dailyLoss: 104n })
})
