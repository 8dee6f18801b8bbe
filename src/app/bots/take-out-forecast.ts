import type { Bot } from '#contract/bots.ts'
import {
  forecastReturn,
  investedPart,
  LEAST_PERCENT,
  MOST_PERCENT,
  partInBps,
} from '#core/bots/take-out.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { typedText } from '#core/typed-text.ts'

export type Forecast = {
  out: string
  cost: string
  fee: string
  returned: string
  staysInvested: string
}

export function readPercent(typed: string): number | undefined {
  const [, digits] = /^(\d{1,2})\s*%?$/.exec(typedText(typed)) ?? []
  const percent = Number(digits ?? 0)
  return percent >= LEAST_PERCENT && percent <= MOST_PERCENT ? percent : undefined
}

type Forecasted = Pick<Bot, 'equity' | 'closingFee' | 'coins' | 'investmentAmount' | 'feeBps'>

/**
 * Forecast of taking out a part of a bot, in dollars at the last price. `costBps`: all costs of a
 * trade.
 */
export function forecastOf(
  bot: Forecasted,
  { percent, costBps }: { percent: number; costBps: number },
): Forecast {
  return forecast(bot, { bps: partInBps(percent), costBps })
}

export function forecastClosing(bot: Forecasted, costBps: number): Forecast {
  return forecast(bot, { bps: Number(ALL_BPS), costBps })
}

function forecast(
  { equity, closingFee, coins, investmentAmount, feeBps }: Forecasted,
  { bps, costBps }: { bps: number; costBps: number },
): Forecast {
  const invested = decimalToUnits(investmentAmount)
  const { out, cost, fee, returned } = forecastReturn({
    worth: decimalToUnits(equity) + decimalToUnits(closingFee),
    coins: decimalToUnits(coins),
    invested,
    bps,
    feeBps,
    costBps,
  })
  const text = (units: bigint) => unitsToDecimal(units, 2)
  return {
    out: text(out),
    cost: text(cost),
    fee: text(fee),
    returned: text(returned),
    staysInvested: text(invested - investedPart({ invested, takingBps: bps, out })),
  }
}
