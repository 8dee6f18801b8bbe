import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { NoticeSettings } from '#contract/notices.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { call } from '#app/api/call.ts'
import { useAction, type Body } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { useSendOnce } from '#app/api/send-once.ts'

export function useNotices() {
  return useInfiniteQuery({
    queryKey: ['listNotices'] satisfies QueryKey,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
      call('listNotices', { query: { cursor: pageParam }, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export function useReadNotices() {
  return useAction('readNotices', (id?: string) =>
    call('readNotices', { body: id === undefined ? {} : { id } }),
  )
}

export function useNoticeSettings() {
  return useAnswer(['getNoticeSettings'], {})
}

function useSettingsChange<Input>(change: (input: Input) => Promise<NoticeSettings>) {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: change,
    onSuccess: (settings) => client.setQueryData(['getNoticeSettings'], settings),
  })
}

export function useUpdateNoticeSettings() {
  return useSettingsChange((body: Body<'updateNoticeSettings'>) =>
    call('updateNoticeSettings', { body }),
  )
}

export function useAddPushDevice() {
  return useSettingsChange((body: Body<'addPushDevice'>) => call('addPushDevice', { body }))
}

export function useRemovePushDevice() {
  return useSettingsChange((id: string) => call('removePushDevice', { params: { id } }))
}

export function useMailbox() {
  return useVisited(['getMailbox'], {})
}
