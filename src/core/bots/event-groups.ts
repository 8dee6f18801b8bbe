import type { Units } from '#core/money/amount.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/**
 * A chart shows at most this many groups of events and one more: marks that are closer could not be
 * pressed one by one on a phone.
 */
const GROUPS = 5

/**
 * Groups the events of a chart from `fromMs` to `toMs`. A group holds those that follow its first
 * within a fifth of the chart, so that no two groups start closer than that. `events` are in order
 * of time.
 */
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

/** Exact points for more flows than this would not be visible. */
const MOST_STEPS = 60

/**
 * The times right before and at the latest of `flows`: between the two a curve steps, at once and
 * not over hours.
 */
export function stepTimes(
  flows: readonly { timeMs: number }[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number[] {
  const within = flows.filter(({ timeMs }) => timeMs > fromMs && timeMs <= toMs)
  return within.slice(-MOST_STEPS).flatMap(({ timeMs }) => [timeMs - 1, timeMs])
}

/**
 * `start` plus the flows up to each time: the points at which this changes, and the first. Both
 * lists are in order of time.
 */
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
