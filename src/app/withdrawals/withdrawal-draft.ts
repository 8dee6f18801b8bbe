import type { BankAccount } from '#contract/withdrawals.ts'
import { newAttemptKey } from '#app/api/call.ts'
import { useDraft } from '#app/api/drafts.ts'
import { keptAmount, readAmount, typedAmount } from '#app/ui/money/typed-amount.ts'
import { useBankAccounts } from './withdrawal-queries.ts'

/**
 * The withdrawal being made, which survives Back, Forward and a reload. It keeps one idempotency
 * key until it succeeds, so that pressing again after a lost answer never withdraws twice.
 */
export function useWithdrawalDraft() {
  const [{ typed: kept = '', accountId = '', key = '' }, change] = useDraft('withdrawal')
  const typed = typedAmount(kept)
  const accounts = useBankAccounts().data ?? []
  const account: BankAccount | undefined =
    accounts.find(({ id }) => id === accountId) ??
    accounts.find(({ isDefault }) => isDefault) ??
    accounts[0]
  return {
    typed,
    type: (next: string) => change({ typed: keptAmount(next) }),
    amount: readAmount(typed),
    account,
    choose: (id: string) => change({ accountId: id }),
    key,
    begin: () => key === '' && change({ key: newAttemptKey() }),
    drop: () => change(),
  }
}
