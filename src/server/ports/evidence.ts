import type { Evidence } from '#contract/evidence.ts'

/** The evidence of this market: computed on first use, cached until the market's history changes. */
export type EvidenceKeeper = {
  /** The present state; starts the computation if necessary. */
  now: () => Evidence
  /** Like `now`, after waiting at most `withinMs` for a running computation. */
  soon: (withinMs: number) => Promise<Evidence>
  /** Aborts a running computation. */
  stop: () => void
}
