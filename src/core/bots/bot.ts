import { PAIRS, parsePair, type Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { isOneLine } from '#core/one-line.ts'
import { Refusal } from '#core/refusal.ts'

/** entering: awaits its first trade · following: trades · paused: keeps what it holds · closing: sells and returns · closed. */
export type BotStatus = 'entering' | 'following' | 'paused' | 'closing' | 'closed'

/** Least that may be invested, USD. */
export const MINIMUM_INVESTMENT: Units = ONE

/** Bots a user may run at once. */
export const MAXIMUM_BOTS = 100

/** The name without surrounding blanks, 1 to 50 visible characters on one line; refuses anything else as 'bot-name-invalid'. */
export function checkBotName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length === 0) throw new Refusal('bot-name-invalid', { field: 'name' })
  if ([...trimmed].length > 50) throw new Refusal('bot-name-invalid', { field: 'name', sentence: 'A bot name has at most 50 characters.' })
  if (!isOneLine(trimmed)) throw new Refusal('bot-name-invalid', { field: 'name', sentence: 'A bot name is one line of visible characters.' })
  return trimmed
}

/** The pairs that a bot will trade, in the product's order: known, available now, none twice. */
export function checkPairs(names: readonly string[], available: readonly Pair[]): Pair[] {
  if (names.length === 0) throw new Refusal('bot-pairs-missing', { field: 'tradingPairs' })
  const pairs = names.map((name) => {
    const pair = parsePair(name)
    if (!pair) throw new Refusal('invalid-input', { field: 'tradingPairs', sentence: 'This trading pair is not known.' })
    if (!available.includes(pair)) {
      throw new Refusal('bot-pair-unavailable', { field: 'tradingPairs', sentence: `There is no market for ${pair} at the moment.` })
    }
    return pair
  })
  if (new Set(pairs).size < pairs.length) throw new Refusal('bot-pairs-duplicate', { field: 'tradingPairs' })
  return PAIRS.filter((pair) => pairs.includes(pair))
}

/** Refuses an investment below the minimum or above what is available, in this order. */
export function checkInvestment({ amount, available }: { amount: Units; available: Units }): void {
  if (amount < MINIMUM_INVESTMENT) throw new Refusal('bot-amount-invalid', { field: 'investmentAmount' })
  if (amount > available) throw new Refusal('bot-amount-above-available', { field: 'investmentAmount' })
}

/** The status after the user's switch: resuming enters at the strategy's present exposure; a closing bot stays closing. */
export function switchBot(status: BotStatus, isActive: boolean): BotStatus {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (!isActive) return 'paused'
  return status === 'paused' ? 'entering' : status
}
