import {
  evidenceOf,
  evidenceOfGuards,
  oneStrategyEvidence,
  type EvidenceInput,
  type EvidenceMarket,
} from '#core/evidence/evidence.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { extendRecord } from '#core/record/track-record.ts'
import { backtest, buyAndHold } from '#core/strategy/backtest.ts'
import { marketRangeDay } from '#server/evidence/market-range-day.ts'
import { makeBundle } from '#server/evidence/bundle.ts'
import { engineVersion } from '#server/evidence/engine-version.ts'
import { showBotEvidence, showEvidence, showGuardEvidence } from '#server/evidence/show-evidence.ts'
import { readTreasuryBills } from '#server/evidence/treasury-bills.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import type {
  BundleWork,
  ComputationName,
  Computations,
  EvidenceWork,
} from '#server/ports/compute.ts'

type Computation<Name extends ComputationName> = (
  input: Computations[Name]['input'],
) => Computations[Name]['result']

/**
 * Runs in the threads. Only the trades that are shown are returned, because copying a trade to
 * another thread composes its sentence.
 */
export const computations: { [Name in ComputationName]: Computation<Name> } = {
  backtest: ({ mostTrades, ...input }) => {
    const result = backtest(input)
    const held = buyAndHold(input)
    return {
      result: { ...result, trades: result.trades.slice(-mostTrades) },
      tradeCount: result.trades.length,
      held: { ...held, trades: [] },
    }
  },
  growth: (input) => backtest(input).curve,
  evidence: (work) => {
    const input = withCandles(work)
    const evidence = evidenceOf(input)
    return evidence ? showEvidence(evidence, input, engineVersion()) : null
  },
  guardEvidence: (work) => {
    const evidence = evidenceOfGuards(withCandles(work))
    return evidence ? showGuardEvidence(evidence) : null
  },
  bundle: (work) =>
    makeBundle({
      ...work,
      markets: work.markets.map((market) => ({ ...readMarket(market), origin: market.origin })),
    }) ?? null,
  record: extendRecord,
  rangeDay: marketRangeDay,
  botEvidence: ({ strategy, ...work }) => {
    const evidence = oneStrategyEvidence(withCandles(work), strategy)
    return evidence ? showBotEvidence(evidence) : null
  },
}

/** Reads the candles that are on the disk. */
function withCandles({ markets, ...costs }: EvidenceWork): EvidenceInput {
  return { markets: markets.map(readMarket), ...costs, cashRates: readTreasuryBills().rates }
}

function readMarket(
  market: BundleWork['markets'][number] | EvidenceWork['markets'][number],
): EvidenceMarket {
  const { pair } = market
  if ('series' in market) return { pair, series: market.series }
  return {
    pair,
    series:
      'file' in market
        ? readCandleFile({ file: market.file, pair, untilMs: Number.POSITIVE_INFINITY })
        : simulatedCandles(market),
  }
}
