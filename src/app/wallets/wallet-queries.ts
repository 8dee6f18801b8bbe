import type { RequestOf } from '#contract/schemas.ts'
import { call } from '#app/api/call.ts'
import { useAction } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'

/** Here and not in `api/queries.ts`, which loads with every screen. */
export function useWallets() {
  return useAnswer(['listWallets'], {})
}

export function useWalletNonce() {
  return useAction(
    (query: RequestOf<'getWalletNonce'>['query']) => call('getWalletNonce', { query }),
    [],
  )
}

export function useVerifyWallet() {
  return useAction(
    (body: RequestOf<'verifyWallet'>['body']) => call('verifyWallet', { body }),
    ['listWallets'],
  )
}

export function useDisconnectWallet() {
  return useAction((id: string) => call('disconnectWallet', { params: { id } }), ['listWallets'])
}

export function useRefreshBalance() {
  return useAction((id: string) => call('getWalletBalance', { params: { id } }), ['listWallets'])
}
