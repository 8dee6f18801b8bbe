import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginNext,
  costUntilRoom,
  lackOfRoom,
  leave,
  openQueue,
  placeToYield,
  takePlace,
  type FairQueue,
  type QueuePlace,
} from './fair-queue.ts'

const LIMITS = { underWay: 2, waiting: 6, waitingEach: 3 }

const ask = (queue: FairQueue, owner: string, cost = 1): QueuePlace =>
  takePlace(queue, { owner, cost })

/** Takes a place if there is room. Returns the growth of the queue in places. */
function askIfRoom(queue: FairQueue, { owner, cost }: Pick<QueuePlace, 'owner' | 'cost'>): number {
  if (lackOfRoom(queue, owner) !== undefined) return 0
  const yielding = placeToYield(queue, owner)
  if (yielding) leave(queue, yielding)
  ask(queue, owner, cost)
  return yielding ? 0 : 1
}

function orderOf(queue: FairQueue): string[] {
  const order: string[] = []
  for (let place = beginNext(queue); place; place = beginNext(queue)) {
    order.push(place.owner)
    leave(queue, place)
  }
  return order
}

test('a newcomer waits for one turn of each of the others, not for all their requests', () => {
  const queue = openQueue({ underWay: 1, waiting: 20, waitingEach: 5 })
  for (const owner of ['ada', 'bob']) for (let count = 0; count < 4; count += 1) ask(queue, owner)
  expect([beginNext(queue)?.owner]).toEqual(['ada'])
  ask(queue, 'eve')
  for (const place of queue.underWay) leave(queue, place)
  expect(orderOf(queue).indexOf('eve')).toBeLessThanOrEqual(2)
})

test('cheap turns run before expensive ones, and an expensive one still gets its turn', () => {
  const queue = openQueue({ underWay: 1, waiting: 100, waitingEach: 1 })
  ask(queue, 'dear', 50)
  const order: string[] = []
  for (let round = 0; round < 100; round += 1) {
    ask(queue, `cheap ${round}`)
    const place = beginNext(queue)
    order.push(place?.owner ?? '')
    if (place) leave(queue, place)
  }
  expect(order[0]).toBe('cheap 0')
  expect(order.indexOf('dear')).toBe(98)
})

test('one owner has one turn at a time', () => {
  const queue = openQueue(LIMITS)
  for (let count = 0; count < 3; count += 1) ask(queue, 'ada')
  expect([beginNext(queue)?.owner, beginNext(queue)]).toEqual(['ada', undefined])
  ask(queue, 'bob')
  expect([beginNext(queue)?.owner, beginNext(queue)]).toEqual(['bob', undefined])
})

test('the queue has a limit per owner and one in total', () => {
  const queue = openQueue(LIMITS)
  for (let count = 0; count < 3; count += 1) ask(queue, 'ada')
  expect([lackOfRoom(queue, 'ada'), lackOfRoom(queue, 'bob')]).toEqual([
    'full-for-owner',
    undefined,
  ])
  for (const owner of ['bob', 'bob', 'joe']) ask(queue, owner)
  expect([lackOfRoom(queue, 'ada'), lackOfRoom(queue, 'bob')]).toEqual(['full-for-owner', 'full'])
})

test('in a full queue a newcomer takes the last place of the owner with the most places', () => {
  const queue = openQueue(LIMITS)
  expect(placeToYield(queue, 'eve'), 'there is room').toBeUndefined()
  const places = ['ada', 'ada', 'ada', 'bob', 'bob', 'joe'].map((owner) => ask(queue, owner))
  expect([lackOfRoom(queue, 'eve'), placeToYield(queue, 'eve')]).toEqual([undefined, places[2]])
  for (const owner of ['ada', 'bob'])
    expect([lackOfRoom(queue, owner) === undefined, placeToYield(queue, owner)]).toEqual([
      false,
      undefined,
    ])
  const lone = openQueue(LIMITS)
  for (let count = 0; count < LIMITS.waiting; count += 1) ask(lone, `owner ${count}`)
  expect([lackOfRoom(lone, 'eve'), placeToYield(lone, 'eve')]).toEqual(['full', undefined])
})

test('leaving the queue makes room', () => {
  const queue = openQueue({ ...LIMITS, waitingEach: 1 })
  const place = ask(queue, 'ada')
  expect(lackOfRoom(queue, 'ada')).toBe('full-for-owner')
  leave(queue, place)
  expect([lackOfRoom(queue, 'ada'), beginNext(queue)]).toEqual([undefined, undefined])
})

const asked = fc.array(
  fc.record({
    owner: fc.constantFrom('ada', 'bob', 'eve', 'joe'),
    cost: fc.integer({ min: 1, max: 50 }),
    ends: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 60 },
)

test('any requests respect the limits, and each accepted one gets its turn', () => {
  fc.assert(
    fc.property(asked, (requests) => {
      const queue = openQueue(LIMITS)
      let [taken, served] = [0, 0]
      const begin = () => {
        while (beginNext(queue)) served += 1
        const owners = queue.underWay.map(({ owner }) => owner)
        expect(
          owners.length <= LIMITS.underWay &&
            new Set(owners).size === owners.length &&
            queue.waiting.length <= LIMITS.waiting,
        ).toBe(true)
      }
      for (const { ends, ...request } of requests) {
        taken += askIfRoom(queue, request)
        begin()
        for (const place of queue.underWay.slice(0, ends)) leave(queue, place)
      }
      begin()
      for (let [place] = queue.underWay; place; [place] = queue.underWay) {
        leave(queue, place)
        begin()
      }
      expect([served, queue.waiting]).toEqual([taken, []])
    }),
  )
})

test('the stated wait is exact: a place is free after it, and not before', () => {
  const request = fc.record({
    owner: fc.constantFrom('ada', 'bob', 'eve'),
    cost: fc.integer({ min: 1, max: 50 }),
  })
  fc.assert(
    fc.property(fc.array(request, { minLength: 8, maxLength: 40 }), (requests) => {
      const queue = openQueue(LIMITS)
      const ends = new Map<QueuePlace, number>()
      const begin = (at: number) => {
        for (let place = beginNext(queue); place; place = beginNext(queue))
          ends.set(place, at + place.cost)
      }
      for (const request of requests) {
        askIfRoom(queue, request)
        begin(0)
      }
      const named = costUntilRoom(queue, 'ada')
      let at = 0
      while (lackOfRoom(queue, 'ada') !== undefined) {
        const [place, end] = [...ends].reduce((soonest, one) =>
          one[1] < soonest[1] ? one : soonest,
        )
        at = end
        ends.delete(place)
        leave(queue, place)
        begin(at)
      }
      expect(named).toBe(at)
    }),
  )
})
