import { evidenceOf, oneStrategyEvidence, type EvidenceInput } from '#core/evidence/evidence.ts'
import { extendRecord, hoursOfPool } from '#core/record/track-record.ts'
import { backtest, buyAndHold } from '#core/strategy/backtest.ts'
import { engineVersion } from '#server/evidence/engine-version.ts'
import { showBotEvidence, showEvidence } from '#server/evidence/show-evidence.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import type { ComputationName, Computations, EvidenceWork } from '#server/ports/compute.ts'

type Computation<Name extends ComputationName> = (input: Computations[Name]['input']) => Computations[Name]['result']

/** Runs in the threads. The sentences of trades are composed when they are read, and reading is what passes them on: only those shown are. */
export const computations: { [Name in ComputationName]: Computation<Name> } = {
  backtest: ({ mostTrades, ...input }) => {
    const result = backtest(input)
    const held = buyAndHold(input)
    return { result: { ...result, trades: result.trades.slice(-mostTrades) }, tradeCount: result.trades.length, held: { ...held, trades: [] } }
  },
  growth: (input) => backtest(input).curve,
  evidence: (work) => {
    const input = withCandles(work)
    const evidence = evidenceOf(input)
    return evidence ? showEvidence(evidence, input, engineVersion()) : null
  },
  record: extendRecord,
  poolRecord: hoursOfPool,
  botEvidence: ({ strategy, ...work }) => {
    const evidence = oneStrategyEvidence(withCandles(work), strategy)
    return evidence ? showBotEvidence(evidence) : null
  },
}

/** Reads the candles that are on the disk. */
function withCandles({ markets, ...costs }: EvidenceWork): EvidenceInput {
  const read = markets.map((market) => ('file' in market ? { pair: market.pair, series: readCandleFile({ ...market, untilMs: Number.POSITIVE_INFINITY }) } : market))
  return { markets: read, ...costs }
}
