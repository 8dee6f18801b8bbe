import type { Units } from '#core/money/amount.ts'

/**
 * new: not yet seen by the engine · joining: its cash waits for the pool · in · pausing · paused:
 * holds its part in kind · resuming: what it holds returns to the pool · leaving: its units or own
 * coins are to be sold · out: nothing is left but cash.
 */
export const SLEEVE_STATUSES = [
  'new',
  'joining',
  'in',
  'pausing',
  'paused',
  'resuming',
  'leaving',
  'out',
] as const
export type SleeveStatus = (typeof SLEEVE_STATUSES)[number]

/**
 * Commands of the sleeve's bot: close (also if stopped, or without this pair) · pause · trade.
 * Movements of the sleeve: joined, with or without an order · left, in full or in part · own-sold:
 * some of its own coins · paused · worthless: its pool held nothing · freed: it got its part of the
 * money that a change of settings freed.
 */
export const SLEEVE_EVENTS = [
  'close',
  'pause',
  'trade',
  'joined',
  'left',
  'own-sold',
  'paused',
  'worthless',
  'freed',
] as const
export type SleeveEvent = (typeof SLEEVE_EVENTS)[number]

/**
 * Amounts of a sleeve after an event; in a worthless pool, the amounts removed. `leaving`: units
 * still to be redeemed. `added`: cash that the event put in. `offer`: the cash before the event,
 * with which the rest is compared.
 */
export type SleeveAmounts = {
  cash: Units
  base: Units
  units: bigint
  leaving: bigint
  added?: Units
  offer?: Units
}

type Fact = { holds: (of: Required<SleeveAmounts>) => boolean; sql: string }

/**
 * Each fact in TypeScript and in SQL, where `:cash` stands for the amount. A test compares both.
 */
const FACTS = {
  hasCash: { holds: ({ cash }) => cash > 0n, sql: ':cash > 0' },
  gotCash: { holds: ({ added }) => added > 0n, sql: ':added > 0' },
  /**
   * Whether the unspent rest is more than a thousandth of the offer. Such a rest waits for the next
   * lot; a smaller one stays idle.
   */
  hasRest: { holds: ({ cash, offer }) => cash > offer / 1_000n, sql: ':cash > :offer / 1000' },
  hasCoins: { holds: ({ base }) => base > 0n, sql: ':base > 0' },
  hasUnits: { holds: ({ units }) => units > 0n, sql: ':units > 0' },
  isRedeeming: { holds: ({ leaving }) => leaving > 0n, sql: ':leaving > 0' },
  keepsUnits: { holds: ({ units, leaving }) => units > leaving, sql: ':units > :leaving' },
} satisfies Record<string, Fact>

/** `from`: any status if missing. `when`: facts that must all hold. */
type Step = {
  on: SleeveEvent
  from?: readonly SleeveStatus[]
  when?: readonly (keyof typeof FACTS)[]
  to: SleeveStatus
}

const IDLE = ['new', 'paused', 'out'] as const
const JOINS = ['joining', 'resuming'] as const

/** The first step that applies is used. Without one, the status stays. */
export const SLEEVE_STEPS: readonly Step[] = [
  { on: 'close', when: ['hasUnits'], to: 'leaving' },
  { on: 'close', when: ['hasCoins'], to: 'leaving' },
  { on: 'close', to: 'out' },
  { on: 'pause', when: ['hasUnits'], to: 'pausing' },
  { on: 'pause', to: 'paused' },
  { on: 'trade', when: ['isRedeeming'], to: 'leaving' },
  { on: 'trade', when: ['hasCoins'], to: 'resuming' },
  { on: 'trade', when: ['gotCash'], to: 'joining' },
  { on: 'trade', from: IDLE, when: ['hasCash'], to: 'joining' },
  { on: 'trade', from: IDLE, to: 'in' },
  { on: 'freed', when: ['isRedeeming'], to: 'leaving' },
  { on: 'freed', when: ['gotCash'], to: 'joining' },

  { on: 'joined', from: ['resuming'], when: ['hasCoins'], to: 'resuming' },
  { on: 'joined', from: JOINS, when: ['hasRest'], to: 'joining' },
  { on: 'joined', from: JOINS, to: 'in' },
  { on: 'left', from: ['leaving'], when: ['isRedeeming'], to: 'leaving' },
  { on: 'left', from: ['leaving'], when: ['keepsUnits', 'hasRest'], to: 'joining' },
  { on: 'left', from: ['leaving'], when: ['keepsUnits'], to: 'in' },
  { on: 'left', from: ['leaving'], when: ['hasCoins'], to: 'leaving' },
  { on: 'left', from: ['leaving'], to: 'out' },
  { on: 'own-sold', from: ['resuming'], when: ['hasCoins'], to: 'resuming' },
  { on: 'own-sold', from: ['resuming'], when: ['hasRest'], to: 'joining' },
  { on: 'own-sold', from: ['resuming'], to: 'in' },
  { on: 'own-sold', from: ['leaving'], when: ['hasCoins'], to: 'leaving' },
  { on: 'own-sold', from: ['leaving'], when: ['hasUnits'], to: 'leaving' },
  { on: 'own-sold', from: ['leaving'], to: 'out' },
  { on: 'paused', from: ['pausing'], to: 'paused' },
  { on: 'worthless', from: ['pausing'], to: 'paused' },
  { on: 'worthless', from: ['leaving'], when: ['hasCoins'], to: 'leaving' },
  { on: 'worthless', from: ['leaving'], when: ['keepsUnits'], to: 'in' },
  { on: 'worthless', from: ['leaving'], to: 'out' },
]

const stepsOn = (event: SleeveEvent) => SLEEVE_STEPS.filter(({ on }) => on === event)

/** The status of a sleeve after an event. */
export function nextStatus(
  event: SleeveEvent,
  { status, ...amounts }: SleeveAmounts & { status: SleeveStatus },
): SleeveStatus {
  const all = { added: 0n, offer: 0n, ...amounts }
  const step = stepsOn(event).find(
    ({ from, when = [] }) =>
      (from === undefined || from.includes(status)) && when.every((name) => FACTS[name].holds(all)),
  )
  return step?.to ?? status
}

/**
 * `nextStatus` as an expression of SQL: `:status` and amounts such as `:cash` stand for the
 * sleeve's.
 */
export function statusCase(event: SleeveEvent): string {
  const branches = stepsOn(event).map(({ from, when = [], to }) => {
    const tests = when.map((name) => FACTS[name].sql)
    if (from) tests.unshift(`:status in (${from.map((status) => `'${status}'`).join(', ')})`)
    return `when ${tests.join(' and ') || 'true'} then '${to}'`
  })
  return `case ${branches.join(' ')} else :status end`
}
