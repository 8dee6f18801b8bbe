import { useState, type SubmitEvent } from 'react'
import { refusalOf } from '#contract/problem.ts'
import type { BankAccount, WithdrawalTerms } from '#contract/withdrawals.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { checkWithdrawal, MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { isPositiveAmount, readAmount, shareOf } from '#app/ui/money/amount-text.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { BankAccountCard } from './bank-account-card.tsx'
import { TermsNote } from './terms-note.tsx'
import { useBankAccounts } from './withdrawal-queries.ts'

const SHARES = [
  { percent: 25, text: '25%' },
  { percent: 50, text: '50%' },
  { percent: 75, text: '75%' },
  { percent: 100, text: 'Max' },
] as const

type Props = {
  /** Undefined while they load. */
  terms: WithdrawalTerms | undefined
  typed: string
  onType: (typed: string) => void
  onReview: (review: { amount: string; available: string; account: BankAccount }) => void
}

export function WithdrawForm({ terms, typed, onType, onReview }: Props) {
  const available = terms?.withdrawable
  const accounts = useBankAccounts().data ?? []
  const [chosenId, setChosenId] = useState<string>()
  const [error, setError] = useState<string>()
  const account = accounts.find(({ id }) => id === chosenId) ?? accounts.find(({ isDefault }) => isDefault) ?? accounts[0]
  const change = (next: string) => {
    onType(next)
    setError(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (available === undefined) return
    const amount = readAmount(typed) ?? ''
    // The withdrawable amount already leaves out holds and debts.
    const refusal = refusalOf(() => {
      checkWithdrawal({ amount: parseDecimal(amount), available: decimalToUnits(available), owed: 0n, holds: [] })
      if (!account) throw new Refusal('bank-account-required')
    })
    setError(refusal?.field && refusal.description)
    if (refusal) return showToast({ ...refusal, tone: 'destructive' })
    if (account) onReview({ amount, available, account })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div>
        <p className="text-16 text-ink2">Available for withdrawal</p>
        {available === undefined ? <Skeleton className="h-12 w-44" /> : <Money size="hero" amount={available} />}
      </div>
      {terms && <TermsNote terms={terms} />}
      <AmountField label="Amount" value={typed} error={error} onChange={change} hint={`Minimum ${moneyText({ amount: MINIMUM_WITHDRAWAL, precision: 'whole' })}`} />
      <ChoiceRow
        label="Share of the available balance"
        choices={SHARES.map(({ percent, text }) => ({ text, value: shareOf(available ?? '0.00', percent) }))}
        chosen={isPositiveAmount(typed) ? typed : ''}
        disabled={available === undefined || !isPositiveAmount(available)}
        onChoose={change}
      />
      <BankAccountCard account={account} onChoose={setChosenId} />
      <p className="text-14 text-ink2">Processing takes 1-3 business days.</p>
      <ActionButton type="submit" disabled={available === undefined || !isPositiveAmount(typed)}>
        Request Withdrawal
      </ActionButton>
    </form>
  )
}
