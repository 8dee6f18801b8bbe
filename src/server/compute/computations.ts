import { evidenceOf } from '#core/evidence/evidence.ts'
import { backtest, buyAndHold } from '#core/strategy/backtest.ts'
import { engineVersion } from '#server/evidence/engine-version.ts'
import { showEvidence } from '#server/evidence/show-evidence.ts'
import type { ComputationName, Computations } from '#server/ports/compute.ts'

type Computation<Name extends ComputationName> = (input: Computations[Name]['input']) => Computations[Name]['result']

/** Runs in the threads. The sentences of trades are composed when they are read, and reading is what passes them on: only those shown are. */
export const computations: { [Name in ComputationName]: Computation<Name> } = {
  backtest: ({ mostTrades, ...input }) => {
    const result = backtest(input)
    const held = buyAndHold(input)
    return { result: { ...result, trades: result.trades.slice(-mostTrades) }, tradeCount: result.trades.length, held: { ...held, trades: [] } }
  },
  growth: (input) => backtest(input).curve,
  evidence: (input) => {
    const evidence = evidenceOf(input)
    return evidence ? showEvidence(evidence, input, engineVersion()) : null
  },
}
