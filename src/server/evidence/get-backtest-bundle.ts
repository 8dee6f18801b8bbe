import type { BacktestBundleQuery } from '#contract/bundle.ts'
import { checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { DAY_MS, HOUR_MS, YEAR_MS } from '#core/market/candle.ts'
import { historyStart } from '#core/market/candle-series.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { choiceOf, feeBpsOf } from '#core/strategy/strategy-key.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { throttle } from '#server/security/throttle.ts'
import type { BundleWork } from '#server/ports/compute.ts'
import { originOfFeed } from './bundle.ts'
import { found } from './get-evidence-bundle.ts'

/** The proof of a backtest. */
export const getBacktestBundle: Handler<'getBacktestBundle'> = async (
  context,
  { userId, query, gone },
) => {
  const work = workOf(context, query)
  await throttle(context.sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  return found(await context.compute.run('bundle', work, { owner: userId, gone }))
}

function workOf(
  context: Context,
  { strategy, pairs, amount, days, until }: BacktestBundleQuery,
): BundleWork {
  const toMs = Date.parse(until)
  const nowMs = context.market.now().getTime()
  if (toMs > nowMs || toMs < nowMs - YEAR_MS) throw new Refusal('invalid-input', { field: 'until' })
  const invested = decimalToUnits(amount)
  checkInvestment({ amount: invested, available: invested })
  const markets = marketsOf(context, { pairs, toMs })
  return {
    strategy,
    markets,
    costs: context.costs,
    feeBps: feeBpsOf(choiceOf(strategy).strategy, { holdFeeBps: context.config.HOLD_FEE_BPS }),
    yieldBps: context.config.CASH_YIELD_BPS,
    task: { kind: 'backtest', invested, fromMs: toMs - Number(days) * DAY_MS, toMs },
  }
}

/** The candles that a backtest at that time sees. Simulated ones are made in the thread. */
function marketsOf(
  { feed }: Context,
  { pairs, toMs }: { pairs: string; toMs: number },
): BundleWork['markets'] {
  const [origin, fromMs] = [originOfFeed(feed), historyStart(toMs)]
  return checkPairs(pairs.split(','), feed.pairs).map((pair) => {
    if (origin.seed !== null)
      return { pair, seed: origin.seed, fromMs, count: (toMs - fromMs) / HOUR_MS, origin }
    return { pair, series: feed.candles({ pair, fromMs, toMs }), origin }
  })
}
