import { required } from '#core/assert.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import {
  driftsOf,
  finishable,
  isReturnable,
  moveSleeves,
  payInterest,
  plan,
  planPair,
  returnMoney,
  settle,
  unsynced,
  type PairPlan,
  type Phase,
} from './model/engine.ts'
import { adopt } from './model/sleeves.ts'
import { poolOf, sum, type Model, type ModelChange, type PlannedBlock } from './model/model.ts'
import type { ModelMarket } from './market.ts'
import type { SoakVenue } from './venue.ts'
import { text, type Event } from './trace.ts'

/** Yearly interest on idle cash, in basis points. */
export const YIELD_BPS = 437

/** The product did something other than the rules require. */
export class Difference extends Error {
  override readonly name = 'Difference'
}

type Followed = { model: Model; market: ModelMarket; venue: SoakVenue }

/** Repeats one database transaction of the engine in the model and compares every amount. */
export function follow(followed: Followed, events: readonly Event[]): void {
  const of = (kind: Event['kind']) => events.filter((event) => event.kind === kind)
  const [bots, planned, settled, changes] = [of('bot'), of('planned'), of('settled'), of('change')]
  const returned = bots.filter((event) => isReturn(event))
  const closing = bots.filter(
    (event) => !isReturn(event) && event.row['engine_status'] === 'closing',
  )
  const isPlan = planned.length > 0 || of('served').length > 0
  // Whether a plan only adopts closed bots.
  const isAdoption =
    closing.length > 0 &&
    closing.length === bots.length &&
    settled.length === 0 &&
    changes.length === 0
  if (isAdoption) followClosing(followed.model, closing)
  if (isAdoption && !isPlan) return
  for (const event of of('hour'))
    followHour(followed.model, Date.parse(text(event, 'settled_time')))
  if (of('hour').length === events.length) return
  const interest = changes.filter(({ row }) => row['kind'] === 'yield')
  if (interest.length > 0) {
    if (of('served').length > 0) followDrifts(followed, of('served'))
    sameChanges(interest, payInterest(followed.model, YIELD_BPS))
  } else if (planned.length === 0 && of('served').some((event) => hasDrifted(followed, event)))
    followDrifts(followed, of('served'))
  else if (planned.length > 0 || of('served').length > 0)
    followPlan(followed, { planned, served: of('served') })
  else if (settled.length > 0) followSettlements(followed, { settled, changes })
  else if (returned.length > 0) followReturns(followed.model, returned)
  else followMoves(followed.model, { bots, changes })
}

/** Hours are completed one after the other; none is skipped. */
function followHour(model: Model, hourMs: number): void {
  if (hourMs !== model.settledMs + HOUR_MS) {
    throw new Difference(
      `after ${new Date(model.settledMs).toISOString()} the engine did the hour ` +
        new Date(hourMs).toISOString(),
    )
  }
  model.settledMs = hourMs
}

/**
 * Whether the engine closed a bot or returned a part of its money, instead of adopting an owner's
 * change.
 */
function isReturn({ row, before }: Event): boolean {
  return (
    row['engine_status'] === 'closed' ||
    (before['engine_taking_bps'] !== null &&
      row['engine_taking_bps'] === null &&
      row['engine_status'] === 'active')
  )
}

function followReturns(model: Model, events: readonly Event[]): void {
  for (const event of events) {
    const bot = required(model.bots.get(text(event, 'id')), 'a bot that was created')
    if (!isReturnable(bot))
      throw new Difference(`bot ${bot.id} was paid out before everything that leaves it was sold`)
    returnMoney(model, bot)
  }
}

function followClosing(model: Model, events: readonly Event[]): void {
  const due = unsynced(model).filter(({ status }) => status === 'closing')
  same(
    'closed bots that the engine adopted',
    events.map((event) => text(event, 'id')).toSorted(),
    due.map(({ id }) => id).toSorted(),
  )
  for (const bot of due) adopt(bot)
}

function followMoves(
  model: Model,
  { bots, changes }: { bots: readonly Event[]; changes: readonly Event[] },
): void {
  same(
    'bots that the engine adopted',
    bots.map((event) => text(event, 'id')).toSorted(),
    [...finishable(model), ...unsynced(model)].map(({ id }) => id).toSorted(),
  )
  sameChanges(changes, moveSleeves(model))
}

/** Whether the applied exposure was set by a drift: a plan sets it to the target exposure. */
function hasDrifted({ model, market }: Followed, event: Event): boolean {
  const { pair, strategy } = poolOf(model, Number(text(event, 'id')))
  return Number(text(event, 'applied_bps')) !== market.exposureBps(pair, strategy, event.atMs)
}

