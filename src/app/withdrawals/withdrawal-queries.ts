import { call } from '#app/api/call.ts'
import { MONEY_MOVED, useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'

/** Apart from `api/queries.ts`, which every screen loads. */
export function useBankAccounts() {
  return useAnswer(['listBankAccounts'], {})
}

export function useWithdrawals() {
  return useAnswer(['listWithdrawals'], {})
}

export function useWithdrawalTerms() {
  return useAnswer(['getWithdrawalTerms'], {})
}

export function useAddBankAccount() {
  return useAction((body: Body<'addBankAccount'>) => call('addBankAccount', { body }), ['listBankAccounts'])
}

export function useRemoveBankAccount() {
  return useAction((id: string) => call('removeBankAccount', { params: { id } }), ['listBankAccounts'])
}

export function useMakeBankAccountDefault() {
  return useAction((id: string) => call('makeBankAccountDefault', { params: { id } }), ['listBankAccounts'])
}

export function useRequestWithdrawal() {
  return useAction((request: WithKey<Body<'requestWithdrawal'>>) => call('requestWithdrawal', request), MONEY_MOVED)
}

export function useCancelWithdrawal() {
  return useAction((id: string) => call('cancelWithdrawal', { params: { id } }), MONEY_MOVED)
}
