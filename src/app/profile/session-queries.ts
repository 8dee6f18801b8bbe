import { useQueryClient } from '@tanstack/react-query'
import type { RequestOf } from '#contract/calls.ts'
import { t } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { useSendOnce } from '#app/api/send-once.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'

/** Refetched on every visit, because no event reports a sign-in on another device. */
export function useSessions() {
  return useVisited(['listSessions'], {})
}

export function useSignIns() {
  return useVisited(['listSignIns'], {})
}

export function useEndSession() {
  return useAction('endSession', ({ id, device }: { id: string; device: string }) =>
    callWithProof('endSession', { params: { id } }, t('Sign out {device}', { device })),
  )
}

export function useEndOtherSessions() {
  return useAction('endOtherSessions', () =>
    callWithProof('endOtherSessions', {}, t('Sign out all other devices')),
  )
}

export function useChangePassword() {
  return useAction('changePassword', (body: RequestOf<'changePassword'>['body']) =>
    callWithProof('changePassword', { body }, t('A new password')),
  )
}

export function useChangeEmail() {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: (body: RequestOf<'changeEmail'>['body']) =>
      callWithProof('changeEmail', { body }, t('Another email address')),
    onSuccess: (user) => client.setQueryData(['getUser'], user),
  })
}

export function useSendVerification() {
  return useAction('sendVerification', () => call('sendVerification', {}))
}

export function useUpdateUser() {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: (body: RequestOf<'updateUser'>['body']) => call('updateUser', { body }),
    onSuccess: (user) => client.setQueryData(['getUser'], user),
  })
}

/**
 * Removes this browser's push subscription, because the next person at this device must not see the
 * notices of the user who signed out.
 */
export async function forgetPush(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
