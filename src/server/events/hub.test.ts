import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BEAT_INTERVAL_MS } from '#contract/events.ts'
import type { Prices } from '#contract/market.ts'
import { Hub } from './hub.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

let sessions = 0

function listen(hub: Hub, userId?: string, address = '10.0.0.1') {
  const stream = new ServerResponse(new IncomingMessage(new Socket()))
  const write = vi.spyOn(stream, 'write').mockReturnValue(true)
  const id = `session ${(sessions += 1)}`
  const isAdded = hub.add(stream, {
    session: userId === undefined ? undefined : { id, userId },
    address,
    encoding: 'text',
  })
  return { id, isAdded, stream, written: () => write.mock.calls.map(([text]) => String(text)) }
}

const ticksIn = (texts: string[]) =>
  texts.flatMap((text) =>
    (/event: prices\ndata: (.*)\n/.exec(text)?.slice(1) ?? []).map(
      (data) => JSON.parse(data) as unknown,
    ),
  )

const priced = (price: string, trace: string[] = ['1', '2']): Prices => ({
  BTC: {
    name: 'Bitcoin',
    price,
    change24h: '0.00',
    trace,
    at: '2026-11-22T10:00:00.000Z',
    stale: false,
  },
})

test('an idle stream gets a heartbeat, as an event that scripts receive', () => {
  const hub = new Hub()
  const { written } = listen(hub)
  vi.advanceTimersByTime(BEAT_INTERVAL_MS - 1)
  expect(written()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(written()).toEqual(['event: beat\ndata: {}\n\n'])
  hub.close()
})

test('while events may be lost no heartbeat is sent, so that every page refetches', () => {
  let isHearing = false
  const hub = new Hub(() => isHearing)
  const { written } = listen(hub)
  vi.advanceTimersByTime(BEAT_INTERVAL_MS)
  expect(written()).toEqual([])
  isHearing = true
  vi.advanceTimersByTime(BEAT_INTERVAL_MS)
  expect(written()).toHaveLength(1)
  hub.close()
})

test('prices are sent at once; later changes are sent together, at least two seconds apart', () => {
  const hub = new Hub()
  const { written } = listen(hub)
  for (const price of ['10', '11', '12']) hub.send({ name: 'prices', data: priced(price) })
  expect(ticksIn(written())).toMatchObject([{ BTC: { price: '10', closes: ['1', '2'] } }])
  vi.advanceTimersByTime(2_000)
  expect(ticksIn(written()).slice(1)).toEqual([
    { BTC: { price: '12', change24h: '0.00', at: '2026-11-22T10:00:00.000Z', stale: false } },
  ])
  vi.advanceTimersByTime(10_000)
  hub.send({ name: 'prices', data: priced('12') })
  expect(ticksIn(written()), 'nothing changed').toHaveLength(2)
  hub.send({ name: 'prices', data: priced('12', ['2', '3']) })
  vi.advanceTimersByTime(2_000)
  expect(ticksIn(written()).slice(2)).toMatchObject([{ BTC: { closes: ['3'] } }])
  hub.close()
})

const moment = (number: bigint) => ({ life: '7', number })

/** Names and prices at the start of a stream. */
function beginningOf(hub: Hub, since: bigint) {
  const { stream, written } = listen(hub, 'ada')
  hub.begin(stream, moment(since))
  return {
    names: written().flatMap((text) => /event: (.*)/.exec(text)?.[1] ?? []),
    ticks: ticksIn(written()),
  }
}

test('a reopened stream starts with missed events, one of each kind, and all prices', () => {
  const hub = new Hub()
  hub.listenFrom({ past: moment(10n), next: moment(10n) })
  hub.send({ name: 'prices', data: priced('10'), number: 10n, past: 10n })
  for (const [index, name] of (['bots', 'bots', 'balance'] as const).entries())
    hub.send({ name, userIds: ['ada'], number: BigInt(20 + index), past: 20n })
  hub.send({ name: 'balance', userIds: ['eve'], number: 30n, past: 30n })
  expect(beginningOf(hub, 10n)).toMatchObject({
    names: ['prices', 'bots', 'balance'],
    ticks: [{ BTC: { price: '10', closes: ['1', '2'] } }],
  })
  expect(beginningOf(hub, 11n).names).toEqual(['bots', 'balance'])
  expect(beginningOf(hub, 22n).names).toEqual(['balance'])
  expect(beginningOf(hub, 23n).names).toEqual([])
  hub.close()
})

test("a reopened stream starts with the last state of each pool; a visitor's with none", () => {
  const hub = new Hub()
  hub.listenFrom({ past: moment(10n), next: moment(10n) })
  const [ada, nobody] = [listen(hub, 'ada'), listen(hub)]
  const state = (number: number) => ({
    number,
    cash: '1.00000000',
    base: '0.00000000',
    units: '10000',
  })
  const sent = [{ 7: state(1) }, { 7: state(2), 8: state(1) }, undefined]
  for (const [index, data] of sent.entries())
    hub.send({ name: 'pools', ...(data && { data }), number: BigInt(10 + index), past: 10n })
  const statesIn = (texts: string[]) =>
    texts.flatMap((text) =>
      (/event: pools\ndata: (.*)\n/.exec(text)?.slice(1) ?? []).map(
        (data) => JSON.parse(data) as unknown,
      ),
    )
  expect([statesIn(ada.written()), nobody.written()]).toEqual([sent.map((data) => data ?? {}), []])
  const later = listen(hub, 'ada')
  hub.begin(later.stream, moment(10n))
  expect(statesIn(later.written())).toEqual([{ 7: state(2), 8: state(1) }])
  hub.close()
})

test('the id of an event is the moment before which every transaction is known', () => {
  const hub = new Hub()
  const { written } = listen(hub, 'ada')
  const idsOf = () => written().map((text) => /^id: (.*)\n/.exec(text)?.[1])
  hub.listenFrom({ past: moment(10n), next: moment(12n) })
  // A transaction that began earlier ends later, and a clock is set back.
  for (const [number, past] of [
    [20n, 15n],
    [15n, 15n],
    [21n, 21n],
  ] as const)
    hub.send({ name: 'bots', userIds: ['ada'], number, past })
  vi.setSystemTime(0)
  vi.advanceTimersByTime(BEAT_INTERVAL_MS)
  expect(idsOf()).toEqual(['7.15', '7.15', '7.21', '7.21'])
  expect(beginningOf(hub, 15n).names).toEqual(['bots'])
  expect(
    beginningOf(hub, 11n).names,
    'events of transactions that ended before the process listened',
  ).toEqual(['pools', 'balance', 'bots', 'transactions', 'withdrawals', 'notices'])
  hub.close()
})

test('an event is sent to the streams of its users; without users, to all signed in', () => {
  const hub = new Hub()
  const [ada, eve, nobody] = [listen(hub, 'ada'), listen(hub, 'eve'), listen(hub)]
  hub.send({ name: 'balance', userIds: ['ada', 'joe'] })
  hub.send({ name: 'bots' })
  expect(
    [ada, eve, nobody].map(({ written }) => written().map((text) => /event: (.*)/.exec(text)?.[1])),
  ).toEqual([['balance', 'bots'], ['bots'], []])
  eve.stream.emit('close')
  hub.send({ name: 'bots' })
  expect([ada.written().length, eve.written().length, hub.size()]).toEqual([3, 1, 2])
  hub.close()
})

test("a visitor's address may open 20 streams, all visitors a tenth of the room, a user 20", () => {
  const hub = new Hub()
  const added = (count: number, userId?: string, address?: string) =>
    Array.from({ length: count }, () => listen(hub, userId, address)).filter(
      ({ isAdded }) => isAdded,
    ).length
  expect([added(30), added(30, undefined, '10.0.0.2'), added(30, 'ada'), added(30, 'eve')]).toEqual(
    [20, 20, 20, 20],
  )
  for (let address = 0; address < 200; address += 1) added(20, undefined, `10.1.0.${address}`)
  expect([hub.size() - 40, added(1, undefined, '10.2.0.0'), added(1, 'joe')]).toEqual([2_000, 0, 1])
  const crowd = Array.from({ length: 15 }, (_none, index) => added(20, `user ${index}`, '10.3.0.0'))
  expect(crowd.reduce((sum, count) => sum + count)).toBe(200)
  hub.close()
})

test('the streams of sessions that have ended are ended, and no others', () => {
  const hub = new Hub()
  const [ended, living, anonymous] = [listen(hub, 'ada'), listen(hub, 'ada'), listen(hub)]
  const ends = [ended, living, anonymous].map(({ stream }) => vi.spyOn(stream, 'end'))
  expect(hub.sessions().map(({ id }) => id)).toEqual([ended.id, living.id])
  hub.end(new Set([ended.id, 'another']))
  expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 0, 0])
  hub.close()
})
