import type { Bot } from '#contract/bots.ts'
import { forecastTakeOut, LEAST_PERCENT, MOST_PERCENT } from '#core/bots/take-out.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { typedText } from '#core/typed-text.ts'
import { differenceOf } from '#app/ui/money/amount-text.ts'

export type Forecast = { out: string; fee: string; returned: string; staysInvested: string }

/** The whole percent typed as the part to take out ('25', '25%'); undefined for anything else. */
export function readPercent(typed: string): number | undefined {
  const [, digits] = /^(\d{1,2})\s*%?$/.exec(typedText(typed)) ?? []
  const percent = Number(digits ?? 0)
  return percent >= LEAST_PERCENT && percent <= MOST_PERCENT ? percent : undefined
}

/**
 * Forecast, in dollars at the last price, of taking out a part of a bot. The fee is the difference between the other two lines, so that the three
 * add up to the cent.
 */
export function forecastOf({ equity, closingFee, investmentAmount, feeBps }: Pick<Bot, 'equity' | 'closingFee' | 'investmentAmount' | 'feeBps'>, percent: number): Forecast {
  const invested = decimalToUnits(investmentAmount)
  const { out, returned } = forecastTakeOut({ worth: decimalToUnits(equity) + decimalToUnits(closingFee), invested, percent, feeBps })
  const [wholeOut, wholeReturned] = [unitsToDecimal(out, 2), unitsToDecimal(returned, 2)]
  const part = (invested * BigInt(percent)) / 100n
  return { out: wholeOut, fee: differenceOf(wholeOut, wholeReturned), returned: wholeReturned, staysInvested: unitsToDecimal(invested - part, 2) }
}