function followDrifts({ model, market }: Followed, events: readonly Event[]): void {
  const atMs = required(events[0], 'an event').atMs
  const expected = driftsOf(model, {
    exposureBps: ({ pair, strategy }) => market.exposureBps(pair, strategy, atMs),
    close: (pair) => market.close(pair, floorHour(atMs)),
  })
  const lines = (drifts: typeof expected) =>
    drifts.map(({ id, appliedBps }) => `${id} ${appliedBps}`).toSorted()
  same(
    'drifts of pools',
    lines(
      events.map((event) => ({
        id: Number(text(event, 'id')),
        appliedBps: Number(text(event, 'applied_bps')),
      })),
    ),
    lines(expected),
  )
  for (const { id, appliedBps } of expected)
    poolOf(model, id).holds = { ...poolOf(model, id).holds, appliedBps }
}

type PlanEvents = { planned: readonly Event[]; served: readonly Event[] }
type StoredParty = {
  pool: number
  as: string
  orderQuantity: string
  members: number
  weight: string
  exposureBps: number
}

/** Blocks that are planned together belong to one phase. */
function followPlan(followed: Followed, { planned, served }: PlanEvents): void {
  const { model } = followed
  if (model.isHalted) throw new Difference('the engine planned blocks while orders were halted')
  const blocks = planned.map((event) => ({ id: text(event, 'id'), text: blockText(event) }))
  const atMs = required([...planned, ...served][0], 'an event').atMs
  const pairs = [
    ...new Set([
      ...planned.map((event) => text(event, 'pair') as Pair),
      ...served.map((event) => poolOf(model, Number(text(event, 'id'))).pair),
    ]),
  ]
  const seen = {
    blocks: blocks.map((block) => block.text),
    served: served.map((event) => `${text(event, 'id')} ${text(event, 'applied_bps')}`).toSorted(),
  }
  const tried = (['trade', 'late', 'join'] as const).map((phase) =>
    expectedPlan(followed, { phase, pairs, atMs }),
  )
  const found = tried.find(
    (one) => JSON.stringify([one.texts, one.served]) === JSON.stringify([seen.blocks, seen.served]),
  )
  if (!found)
    throw new Difference(
      `the engine planned ${JSON.stringify(seen)}, and the rules ${JSON.stringify(
        tried.map(({ phase, texts, served: expected }) => ({
          phase,
          blocks: texts,
          served: expected,
        })),
        null,
        1,
      )}`,
    )
  plan(model, {
    plans: found.plans,
    phase: found.phase,
    blocks: found.blocks.map((block, at) => ({ ...block, id: required(blocks[at], 'a block').id })),
  })
}

type Expected = {
  phase: Phase
  plans: PairPlan[]
  blocks: Omit<PlannedBlock, 'id'>[]
  texts: string[]
  served: string[]
}

function expectedPlan(
  { model, market, venue }: Followed,
  { phase, pairs, atMs }: { phase: Phase; pairs: readonly Pair[]; atMs: number },
): Expected {
  const ordered = [...model.pools.values()]
    .map(({ pair }) => pair)
    .filter((pair, at, all) => all.indexOf(pair) === at && pairs.includes(pair))
  const plans: PairPlan[] = []
  const blocks: Omit<PlannedBlock, 'id'>[] = []
  for (const pair of ordered) {
    const price = market.price(pair, atMs)
    if (price === undefined) continue
    const made = planPair(model, {
      pair,
      phase,
      price,
      exposureBps: ({ strategy }) => market.exposureBps(pair, strategy, atMs),
    })
    plans.push(made)
    for (const side of ['sell', 'buy'] as const) {
      const order = orderOf(venue, { pair, side, price, parties: made[side] })
      if (order.parties.length > 0) blocks.push(order)
    }
  }
  const served = plans
    .flatMap((made) => made.served.map(({ id, exposureBps }) => `${id} ${exposureBps}`))
    .toSorted()
  return { phase, plans, blocks, texts: blocks.map((block) => expectedText(block, atMs)), served }
}

type Wanted = Pick<PlannedBlock, 'pair' | 'side' | 'price' | 'parties'>

/**
 * The order as the venue accepts it. If the order is too small, the house fills it for leavers and
 * own coins.
 */
