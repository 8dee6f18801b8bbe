import { checkInvestment } from '#core/bots/bot.ts'
import { LEAST_PERCENT, MOST_PERCENT } from '#core/bots/take-out.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { readAmount } from '#app/ui/money/amount-text.ts'

export type BotFields = { name: string; tradingPairs: readonly Pair[]; investmentAmount: string }
export type AmountComplaint = { title: string; description: string }
export type Complaint = AmountComplaint & { field: 'name' | 'tradingPairs' | 'investmentAmount' }

const NO_AMOUNT: AmountComplaint = { title: 'Invalid Amount', description: 'Please enter a valid investment amount' }
const TOO_MUCH: AmountComplaint = { title: 'Insufficient Balance', description: 'Investment amount exceeds available balance' }

/** The first thing wrong with a bot's form, in the product's own order and words. */
export function checkBot({ name, tradingPairs, investmentAmount }: BotFields, available: string): Complaint | undefined {
  if (name.trim() === '') return { field: 'name', title: 'Invalid Name', description: 'Please enter a bot name' }
  if (tradingPairs.length === 0) {
    return { field: 'tradingPairs', title: 'No Trading Pairs', description: 'Please select at least one trading pair' }
  }
  const complaint = checkAmount(investmentAmount, available)
  return complaint && { field: 'investmentAmount', ...complaint }
}

/** What is wrong with money for a bot, new or at work: core's own rule, in the product's words. */
export function checkAmount(typed: string, available: string): AmountComplaint | undefined {
  const amount = readAmount(typed)
  if (amount === undefined) return NO_AMOUNT
  try {
    checkInvestment({ amount: decimalToUnits(amount), available: decimalToUnits(available) })
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'bot-amount-above-available' ? TOO_MUCH : NO_AMOUNT
  }
}

/** The whole percent that a person typed as the part to take out ('25', '25%'); undefined where it is not one. */
export function readPercent(typed: string): number | undefined {
  const [, digits] = /^(\d{1,2})\s*%?$/.exec(typed.trim()) ?? []
  const percent = Number(digits ?? 0)
  return percent >= LEAST_PERCENT && percent <= MOST_PERCENT ? percent : undefined
}
