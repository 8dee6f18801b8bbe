/** A counter that rises with what is done and decays with time. */
export type Limit = { most: number; decayPerSecond: number }

export type Counter = {
  /** False where that is more than the limit allows. What is refused still counts, so that who keeps asking stays refused. */
  admits: (cost: number) => boolean
}

export function decayingCounter({ most, decayPerSecond }: Limit, nowMs: () => number): Counter {
  let count = 0
  let countedMs = nowMs()
  return {
    admits: (cost) => {
      const passedMs = Math.max(0, nowMs() - countedMs)
      countedMs = nowMs()
      count = Math.max(0, count - (passedMs / 1_000) * decayPerSecond) + cost
      const isWithin = count <= most
      count = Math.min(count, most + 1)
      return isWithin
    },
  }
}
