import { useInfiniteQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import type { RequestOf } from '#contract/calls.ts'
import { call } from './call.ts'

type ReadPage<Page> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page>

function usePages<Page extends { nextCursor: string | null }>(
  queryKey: QueryKey,
  read: ReadPage<Page>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
      read(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export function useBotTrades(id: string) {
  return usePages(['listBotTrades', id], (cursor, signal) =>
    call('listBotTrades', { params: { id }, query: { cursor }, signal }),
  )
}

export function useTransactions(filters: string, query: RequestOf<'listTransactions'>['query']) {
  return usePages(['listTransactions', filters], (cursor, signal) =>
    call('listTransactions', { query: { ...query, cursor }, signal }),
  )
}
