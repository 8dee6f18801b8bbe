import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

const LIMITS = { underWay: 1, waiting: 2, waitingEach: 2 }

/** A piece of work that lasts until `finish`. */
function work() {
  let finish = (): void => undefined
  const done = new Promise<void>((resolve) => (finish = resolve))
  return { done, finish }
}

test('work runs in turn: the next begins once the last has succeeded or failed', async () => {
  const turns = openTurns({ limits: LIMITS, msPerCost: 1 })
  const first = work()
  const begun: string[] = []
  const all = [
    turns.take({ owner: 'ada', cost: 1 }, () => (begun.push('ada'), first.done)),
    turns.take(
      { owner: 'bob', cost: 1 },
      () => (begun.push('bob'), Promise.reject(new Error('broken'))),
    ),
    turns.take({ owner: 'eve', cost: 1 }, async () => begun.push('eve')),
  ]
  const settled = Promise.allSettled(all)
  await Promise.resolve()
  expect(begun).toEqual(['ada'])
  first.finish()
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(begun).toEqual(['ada', 'bob', 'eve'])
})

test('a full queue refuses owners and others differently, with the seconds to wait', async () => {
  const turns = openTurns({ limits: LIMITS, msPerCost: 30_000 })
  const first = work()
  const taken = [1, 2, 3].map((count) =>
    turns.take({ owner: `owner ${count}`, cost: 1 }, () => first.done),
  )
  await expect(turns.take({ owner: 'eve', cost: 1 }, () => first.done)).rejects.toMatchObject({
    code: 'busy',
    values: { seconds: '30', wait: '30 seconds' },
  })
  first.finish()
  await Promise.all(taken)
  const second = work()
  const own = [1, 2, 3].map(() => turns.take({ owner: 'ada', cost: 1 }, () => second.done))
  await expect(turns.take({ owner: 'ada', cost: 1 }, () => second.done)).rejects.toMatchObject({
    code: 'too-many-attempts',
  })
  second.finish()
  await Promise.all(own)
})

test('in a full queue a newcomer replaces the last work of an owner with several', async () => {
  const turns = openTurns({ limits: LIMITS, msPerCost: 1 })
  const first = work()
  const [running, next, last] = [1, 2, 3].map(() =>
    turns.take({ owner: 'ada', cost: 1 }, () => first.done),
  )
  const newcomer = turns.take({ owner: 'eve', cost: 1 }, () => Promise.resolve('served'))
  await expect(last).rejects.toMatchObject({ code: 'too-many-attempts' })
  first.finish()
  expect(await newcomer).toBe('served')
  await Promise.all([running, next])
})

test('a caller who has disconnected leaves the queue, and the work never begins', async () => {
  const turns = openTurns({ limits: LIMITS, msPerCost: 1 })
  const first = work()
  const running = turns.take({ owner: 'ada', cost: 1 }, () => first.done)
  const gone = new AbortController()
  let begun = 0
  const left = turns.take({ owner: 'bob', cost: 1, gone: gone.signal }, async () => (begun += 1))
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  await expect(
    turns.take({ owner: 'bob', cost: 1, gone: gone.signal }, async () => (begun += 1)),
  ).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  first.finish()
  await running
  expect([
    begun,
    await turns.take({ owner: 'bob', cost: 1 }, () => Promise.resolve('served')),
  ]).toEqual([0, 'served'])
})
