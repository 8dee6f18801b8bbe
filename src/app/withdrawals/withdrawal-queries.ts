import type { RouteName } from '#contract/routes.ts'
import type { BankAccount } from '#contract/withdrawals.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { MONEY_MOVED, useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'

/** Not in `api/queries.ts`, which every screen loads. */
export function useBankAccounts() {
  return useAnswer(['listBankAccounts'], {})
}

export function useWithdrawals() {
  return useAnswer(['listWithdrawals'], {})
}

export function useWithdrawalTerms() {
  return useAnswer(['getWithdrawalTerms'], {})
}

/** Withdrawals wait after such a change, open ones too. */
const ACCOUNTS_CHANGED: readonly RouteName[] = [
  'listBankAccounts',
  'getWithdrawalTerms',
  'listWithdrawals',
]

export function useAddBankAccount() {
  return useAction(
    (request: WithKey<Body<'addBankAccount'>>) =>
      callWithProof('addBankAccount', request, newAccountText(request.body)),
    ACCOUNTS_CHANGED,
  )
}

export function useRemoveBankAccount() {
  return useAction((id: string) => call('removeBankAccount', { params: { id } }), ACCOUNTS_CHANGED)
}

export function useMakeBankAccountDefault() {
  return useAction(
    (id: string) => call('makeBankAccountDefault', { params: { id } }),
    ACCOUNTS_CHANGED,
  )
}

export function useRequestWithdrawal() {
  return useAction(
    ({
      account,
      ...request
    }: WithKey<{ amount: string; bankAccountId: string }> & { account: BankAccount }) => {
      const values = {
        amount: moneyText({ amount: request.body.amount, precision: 'cents' }),
        name: accountText(account),
      }
      return callWithProof(
        'requestWithdrawal',
        request,
        t('Withdrawal of {amount} to {name}', values),
      )
    },
    MONEY_MOVED,
  )
}

/**
 * As stored. Later only the last 4 digits are shown, so this is where a wrong number can still be
 * seen.
 */
function newAccountText({
  bankName,
  accountNumber,
  routingNumber,
}: Body<'addBankAccount'>): string {
  const values = { bank: bankName, number: inFours(accountNumber), routing: routingNumber }
  return t(
    'New account at {bank}: account number {number}, routing number {routing}. Please compare every digit before you confirm.',
    values,
  )
}

const inFours = (digits: string): string => digits.replaceAll(/(.{4})(?=.)/g, '$1 ')

const accountText = ({
  bankName,
  accountNumber,
}: Pick<BankAccount, 'bankName' | 'accountNumber'>): string =>
  `${bankName} •••• ${accountNumber.slice(-4)}`

export function useCancelWithdrawal() {
  return useAction((id: string) => call('cancelWithdrawal', { params: { id } }), MONEY_MOVED)
}
