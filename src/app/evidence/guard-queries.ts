import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { msg } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { onceComputed } from './evidence-queries.ts'

/** Figures of one strategy or of guards. */
export const NOT_COMPUTED = msg('These figures could not be computed.')

/** The cost of guards in the past; hypothetical. */
export function useGuardEvidence() {
  return useQuery({
    queryKey: ['getGuardEvidence'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getGuardEvidence', { signal })),
  })
}
