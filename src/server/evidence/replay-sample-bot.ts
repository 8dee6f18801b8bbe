import type { BacktestResult } from '#contract/bots.ts'
import type { SampleBot } from '#contract/evidence.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { language, type Language } from '#words/language.ts'
import type { Handler } from '#server/action.ts'
import { runBacktestNow, type Past } from '#server/bots/show-backtest.ts'

export const getSampleBot: Handler<'getSampleBot'> = async ({ sampleBot }) => sampleBot()

const DAYS = 90
const TRADES = 3
/** The backtest's curve is finer than the chart: keeps every third point, and the last. */
const CURVE_STEP = 3
const MONTH_MS = 30 * DAY_MS

/**
 * A sample bot without an owner: the middle risk level on the first three pairs, over the last ninety days of the market, whatever the result.
 * Replayed once per month of the market; for a live market also whenever there are more candles. Its sentences are kept in each language.
 */
export function replaySampleBot(past: Past): () => SampleBot {
  const kept = new Map<Language, { at: string; sample: SampleBot }>()
  return () => {
    const at = `${Math.floor(past.market.now().getTime() / MONTH_MS)} ${past.feed.live?.candleCount() ?? ''}`
    const known = kept.get(language())
    if (known?.at === at) return known.sample
    const order = { riskLevel: 'moderate', pairs: past.feed.pairs.slice(0, 3), invested: decimalToUnits('1000'), days: DAYS } as const
    const result = runBacktestNow(past, order)
    const sample = { ...shownOf(result), riskLevel: order.riskLevel, tradingPairs: [...order.pairs] }
    kept.set(language(), { at, sample })
    return sample
  }
}

/** The landing page carries it: every figure that is not shown would make that page larger. */
function shownOf({ trades, equityCurve, buyAndHoldCurve, ...result }: BacktestResult) {
  const { hypothetical, disclaimer, feedLabel, from, to, invested, netResult, returnPercent } = result
  return {
    hypothetical, disclaimer, feedLabel, from, to, invested, netResult, returnPercent,
    equityCurve: thin(equityCurve),
    buyAndHoldCurve: thin(buyAndHoldCurve),
    trades: trades.slice(0, TRADES).map(({ tradingPair, side, amount, reason, marketTime }) => ({ tradingPair, side, amount, reason, marketTime })),
  }
}

function thin<Point>(curve: readonly Point[]): Point[] {
  return curve.filter((_point, index) => index % CURVE_STEP === 0 || index === curve.length - 1)
}
