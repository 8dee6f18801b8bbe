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
 * active: trades · paused: keeps its holdings · stopped: a guard sold its coins; the bot keeps the
 * money · closing: sells and returns its money · closed: all money returned.
 */
export type BotStatus = 'active' | 'paused' | 'stopped' | 'closing' | 'closed'

export const MINIMUM_INVESTMENT: Units = ONE

export const LONG_NAME_SENTENCE = english('A bot name can have up to 50 characters.')

/** Returns the name as stored. Refuses anything but 1 to 50 visible characters on one line. */
export function checkBotName(name: string): string {
  const tidied = tidyName(name)
  const refuse = (sentence?: string) => {
    throw new Refusal('bot-name-invalid', { field: 'name', ...(sentence && { sentence }) })
  }
  if (tidied.length === 0) refuse()
  if ([...tidied].length > 50) refuse(LONG_NAME_SENTENCE)
  if (!isOneLine(tidied)) refuse(ONE_LINE_SENTENCE)
  return tidied
}

/**
 * Returns the pairs in the order of `PAIRS`. Refuses an empty list, unknown or unavailable pairs,
 * and duplicates.
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

export function checkStrategy({
  strategy,
  riskLevel,
}: {
  strategy: StrategyKind
  riskLevel?: RiskLevel | undefined
}): StrategyChoice {
  const levels = levelsOf(strategy)
  if (riskLevel !== undefined && !levels.includes(riskLevel))
    throw new Refusal('invalid-input', {
      field: 'riskLevel',
      sentence: english('Hold bots are always aggressive: all their money is in coins.'),
    })
  return { strategy, riskLevel: riskLevel ?? (levels.length === 1 ? LEVEL_OF_HOLD : 'moderate') }
}

type Investment = {
  amount: Units | undefined
  available: Units
  field?: 'investmentAmount' | 'amount'
}

/**
 * Refuses in this order: no amount (undefined: unreadable text), below the minimum, above the
 * available balance.
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
 * `takingBps`: the part of the bot that is being taken out, in basis points; `isChanging`: money is
 * moving to other pairs or another risk level.
 */
export type BotStanding = { status: BotStatus; takingBps: number | null; isChanging: boolean }

export function isMovingMoney({
  takingBps,
  isChanging,
}: Pick<BotStanding, 'takingBps' | 'isChanging'>): boolean {
  return takingBps !== null || isChanging
}

export function switchBot({ status, ...money }: BotStanding, isActive: boolean): BotStatus {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (!isActive && isMovingMoney(money)) throw new Refusal('bot-busy')
  return isActive ? 'active' : 'paused'
}

export function checkTopUp({ status, ...money }: BotStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (isMovingMoney(money)) throw new Refusal('bot-busy')
}
