import { useQuery } from '@tanstack/react-query'
import { ApiError, call } from '#app/api/call.ts'
import { useAction, type Body } from '#app/api/actions.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

/**
 * The secret of the link; null until the browser has read it, because the server never receives the
 * part after the #.
 */
export function useLinkToken(): string | null {
  return useDeviceFact<string | null>({
    onDevice: () => location.hash.slice(1),
    onPage: () => null,
  })
}

export function isDead(token: string | null, error: unknown): boolean {
  return token === '' || (error instanceof ApiError && error.code === 'link-invalid')
}

export function useVerifyEmail() {
  return useAction('verifyEmail', (token: string) => call('verifyEmail', { body: { token } }))
}

export function useRequestReset() {
  return useAction('requestReset', (account: string) => call('requestReset', { body: { account } }))
}

export function useResetPassword() {
  return useAction('resetPassword', (body: Body<'resetPassword'>) =>
    call('resetPassword', { body }),
  )
}

export function useDisownPreview(token: string | null) {
  return useQuery({
    queryKey: ['previewDisown', token],
    queryFn: ({ signal }) => call('previewDisown', { body: { token: token ?? '' }, signal }),
    enabled: Boolean(token),
  })
}

export function useDisown() {
  return useAction('disown', (token: string) => call('disown', { body: { token } }))
}
