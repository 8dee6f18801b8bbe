import type { InputOf, KeyOf } from '#contract/query-key.ts'
import type { Read } from './freshness.ts'
import { useAnswer } from './queries.ts'

/** Reads an answer that events do not keep fresh, and so refetches it on each visit. */
export function useVisited<Name extends Read>(queryKey: KeyOf<Name>, input: InputOf<Name>) {
  return useAnswer<Name>(queryKey, input, 'always')
}
