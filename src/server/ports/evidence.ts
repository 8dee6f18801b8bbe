import type { Evidence } from '#contract/evidence.ts'

/** The evidence of this market: computed when it is first asked for, kept for as long as the market's history stays the same. */
export type EvidenceKeeper = {
  /** What is known now; where it is not computed yet, that begins. */
  now: () => Evidence
  /** As `now`, after waiting at most `withinMs` for what is being computed. */
  soon: (withinMs: number) => Promise<Evidence>
  /** Ends a computation that is under way. */
  stop: () => void
}
