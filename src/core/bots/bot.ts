import { PAIRS, parsePair, type Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { isOneLine } from '#core/one-line.ts'
import { Refusal } from '#core/refusal.ts'

/** What a bot's owner wants. active: trades · paused: keeps what it holds · closing: sells and returns the money · closed: has done so. */
export type BotStatus = 'active' | 'paused' | 'closing' | 'closed'

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

/**
 * Refuses money for a bot below the minimum or above what is available, in this order. `field`: what it is called where it was typed, the
 * investment of a new bot or the amount that is added to one.
 */
export function checkInvestment({ amount, available, field = 'investmentAmount' }: { amount: Units; available: Units; field?: string }): void {
  if (amount < MINIMUM_INVESTMENT) throw new Refusal('bot-amount-invalid', { field })
  if (amount > available) throw new Refusal('bot-amount-above-available', { field })
}

/** A bot as far as the rules about its money need it. `takingBps`: the part that its owner wants out, until it is paid. */
export type BotStanding = { status: BotStatus; takingBps: number | null }

/** The status after the user's switch. A closing bot stays closing; one that sells for its owner is paused afterwards. */
export function switchBot({ status, takingBps }: BotStanding, isActive: boolean): BotStatus {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (!isActive && takingBps !== null) throw new Refusal('bot-busy')
  return isActive ? 'active' : 'paused'
}

/** Refuses to put money into a bot that is closing, or of which a part is being taken out. */
export function checkTopUp({ status, takingBps }: BotStanding): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  if (takingBps !== null) throw new Refusal('bot-busy')
}
