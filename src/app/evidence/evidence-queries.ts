import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { ApiError, call } from '#app/api/call.ts'

/** After this many calls the screen offers to retry. */
const MOST_CALLS = 10

export function useEvidence() {
  return useQuery({
    queryKey: ['getEvidence'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getEvidence', { signal })),
    refetchInterval,
  })
}

export function useEvidenceSummary() {
  return useQuery({
    queryKey: ['getEvidenceSummary'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getEvidenceSummary', { signal })),
    refetchInterval,
  })
}

/** Asks again every 8 s until the evidence is computed: a slow server may outlast all calls. */
const refetchInterval = ({ state }: { state: { data?: { state: string } | undefined } }) =>
  state.data === undefined || state.data.state === 'computing' ? 8_000 : false

/**
 * Calls again while the server still computes: after some seconds it answers so, or that this takes
 * longer, and computes on.
 */
export async function onceComputed<Answer extends object>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let calls = 1; calls < MOST_CALLS; calls += 1) {
    try {
      const answer = await ask()
      if (!('state' in answer) || answer.state !== 'computing') return answer
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'takes-long')) throw error
    }
  }
  return ask()
}
