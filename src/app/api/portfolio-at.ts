import type { Portfolio } from '#contract/market.ts'
import { RANGE_DAYS } from '#contract/query-values.ts'
import type { CurvePoint } from '#contract/wire.ts'
import { holdsCoins } from '#core/bots/bot-worth.ts'
import { gainOf } from '#core/bots/gain.ts'
import { DAY_MS, floorHour } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import {
  botAt,
  curveFrom,
  grownCurve,
  heldBy,
  newestPools,
  pricedPools,
  timeOfPrices,
  type MarketNow,
} from './bot-at.ts'

const POINTS = 160

/**
 * The portfolio as the server would give it at these prices: worth from the holdings, balances and
 * gains from worth, and curves that go on to now and begin later. An answer newer than the prices
 * stays as it is.
 */
export function portfolioAt(portfolio: Portfolio, market: MarketNow): Portfolio {
  const { curve, range, availableBalance, heldBalance, botHoldings } = portfolio
  const at = timeOfPrices(market.prices)
  if (at === undefined || at < (curve.at(-1)?.at ?? '')) return portfolio
  const held = newestPools(portfolio.pools, market.states)
  const pools = pricedPools(held, market.prices)
  const bots = portfolio.bots.map((bot) => botAt(bot, { holdings: botHoldings[bot.id], pools }))
  const investedBalance = sumOf(...bots.map(({ equity }) => equity))
  const now = { at, value: sumOf(availableBalance, heldBalance, investedBalance) }
  const nowMs = Date.parse(at)
  const day = curveFrom(hourly(portfolio.day, now), nowMs - DAY_MS)
  // A range of a day begins no later than its daily change.
  const fromMs = Math.min(nowMs - RANGE_DAYS[range] * DAY_MS, Date.parse(day[0]?.at ?? at))
  const shown = curveFrom(grownCurve(curve, now, POINTS), fromMs)
  const steps = stepsFrom(portfolio, shown)
  return {
    ...portfolio,
    totalBalance: now.value,
    investedBalance,
    bots,
    pools: held,
    firstStep: Object.values(botHoldings).some((holdings) => holdsCoins(heldBy(holdings), pools))
      ? null
      : portfolio.firstStep,
    curve: [...shown],
    day: [...day],
    withoutTrading: steps,
    moneyMarks: portfolio.moneyMarks.filter((mark) => mark.at >= (shown[0]?.at ?? '')),
    change: gainSince(steps[0], { steps, now }),
    dailyChange: gainSince(day[0], { steps, now }),
  }
}

function hourly(day: readonly CurvePoint[], now: CurvePoint): readonly CurvePoint[] {
  const isNew = floorHour(Date.parse(now.at)) > floorHour(Date.parse(day.at(-1)?.at ?? now.at))
  return isNew ? [...day, now] : day
}

/**
 * The balance without trading, from the first point of the curve on: a gain from before it is not
 * one of the range.
 */
function stepsFrom(
  { curve, withoutTrading }: Portfolio,
  shown: readonly CurvePoint[],
): CurvePoint[] {
  const first = shown[0]
  if (!first || first.at === curve[0]?.at) return withoutTrading
  const held = withoutTrading.findLast(({ at }) => at <= first.at) ?? first
  const gained = differenceOf(first.value, held.value)
  return [
    first,
    ...withoutTrading
      .filter(({ at }) => at > first.at)
      .map(({ at, value }) => ({ at, value: sumOf(value, gained) })),
  ]
}

/** Each step is money that came or went; so is the first, where the account began after `from`. */
function gainSince(
  from: CurvePoint | undefined,
  { steps, now }: { steps: readonly CurvePoint[]; now: CurvePoint },
): Portfolio['change'] {
  const flows = steps.flatMap(({ at, value }, index) =>
    from && at > from.at
      ? [decimalToUnits(differenceOf(value, steps[index - 1]?.value ?? '0'))]
      : [],
  )
  return gainOf({
    start: decimalToUnits(from?.value ?? '0'),
    flows,
    end: decimalToUnits(now.value),
  })
}
