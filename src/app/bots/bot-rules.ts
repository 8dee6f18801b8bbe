import type { Pair } from '#core/market/pair.ts'
import { compareAmounts, readAmount } from '../ui/amount-text.ts'

export type BotFields = { name: string; tradingPairs: readonly Pair[]; investmentAmount: string }
export type Complaint = { field: 'name' | 'tradingPairs' | 'investmentAmount'; title: string; description: string }

/** The first thing wrong with a bot's form, in the product's own order and words. */
export function checkBot({ name, tradingPairs, investmentAmount }: BotFields, available: string): Complaint | undefined {
  if (name.trim() === '') return { field: 'name', title: 'Invalid Name', description: 'Please enter a bot name' }
  if (tradingPairs.length === 0) {
    return { field: 'tradingPairs', title: 'No Trading Pairs', description: 'Please select at least one trading pair' }
  }
  const amount = readAmount(investmentAmount)
  if (amount === undefined || compareAmounts(amount, '1') < 0) {
    return { field: 'investmentAmount', title: 'Invalid Amount', description: 'Please enter a valid investment amount' }
  }
  if (compareAmounts(amount, available) > 0) {
    return { field: 'investmentAmount', title: 'Insufficient Balance', description: 'Investment amount exceeds available balance' }
  }
  return undefined
}
