import { useQuery } from '@tanstack/react-query'
import { call } from '#app/api/call.ts'
import { useAction, type Body } from '#app/api/actions.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

/** The secret of the link that led here. It stands behind the #, which the server never sees; empty while the page is rendered. */
export function useLinkToken(): string {
  return useDeviceFact({ onDevice: () => location.hash.slice(1), onPage: () => '' })
}

export function useVerifyEmail() {
  return useAction((token: string) => call('verifyEmail', { body: { token } }), ['getUser'])
}

export function useRequestReset() {
  return useAction((account: string) => call('requestReset', { body: { account } }), [])
}

export function useResetPassword() {
  return useAction((body: Body<'resetPassword'>) => call('resetPassword', { body }), [])
}

/** The changes that a press would undo now. */
export function useDisownPreview(token: string) {
  return useQuery({ queryKey: ['previewDisown', token], queryFn: ({ signal }) => call('previewDisown', { body: { token }, signal }), enabled: token !== '' })
}

export function useDisown() {
  return useAction((token: string) => call('disown', { body: { token } }), ['getUser'])
}
