import type { Bundle } from '#contract/bundle.ts'
import type { BotEvidence, Evidence, GuardEvidence } from '#contract/evidence.ts'
import type { Pair } from '#core/market/pair.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { JobOwner } from './compute.ts'

export type EvidenceBot = { strategy: StrategyKey; pairs: readonly Pair[] }
/** `pairs`: by default, all. */
export type BundleRequest = { strategy: StrategyKey; pairs?: readonly Pair[] }

/**
 * The evidence of this market: computed on first use, cached until the market's history changes.
 */
export type EvidenceKeeper = {
  /** The present state; starts the computation if necessary. */
  now: () => Evidence
  /** Like `now`, after waiting at most `withinMs` for a running computation. */
  soon: (withinMs: number) => Promise<Evidence>
  /**
   * The standard guards in the same windows, computed on first use after the evidence; waits at
   * most `withinMs` for each.
   */
  ofGuards: (withinMs: number) => Promise<GuardEvidence>
  /** The outcomes of one strategy with some pairs. */
  ofBot: (bot: EvidenceBot, owner: JobOwner) => Promise<BotEvidence>
  /**
   * Everything that determines the figures of a strategy; null if there are none. Refuses while
   * they are being computed.
   */
  bundle: (wanted: BundleRequest, owner: JobOwner) => Promise<Bundle | null>
  /** Aborts a running computation. */
  stop: () => void
}