function orderOf(venue: SoakVenue, wanted: Wanted): Omit<PlannedBlock, 'id'> {
  const orderQuantity = sum(wanted.parties.map(({ orderQuantity }) => orderQuantity))
  const none = { ...wanted, orderQuantity: 0n, filledBy: 'venue', parties: [] } as const
  if (orderQuantity === 0n) return none
  const answer = venue.judge({ ...wanted, quantity: orderQuantity })
  if (answer === 'yes') return { ...wanted, orderQuantity, filledBy: 'venue' }
  if (answer === 'closed') return none
  const parties = wanted.parties.filter(({ as }) => as === 'leave' || as === 'own')
  return {
    ...wanted,
    parties,
    orderQuantity: sum(parties.map(({ orderQuantity }) => orderQuantity)),
    filledBy: 'house',
  }
}

function expectedText(
  { pair, side, price, orderQuantity, filledBy, parties }: Omit<PlannedBlock, 'id'>,
  atMs: number,
): string {
  const shown = parties.map(({ pool, as, orderQuantity, members, weight, exposureBps }) =>
    [pool, as, String(orderQuantity), members, String(weight), exposureBps].join(' '),
  )
  return [pair, side, price, orderQuantity, filledBy, new Date(atMs).toISOString(), ...shown].join(
    ' | ',
  )
}

function blockText(event: Event): string {
  const parties = JSON.parse(text(event, 'parties')) as StoredParty[]
  const shown = parties.map(({ pool, as, orderQuantity, members, weight, exposureBps }) =>
    [pool, as, orderQuantity, members, weight, exposureBps].join(' '),
  )
  const at = new Date(text(event, 'market_time')).toISOString()
  return [
    text(event, 'pair'),
    text(event, 'side'),
    text(event, 'price'),
    text(event, 'order_quantity'),
    text(event, 'filled_by'),
    at,
    ...shown,
  ].join(' | ')
}

/** Several blocks may be settled in one transaction; no two of them share a pool. */
function followSettlements(
  followed: Followed,
  { settled, changes }: { settled: readonly Event[]; changes: readonly Event[] },
): void {
  const ids = new Set(settled.map((event) => text(event, 'id')))
  same(
    'blocks of changes',
    changes.map(({ row }) => row['block_id'] ?? '').filter((id) => !ids.has(id)),
    [],
  )
  for (const event of settled)
    followSettlement(followed, {
      event,
      changes: changes.filter(({ row }) => row['block_id'] === event.row['id']),
    })
}

function followSettlement(
  { model, venue }: Followed,
  { event, changes }: { event: Event; changes: readonly Event[] },
): void {
  const id = text(event, 'id')
  const block = required(model.blocks.get(id), `planned block ${id}`)
  const { side, orderQuantity: quantity, price } = block
  const fill =
    block.filledBy === 'house'
      ? { ...paperFill({ side, quantity, price, costs: model.costs }), isFullyFilled: true }
      : venue.filled(id)
  if (!fill) throw new Difference(`block ${id} is settled, but the venue never filled it`)
  const booked = ['fill_quantity', 'fill_price', 'fill_notional', 'fill_fee'].map((column) =>
    text(event, column),
  )
  same(
    `fill of block ${id}`,
    booked,
    [fill.quantity, fill.price, fill.notional, fill.fee].map(String),
  )
  sameChanges(changes, settle(model, { id, fill, isFullyFilled: fill.isFullyFilled }))
}

function sameChanges(events: readonly Event[], changes: readonly ModelChange[]): void {
  const columns = [
    'pool',
    'number',
    'kind',
    'block_id',
    'quantity',
    'total',
    'fee',
    'weight',
    'members',
    'cash_after',
    'base_after',
    'units_after',
  ]
  const seen = events.map(({ row }) => columns.map((column) => row[column] ?? '').join(' '))
  const expected = changes.map(
    ({ pool, number, kind, blockId, quantity, total, fee, weight, members, after }) =>
      [
        pool,
        number,
        kind,
        blockId ?? '',
        quantity,
        total,
        fee,
        weight,
        members,
        after.cash,
        after.base,
        after.units,
      ].join(' '),
  )
  same('changes of pools', seen, expected)
}

function same(what: string, seen: readonly string[], expected: readonly string[]): void {
  const at = Math.max(seen.length, expected.length)
  for (let index = 0; index < at; index += 1) {
    if (seen[index] === expected[index]) continue
    throw new Difference(
      `${what}, number ${index + 1}: the product has ${seen[index] ?? 'nothing'}, the model ` +
        (expected[index] ?? 'nothing'),
    )
  }
}
