import { expect, test } from 'vitest'
import { measureSkew } from './market-source.ts'

type Exchange = { aheadMs: number; requestMs: number; answerMs: number }

/**
 * An exchange whose clock is ahead of ours. It gets the request after `requestMs`, and its answer
 * takes `answerMs`.
 */
function skewOf({ aheadMs, requestMs, answerMs }: Exchange): Promise<number> {
  let nowMs = Date.UTC(2026, 0, 1)
  const timeMs = async () => {
    nowMs += requestMs
    const theirsMs = nowMs + aheadMs
    nowMs += answerMs
    return theirsMs
  }
  return measureSkew({ timeMs }, () => new Date(nowMs))
}

const WAITS = [0, 40, 900, 6_000, 60_000]
const WAYS = WAITS.flatMap((requestMs) => WAITS.map((answerMs) => ({ requestMs, answerMs })))

test.each(WAYS)(
  'synchronous clocks show no difference after $requestMs ms and $answerMs ms',
  async (way) => {
    expect(await skewOf({ aheadMs: 0, ...way })).toBe(0)
  },
)

test.each(WAYS)(
  'clocks an hour apart show it, minus the uncertainty of $requestMs ms and $answerMs ms',
  async (way) => {
    const open = way.requestMs + way.answerMs
    for (const aheadMs of [3_600_000, -3_600_000]) {
      const skewMs = await skewOf({ aheadMs, ...way })
      expect(Math.sign(skewMs)).toBe(Math.sign(aheadMs))
      expect(Math.abs(skewMs)).toBeLessThanOrEqual(3_600_000)
      expect(Math.abs(skewMs)).toBeGreaterThanOrEqual(3_600_000 - open)
    }
  },
)
