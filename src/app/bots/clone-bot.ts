import type { Bot } from '#contract/bots.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { isSuggestedName, untaken } from '#words/bot-name.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { compareAmounts } from '#app/ui/money/amount-text.ts'
import { readAmount, shareOf } from '#app/ui/money/typed-amount.ts'
import type { BotDraft } from './bot-draft.ts'
import { draftOf } from './guard-draft.ts'
import { NO_PLAN } from './plan-input.ts'

type Cloned = Pick<
  Bot,
  'name' | 'strategy' | 'riskLevel' | 'tradingPairs' | 'investmentAmount' | 'guards'
>

/**
 * A draft with the settings of `bot`, without its plan, and with the same amount if the balance
 * covers it. If the bot's name was suggested, the form suggests a new one.
 */
export function cloneOf(bot: Cloned, available: string): BotDraft {
  const { strategy, riskLevel, tradingPairs, investmentAmount, guards } = bot
  const isThere = compareAmounts(investmentAmount, available) <= 0
  // Leaves room for the number, because names have up to 50 characters.
  const another = isSuggestedName(bot.name, bot)
    ? undefined
    : untaken([...bot.name].slice(0, 48).join(''), [bot.name])
  return {
    strategy,
    riskLevel,
    tradingPairs,
    name: another,
    guards: draftOf(guards),
    savings: NO_PLAN,
    investmentAmount: isThere ? typedDecimal(investmentAmount) : suggestedAmount(available),
  }
}

/** A quarter of the available balance; undefined if that is below the minimum. */
export function suggestedAmount(available: string): string | undefined {
  const amount = shareOf(available, 25)
  return decimalToUnits(readAmount(amount) ?? '0') < MINIMUM_INVESTMENT ? undefined : amount
}
