import { english } from '#core/english.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideCeil, multiplyDivideFloor } from '#core/money/rounding.ts'
import { Refusal } from '#core/refusal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { splitInvestment } from '#core/trading/position.ts'
import { isMovingMoney, type BotStanding } from './bot.ts'

export const PAUSED_SENTENCE = english('Resume this bot first to change its settings.')

export type BotSettings = { riskLevel: RiskLevel; tradingPairs: readonly Pair[] }

export function isSameSettings(one: BotSettings, other: BotSettings): boolean {
  return one.riskLevel === other.riskLevel && one.tradingPairs.join() === other.tradingPairs.join()
}

/** Refuses a bot that is closing, paused, stopped or moving money. */
export function checkChange({
  status,
  isSettled,
  ...money
}: BotStanding & { isSettled: boolean }): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (status === 'paused' || status === 'stopped')
    throw new Refusal('bot-paused', { sentence: PAUSED_SENTENCE })
  if (isMovingMoney(money) || !isSettled) throw new Refusal('bot-busy')
}

/**
 * The part of each kept pair to sell, in basis points, so that all `after` pairs get equal parts.
 */
export function partForAdded({ before, after }: { before: number; after: number }): number {
  return before < after ? Math.floor((Number(ALL_BPS) * (after - before)) / after) : 0
}

type Freed = {
  freed: Units
  before: number
  /** By pair of the changed bot. */
  isEmpty: readonly boolean[]
}

/**
 * After a change each pair has an equal part of the investment: an added pair gets a whole part; if
 * pairs were removed, each kept pair gets the difference. The first pair that gets anything also
 * gets the remainder.
 */
export function splitFreed({ freed, before, isEmpty }: Freed): Units[] {
  const after = isEmpty.length
  const weights = isEmpty.map((empty) => BigInt(empty ? before : Math.max(0, before - after)))
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  // Every pair has its part, so this is money that a dead pair returned late: it is split equally.
  if (all === 0n) return splitInvestment({ invested: freed, count: after })
  const parts = weights.map((weight) => multiplyDivideFloor({ a: freed, b: weight, divisor: all }))
  const rest = freed - parts.reduce((sum, part) => sum + part, 0n)
  const first = weights.findIndex((weight) => weight > 0n)
  return parts.map((part, place) => (place === first ? part + rest : part))
}

type Change = { from: BotSettings; to: BotSettings }

/** The part that a change sells, in basis points, assuming equal holdings. */
export function movedBps({ from, to }: Change): number {
  if (from.riskLevel !== to.riskLevel) return Number(ALL_BPS)
  const [before, after] = [from.tradingPairs.length, to.tradingPairs.length]
  const kept = from.tradingPairs.filter((pair) => to.tradingPairs.includes(pair)).length
  return Math.floor(
    (Number(ALL_BPS) * (before - kept) + kept * partForAdded({ before, after })) / before,
  )
}

type Trading = { worth: Units; coins: Units; costBps: number }

/**
 * Forecasts the money that moves and its trading costs: its coins are sold, then all of it buys
 * coins. `worth`: at the last price, before the closing fee; `coins`: its part in coins; `costBps`:
 * of one trade.
 */
export function forecastChange({ worth, coins, costBps, ...change }: Change & Trading): {
  moved: Units
  selling: Units
  buying: Units
} {
  const part = (of: Units) =>
    multiplyDivideFloor({ a: of, b: BigInt(movedBps(change)), divisor: ALL_BPS })
  const cost = (of: Units) => multiplyDivideCeil({ a: of, b: BigInt(costBps), divisor: ALL_BPS })
  return { moved: part(worth), selling: cost(part(coins)), buying: cost(part(worth)) }
}
