import type { InputOf, KeyOf } from '#contract/query-key.ts'
import type { Read } from './freshness.ts'
import { useAnswer } from './queries.ts'

/** An answer of which no event reports changes: it is refetched on each visit. */
export function useVisited<Name extends Read>(queryKey: KeyOf<Name>, input: InputOf<Name>) {
  return useAnswer<Name>(queryKey, input, 'always')
}
