import { DAY_MS } from '#core/market/candle.ts'
import { BPS_PER_PERCENT, percentGained } from '#core/money/percent.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { MINUS, signOf } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { stepOfTrends } from '#core/strategy/next-change.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import { closingFee, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { countText, digitsText, withPercent } from '#words/figures.ts'
import { nextMove, trendsAndMove } from '#words/next-move.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { findOutlook } from '#server/market/clock.ts'

const SHOWN = { strategy: 'trend', riskLevel: 'moderate' } as const
const STRATEGY = strategyKey(SHOWN)

/**
 * The middle risk level on the first coin with a price. Polled by each landing page, so it reads
 * one row and never waits for the record.
 */
export const getStrategyNow: Handler<'getStrategyNow'> = async (context) => {
  const { sql, feed, market } = context
  const pair = feed.pairs.find((each) => market.ticker(each) && !market.isStale(each))
  const ticker = pair && market.ticker(pair)
  const decided = pair && (await findOutlook(sql, { pair, strategy: STRATEGY }))
  if (!ticker || !decided) throw new Refusal('market-unavailable')
  const next = stepOfTrends(decided.outlook)
  const now = {
    pair,
    percent: decided.exposureBps / BPS_PER_PERCENT,
    price: unitsToDecimal(ticker.price, 8),
  }
  return {
    ...now,
    riskLevel: SHOWN.riskLevel,
    share: t('{level}: {percent} invested', {
      level: riskTitle(SHOWN.riskLevel),
      percent: withPercent(String(now.percent)),
    }),
    trends: next.trends,
    doing: trendsAndMove(next.trends, nextMove({ ...now, next })),
    record: await recordText(context),
  }
}

async function recordText({ record }: Context): Promise<string> {
  const known = await record.soon(0)
  if (known === undefined || known === 'failed') return t('Track record')
  const isUsed = known.pools.some(
    ({ strategy, followed }) => strategy === STRATEGY && followed.foundedMs !== undefined,
  )
  const own = known.strategies.find(({ strategy }) => strategy === STRATEGY)
  if (!own || !isUsed) return t('Track record: none yet')
  const days = Math.floor((known.untilMs - known.fromMs) / DAY_MS)
  if (days === 0) return t('Track record')
  return t('{count}-day record: {result}', {
    count: countText(days),
    result: signedText(afterFee(percentGained(own.now.real))),
  })
}

/** Deducts our fee, which the record leaves out: beside this figure there is no room to say so. */
function afterFee(percent: string): string {
  const out = decimalToUnits(percent)
  const { fee } = closingFee({ invested: 0n, out, feeBps: PERFORMANCE_FEE_BPS })
  return unitsToDecimal(out - fee, 2)
}

const signedText = (percent: string): string =>
  withPercent((signOf(percent) < 0 ? MINUS : '+') + digitsText(percent.replace('-', '')))
