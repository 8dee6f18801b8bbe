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

/**
 * Refetches every 8 s until the evidence is computed, because a slow server may need longer than
 * all calls.
 */
const refetchInterval = ({ state }: { state: { data?: { state: string } | undefined } }) =>
  state.data === undefined || state.data.state === 'computing' ? 8_000 : false

/**
 * Repeats the call while the server is still computing. After some seconds the server answers
 * 'computing' or 'takes-long', and continues to compute.
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
