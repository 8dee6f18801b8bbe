import { english } from '#core/english.ts'
import { PAIRS, parsePair, type Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { isOneLine, ONE_LINE_SENTENCE, tidyName } from '#core/one-line.ts'
import { Refusal } from '#core/refusal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import {
  LEVEL_OF_HOLD,
  levelsOf,
  type StrategyChoice,
  type StrategyKind,
} from '#core/strategy/strategy-key.ts'

/**
 * active: trades · paused: keeps what it holds · stopped: a guard sold its coins, and it keeps the
 * money · closing: sells and returns the money · closed: has returned it.
 */
export type BotStatus = 'active' | 'paused' | 'stopped' | 'closing' | 'closed'

/** Least amount that can be invested, in USD. */
export const MINIMUM_INVESTMENT: Units = ONE

/** Shown for another level of a bot that holds. */
const HOLD_LEVEL_SENTENCE = english(
  'A bot that holds is always aggressive: all its money is in coins.',
)

/** Most bots that a user can run at once. */
export const MAXIMUM_BOTS = 100

/** The name as it is stored. Refuses names that are not 1 to 50 visible characters on one line. */
export function checkBotName(name: string): string {
  const tidied = tidyName(name)
  if (tidied.length === 0) throw new Refusal('bot-name-invalid', { field: 'name' })
  if ([...tidied].length > 50)
    throw new Refusal('bot-name-invalid', {
      field: 'name',
      sentence: english('A bot name can have up to 50 characters.'),
    })
  if (!isOneLine(tidied))
    throw new Refusal('bot-name-invalid', { field: 'name', sentence: ONE_LINE_SENTENCE })
  return tidied
}

/**
 * The pairs that a bot will trade, in the product's order. Refuses none at all, unknown or
 * unavailable ones, and duplicates.
 */
export function checkPairs(names: readonly string[], available: readonly Pair[]): Pair[] {
  if (names.length === 0) throw new Refusal('bot-pairs-missing', { field: 'tradingPairs' })
  const pairs = names.map((name) => {
    const pair = parsePair(name)
    if (!pair)
      throw new Refusal('invalid-input', {
        field: 'tradingPairs',
        sentence: english('This trading pair is not supported.'),
      })
    if (!available.includes(pair))
      throw new Refusal('bot-pair-unavailable', { field: 'tradingPairs', values: { pair } })
    return pair
  })
  if (new Set(pairs).size < pairs.length)
    throw new Refusal('bot-pairs-duplicate', { field: 'tradingPairs' })
  return PAIRS.filter((pair) => pairs.includes(pair))
}

/**
 * The kind and the risk level of a new bot; without a level, the usual one. Refuses a level other
 * than its only one for a bot that holds, rather than to follow another than was asked for.
 */
export function checkStrategy({
  strategy,
  riskLevel,
}: {
  strategy: StrategyKind
  riskLevel?: RiskLevel | undefined
}): StrategyChoice {
  const levels = levelsOf(strategy)
  if (riskLevel !== undefined && !levels.includes(riskLevel))
    throw new Refusal('invalid-input', { field: 'riskLevel', sentence: HOLD_LEVEL_SENTENCE })
  return { strategy, riskLevel: riskLevel ?? (levels.length === 1 ? LEVEL_OF_HOLD : 'moderate') }
}

type Investment = {
  amount: Units | undefined
  available: Units
  field?: 'investmentAmount' | 'amount'
}

/**
 * Refuses money for a new or running bot that is no amount (undefined is text that is none), below
 * the minimum, or above the available balance, in this order. `field` is the input's name.
 */
export function checkInvestment({
  amount,
  available,
  field = 'investmentAmount',
}: Investment): void {
  if (amount === undefined || amount < MINIMUM_INVESTMENT)
    throw new Refusal('bot-amount-invalid', { field })
  if (amount > available) throw new Refusal('bot-amount-above-available', { field })
}

/**
 * The part of a bot's state that decides what its owner may do with its money. `takingBps` is the
 * part being taken out, in basis points, until it is paid; `isChanging`: its money is moving to
 * other pairs or another risk level.
 */
export type BotStanding = { status: BotStatus; takingBps: number | null; isChanging: boolean }

/**
 * Whether a part is being taken out or the bot is changing: until that is done, it refuses whatever
 * else would move its money.
 */
export function isMovingMoney({
  takingBps,
  isChanging,
}: Pick<BotStanding, 'takingBps' | 'isChanging'>): boolean {
  return takingBps !== null || isChanging
}

/**
 * The status after the user's switch. Refuses to switch a closing bot, and to pause one while a
 * part of it is being taken out or it is changing.
 */
export function switchBot({ status, ...money }: BotStanding, isActive: boolean): BotStatus {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (!isActive && isMovingMoney(money)) throw new Refusal('bot-busy')
  return isActive ? 'active' : 'paused'
}

/**
 * Refuses to add money to a bot that is closing, or while a part of it is being taken out or it is
 * changing.
 */
export function checkTopUp({ status, ...money }: BotStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (isMovingMoney(money)) throw new Refusal('bot-busy')
}
