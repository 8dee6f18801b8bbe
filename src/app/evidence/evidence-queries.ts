import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import { call } from '#app/api/call.ts'

/**
 * While evidence is being computed, the server holds each call for some seconds. After this many
 * the screen lets the user retry.
 */
const EVIDENCE_CALLS = 10

export function useEvidence() {
  return useQuery({
    queryKey: ['getEvidence'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getEvidence', { signal })),
  })
}

export function useEvidenceSummary() {
  return useQuery({
    queryKey: ['getEvidenceSummary'] satisfies QueryKey,
    queryFn: ({ signal }) => onceComputed(() => call('getEvidenceSummary', { signal })),
  })
}

export async function onceComputed<Answer extends { state: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await ask()
  for (let calls = 1; answer.state === 'computing' && calls < EVIDENCE_CALLS; calls += 1)
    answer = await ask()
  return answer
}
