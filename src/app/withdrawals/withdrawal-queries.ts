import { useQueryClient } from '@tanstack/react-query'
import type { BankAccount } from '#contract/withdrawals.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { call } from '#app/api/call.ts'
import { useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { useAnswer } from '#app/api/queries.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'

/** Not in `api/queries.ts`, because every screen loads that file. */
export function useBankAccounts() {
  return useAnswer(['listBankAccounts'], {})
}

export function useWithdrawals() {
  return useAnswer(['listWithdrawals'], {})
}

export function useWithdrawalTerms() {
  return useAnswer(['getWithdrawalTerms'], {})
}

/** Lists the account at once: until the list is read again, a withdrawal would miss it. */
export function useAddBankAccount() {
  const client = useQueryClient()
  return useAction('addBankAccount', async (request: WithKey<Body<'addBankAccount'>>) => {
    const added = await callWithProof('addBankAccount', request, newAccountText(request.body))
    client.setQueryData<BankAccount[]>(
      ['listBankAccounts'],
      (list) => list && [...list.filter(({ id }) => id !== added.id), added],
    )
    return added
  })
}

export function useRemoveBankAccount() {
  return useAction('removeBankAccount', (id: string) =>
    call('removeBankAccount', { params: { id } }),
  )
}

export function useMakeBankAccountDefault() {
  return useAction('makeBankAccountDefault', (id: string) =>
    call('makeBankAccountDefault', { params: { id } }),
  )
}

export function useRequestWithdrawal() {
  return useAction(
    'requestWithdrawal',
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
  )
}

/**
 * Repeats the account number as stored, so that the user can notice a wrong one: later only its
 * last 4 digits are shown.
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
  return useAction('cancelWithdrawal', (id: string) => call('cancelWithdrawal', { params: { id } }))
}
