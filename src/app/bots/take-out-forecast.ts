import type { Bot } from '#contract/bots.ts'
import { forecastTakeOut } from '#core/bots/take-out.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { differenceOf } from '#app/ui/money/amount-text.ts'

export type Forecast = { out: string; fee: string; returned: string; staysInvested: string }

/**
 * What a part of a bot would bring at the last price, in dollars, from the figures of one answer: worth after the fee, that fee, and what is
 * invested. The fee is what is left between the other two, so that the three lines add up to the cent.
 */
export function forecastOf({ equity, closingFee, investmentAmount }: Pick<Bot, 'equity' | 'closingFee' | 'investmentAmount'>, percent: number): Forecast {
  const invested = decimalToUnits(investmentAmount)
  const { out, returned } = forecastTakeOut({ worth: decimalToUnits(equity) + decimalToUnits(closingFee), invested, percent })
  const [wholeOut, wholeReturned] = [unitsToDecimal(out, 2), unitsToDecimal(returned, 2)]
  const part = (invested * BigInt(percent)) / 100n
  return { out: wholeOut, fee: differenceOf(wholeOut, wholeReturned), returned: wholeReturned, staysInvested: unitsToDecimal(invested - part, 2) }
}
