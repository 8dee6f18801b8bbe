import type { SampleBot } from '#contract/evidence.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { strategyKey } from '#core/strategy/strategy-key.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import type { Handler } from '#server/action.ts'
import {
  replayRules,
  showReplay,
  type ReplayedMarket,
  type Replay,
} from '#server/bots/show-backtest.ts'
import type { Feed } from '#server/ports/feed.ts'

export const getSampleBot: Handler<'getSampleBot'> = async ({ sampleBot }) => sampleBot()

const SAMPLE = {
  strategy: 'trend',
  riskLevel: 'moderate',
  invested: decimalToUnits('1000'),
  days: 90,
} as const
const TRADES = 1
/** Keeps every eighth point of the curve, and the last. */
const CURVE_STEP = 8
const MONTH_MS = 30 * DAY_MS

/**
 * Replays the middle risk level on the first three pairs over the last ninety days, whatever the
 * result. Replayed once per month of the market, and when a live market has more candles. Meanwhile
 * the last result is shown.
 */
export function replaySampleBot(past: ReplayedMarket): () => Promise<SampleBot> {
  let kept: { at: string; replay: Replay } | undefined
  let replaying: { at: string; done: Promise<Replay> } | undefined
  const begin = (at: string) => {
    const done = replayRules(
      past,
      {
        ...SAMPLE,
        strategy: strategyKey(SAMPLE),
        feeBps: PERFORMANCE_FEE_BPS,
        pairs: pairsOf(past.feed),
      },
      { owner: 'sample bot' },
    )
    replaying = { at, done }
    const over = () => void (replaying = undefined)
    done.then((replay) => (kept = { at, replay })).then(over, over)
    return replaying
  }
  return async () => {
    const at =
      `${Math.floor(past.market.now().getTime() / MONTH_MS)} ` +
      (past.feed.live?.candleCount() ?? '')
    if (kept?.at === at) return show(kept.replay)
    const { done } = replaying ?? begin(at)
    return show(kept?.replay ?? (await done))
  }
}

/** Contains only figures that are shown, because it is part of the landing page. */
function show(replay: Replay): SampleBot {
  const shown = showReplay(replay)
  return {
    hypothetical: shown.hypothetical,
    disclaimer: shown.disclaimer,
    feedLabel: shown.feedLabel,
    from: shown.from,
    to: shown.to,
    invested: shown.invested,
    netResult: shown.netResult,
    returnPercent: shown.returnPercent,
    equityCurve: thin(shown.equityCurve),
    buyAndHoldCurve: thin(shown.buyAndHoldCurve),
    trades: shown.trades
      .slice(0, TRADES)
      .map(({ tradingPair, side, amount, reason, marketTime }) => ({
        tradingPair,
        side,
        amount,
        reason,
        marketTime,
      })),
    riskLevel: SAMPLE.riskLevel,
    tradingPairs: replay.input.markets.map(({ pair }) => pair),
  }
}

const pairsOf = ({ pairs }: Feed): readonly Pair[] => pairs.slice(0, 3)

function thin<Point>(curve: readonly Point[]): Point[] {
  return curve.filter((_point, index) => index % CURVE_STEP === 0 || index === curve.length - 1)
}
