import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestOf } from '#contract/schemas.ts'
import { call } from '#app/api/call.ts'
import { useAction } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'

/** Refetched on every visit: no event reports a sign-in on another device. */
export function useSessions() {
  return useAnswer(['listSessions'], {}, { refetchOnMount: 'always' })
}

export function useEndSession() {
  return useAction((id: string) => call('endSession', { params: { id } }), ['listSessions'])
}

export function useEndOtherSessions() {
  return useAction(() => call('endOtherSessions', {}), ['listSessions'])
}

export function useChangePassword() {
  return useAction((body: RequestOf<'changePassword'>['body']) => call('changePassword', { body }), ['listSessions'])
}

/** The answer is the user with the new name, shown at once on every screen. */
export function useUpdateUser() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestOf<'updateUser'>['body']) => call('updateUser', { body }),
    onSuccess: (user) => client.setQueryData(['getUser'], user),
  })
}
