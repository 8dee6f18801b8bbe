import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupsOfEvents, stepCurve, stepTimes } from './event-groups.ts'

const chart = { fromMs: 0, toMs: 1_000 }
const events = (...timesMs: number[]) => timesMs.map((timeMs) => ({ timeMs }))

test('events within a fifth of the chart form one group', () => {
  expect(groupsOfEvents(events(0, 10, 199, 200, 400, 950), chart)).toEqual([
    events(0, 10, 199),
    events(200),
    events(400),
    events(950),
  ])
  expect(groupsOfEvents([], chart)).toEqual([])
  expect(groupsOfEvents(events(5_000, 5_199, 5_200), { fromMs: 5_000, toMs: 6_000 })).toEqual([
    events(5_000, 5_199),
    events(5_200),
  ])
})

test('no event is lost, and at most six groups lie a fifth of the chart apart', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000 })), (timesMs) => {
      const sorted = events(...timesMs.toSorted((a, b) => a - b))
      const groups = groupsOfEvents(sorted, chart)
      expect(groups.flat()).toEqual(sorted)
      expect(groups.length).toBeLessThanOrEqual(6)
      const starts = groups.map(([first]) => first?.timeMs ?? 0)
      for (const [index, start] of starts.entries())
        if (index > 0) expect(start - (starts[index - 1] ?? 0)).toBeGreaterThanOrEqual(200)
    }),
  )
})

test('on a chart that spans no time, all events are kept', () => {
  expect(groupsOfEvents(events(5, 5), { fromMs: 5, toMs: 5 }).flat()).toEqual(events(5, 5))
})

test('a step adds a point just before it and one at it; flows outside the chart add none', () => {
  expect(stepTimes(events(0, 300, 1_000, 1_001), chart)).toEqual([299, 300, 999, 1_000])
  expect(
    stepTimes(events(...Array.from({ length: 100 }, (_, index) => index + 1)), chart),
  ).toHaveLength(120)
})

test('a step curve has its first point and those at which it changes', () => {
  const flows = [
    { timeMs: 100, amount: 50n },
    { timeMs: 300, amount: 10n },
    { timeMs: 300, amount: -10n },
    { timeMs: 400, amount: -20n },
  ]
  expect(stepCurve(flows, { start: 100n, timesMs: [0, 99, 100, 200, 300, 500] })).toEqual([
    { timeMs: 0, equity: 100n },
    { timeMs: 100, equity: 150n },
    { timeMs: 500, equity: 130n },
  ])
})
