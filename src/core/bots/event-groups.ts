import type { Units } from '#core/money/amount.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** More groups would be too close to tap on a phone. */
const GROUPS = 5

/** A group spans at most a fifth of the chart. Events are in order of time. */
export function groupsOfEvents<Event extends { timeMs: number }>(
  events: readonly Event[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Event[][] {
  const gapMs = (toMs - fromMs) / GROUPS
  const groups: Event[][] = []
  let startMs = Number.NEGATIVE_INFINITY
  for (const event of events) {
    const group = groups.at(-1)
    if (group && event.timeMs - startMs < gapMs) {
      group.push(event)
      continue
    }
    groups.push([event])
    startMs = event.timeMs
  }
  return groups
}

/** More steps could not be seen. */
const MOST_STEPS = 60

/**
 * Two times for each of the latest flows, right before it and at it, so that the curve steps there.
 */
export function stepTimes(
  flows: readonly { timeMs: number }[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number[] {
  const within = flows.filter(({ timeMs }) => timeMs > fromMs && timeMs <= toMs)
  return within.slice(-MOST_STEPS).flatMap(({ timeMs }) => [timeMs - 1, timeMs])
}

/** A step curve: `start` plus the flows so far, with a point at each change, in order of time. */
export function stepCurve(
  flows: readonly { timeMs: number; amount: Units }[],
  { start, timesMs }: { start: Units; timesMs: readonly number[] },
): EquityPoint[] {
  const curve: EquityPoint[] = []
  let equity = start
  let passed = 0
  for (const timeMs of timesMs) {
    for (let flow = flows[passed]; flow && flow.timeMs <= timeMs; flow = flows[passed]) {
      equity += flow.amount
      passed += 1
    }
    if (curve.at(-1)?.equity !== equity) curve.push({ timeMs, equity })
  }
  return curve
}
