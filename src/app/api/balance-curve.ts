import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { FIRST_RANGE } from '#contract/query-values.ts'
import { call } from './call.ts'
import { curveTo } from './curve-to.ts'

export type Range = BalanceCurve['range']

/**
 * The curve, extended to this portfolio, so that both are of one moment. Shows the previous range
 * until the new one's answer arrives.
 */
export function useBalanceCurve(range: Range, portfolio: Portfolio | undefined) {
  return useQuery<BalanceCurve, Error, BalanceCurve | undefined>({
    queryKey: ['getBalanceCurve', range] satisfies QueryKey,
    queryFn: ({ signal }) => call('getBalanceCurve', { query: { range }, signal }),
    placeholderData: (before) => before,
    select: (past) => portfolio && curveTo(past, portfolio),
  })
}

let chosen: Range = FIRST_RANGE

export function useRange(): [Range, (range: Range) => void] {
  const [range, setRange] = useState(chosen)
  const choose = (next: Range) => {
    chosen = next
    setRange(next)
  }
  return [range, choose]
}
