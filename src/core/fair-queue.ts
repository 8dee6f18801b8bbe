/** `underWay`: concurrent turns. `waiting`: places in the queue; `waitingEach`: per owner. */
export type QueueLimits = { underWay: number; waiting: number; waitingEach: number }

/** `cost`: expected work, in any unit; `endTag` orders the places. */
export type QueuePlace = { owner: string; cost: number; endTag: number }

/**
 * Weighted fair queuing (Demers, Keshav and Shenker, 1989). Each owner has one turn at a time;
 * turns of different owners are ordered as if all owners were served at once in small slices. So an
 * owner with much work waits behind owners with little, and nobody starves.
 */
export type FairQueue = {
  limits: QueueLimits
  waiting: QueuePlace[]
  underWay: QueuePlace[]
  /**
   * Virtual time: the work that each owner could have had so far. A new owner starts at this value,
   * not at 0; otherwise a stream of new owners could starve an expensive turn.
   */
  reached: number
}

export function openQueue(limits: QueueLimits): FairQueue {
  return { limits, waiting: [], underWay: [], reached: 0 }
}

type QueueLack = 'full' | 'full-for-owner'

export function lackOfRoom(queue: FairQueue, owner: string): QueueLack | undefined {
  const { limits, waiting } = queue
  if (waiting.filter((place) => place.owner === owner).length >= limits.waitingEach)
    return 'full-for-owner'
  return waiting.length >= limits.waiting && placeToYield(queue, owner) === undefined
    ? 'full'
    : undefined
}

/**
 * The place to evict before `owner` can take one. In a full queue that is the last place of the
 * owner with the most places, unless `owner` would then have as many; so greedy owners cannot lock
 * others out. Undefined if there is room, or if no place may be evicted.
 */
export function placeToYield(
  { limits, waiting }: FairQueue,
  owner: string,
): QueuePlace | undefined {
  if (waiting.length < limits.waiting) return undefined
  const placesOf = (one: string) => waiting.filter((place) => place.owner === one)
  const most = waiting
    .map((place) => placesOf(place.owner))
    .reduce((longest, places) => (places.length > longest.length ? places : longest), [])
  return most.length - placesOf(owner).length > 1 ? most.at(-1) : undefined
}

/** Callers must check for room and evict a place first if needed. */
export function takePlace(
  queue: FairQueue,
  { owner, cost }: Pick<QueuePlace, 'owner' | 'cost'>,
): QueuePlace {
  const own = [...queue.waiting, ...queue.underWay].filter((place) => place.owner === owner)
  const place = {
    owner,
    cost,
    endTag: Math.max(queue.reached, ...own.map(({ endTag }) => endTag)) + cost,
  }
  queue.waiting.push(place)
  return place
}

/** Undefined if no turn can begin now. */
export function beginNext(queue: FairQueue): QueuePlace | undefined {
  const { limits, waiting, underWay } = queue
  if (underWay.length >= limits.underWay) return undefined
  const busy = new Set(underWay.map(({ owner }) => owner))
  const able = waiting.filter(({ owner }) => !busy.has(owner))
  const first = able.reduce<QueuePlace | undefined>(
    (best, place) => (best === undefined || place.endTag < best.endTag ? place : best),
    undefined,
  )
  if (first === undefined) return undefined
  waiting.splice(waiting.indexOf(first), 1)
  underWay.push(first)
  queue.reached += first.cost / new Set([...waiting, ...underWay].map(({ owner }) => owner)).size
  return first
}

/** Ends a turn, or gives up a waiting place. */
export function leave({ waiting, underWay }: FairQueue, place: QueuePlace): void {
  for (const places of [waiting, underWay])
    if (places.includes(place)) places.splice(places.indexOf(place), 1)
}

/**
 * The work, in the unit of `cost`, that must finish before there is room for `owner`, if nobody
 * else joins.
 */
export function costUntilRoom(queue: FairQueue, owner: string): number {
  const ahead: FairQueue = { ...queue, waiting: [...queue.waiting], underWay: [] }
  let running = queue.underWay.map((place) => ({ place, endsAt: place.cost }))
  let at = 0
  while (lackOfRoom(ahead, owner) !== undefined && running.length > 0) {
    const next = running.reduce((soonest, one) => (one.endsAt < soonest.endsAt ? one : soonest))
    at = next.endsAt
    running = running.filter((one) => one !== next)
    ahead.underWay = running.map(({ place }) => place)
    for (let begun = beginNext(ahead); begun; begun = beginNext(ahead))
      running.push({ place: begun, endsAt: at + begun.cost })
  }
  return at
}
