import type { FastifyBaseLogger } from 'fastify'
import type { Evidence, GuardEvidence, GuardFigures } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import { msg, say } from '#words/words.ts'
import { firstOf } from '#server/kernel/promises.ts'
import type { Computed } from './compute-evidence.ts'

export const EVIDENCE_FAILED = msg('The evidence could not be computed.')

type Keeping = {
  compute: (computed: Computed) => Promise<GuardFigures | null>
  signal: AbortSignal
  log: FastifyBaseLogger
}

/** `figures`: undefined while they are computed, null if that failed. */
type Kept = { of: Computed; figures: GuardFigures | null | undefined; done: Promise<void> }

type GuardsRequest = { kept: Computed | 'failed' | undefined; withinMs: number }

/** The guards of the kept evidence, computed on first request. */
export function keepGuards({
  compute,
  signal,
  log,
}: Keeping): (evidence: Evidence, request: GuardsRequest) => Promise<GuardEvidence> {
  let last: Kept | undefined
  const begin = (of: Computed): Kept => {
    const own: Kept = { of, figures: undefined, done: Promise.resolve() }
    own.done = compute(of).then(
      (figures) => void (own.figures = figures),
      (error: unknown) => {
        own.figures = null
        if (!signal.aborted) log.error(error, 'the evidence of guards could not be computed')
      },
    )
    return own
  }
  return async (evidence, { kept, withinMs }) => {
    if (evidence.state !== 'figures') return { state: evidence.state, sentence: evidence.sentence }
    if (kept === undefined || kept === 'failed')
      return { state: 'none', sentence: say(EVIDENCE_FAILED) }
    const own = last?.of === kept ? last : begin(kept)
    last = own
    await firstOf(own.done, withinMs)
    if (own.figures === undefined) return { state: 'computing', sentence: say(EVIDENCE_COMPUTING) }
    if (own.figures === null) return { state: 'none', sentence: say(EVIDENCE_FAILED) }
    return {
      state: 'figures',
      ...own.figures,
      prices: evidence.note === null ? null : evidence.feedLabel,
    }
  }
}
