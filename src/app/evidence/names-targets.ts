import { useConfig } from '#app/api/queries.ts'

/**
 * Whether this installation names targets of returns. Where it does not, figures of the evidence
 * stand in their place.
 */
export function useNamesTargets(): boolean {
  return useConfig().data?.claims === 'targets'
}
