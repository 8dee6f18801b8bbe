import { useState } from 'react'
import type { BankAccount, Withdrawal } from '#contract/withdrawals.ts'
import { newAttemptKey } from '#app/api/attempt-key.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useRequestWithdrawal } from './withdrawal-queries.ts'

type Props = { amount: string; account: BankAccount; available: string; onBack: () => void; onRequested: (withdrawal: Withdrawal) => void }

export function ReviewStep({ amount, account, available, onBack, onRequested }: Props) {
  const request = useRequestWithdrawal()
  const [idempotencyKey] = useState(newAttemptKey)
  const confirm = () =>
    request.mutate(
      { body: { amount, bankAccountId: account.id }, idempotencyKey },
      {
        onSuccess: (withdrawal) => {
          showToast({
            title: 'Withdrawal Requested',
            description: 'Your withdrawal request has been submitted and will be processed within 1-3 business days.',
          })
          onRequested(withdrawal)
        },
        onError: (error) => showFailure(error, 'requestWithdrawal'),
      },
    )
  return (
    <section data-unfinished aria-labelledby="review" className="flex flex-col gap-6">
      <div>
        <h2 id="review" className="text-16 text-ink2">
          You withdraw
        </h2>
        <Money size="hero" amount={amount} />
      </div>
      <Receipt>
        <ReceiptLine label="To">
          {account.bankName} •••• {account.accountNumber}
        </ReceiptLine>
        <ReceiptLine label="Fee">
          <Money amount="0.00" />
        </ReceiptLine>
        <ReceiptLine label="Arrival">1-3 business days</ReceiptLine>
        <ReceiptLine label="Available afterwards">
          <Money amount={differenceOf(available, amount)} />
        </ReceiptLine>
        <ReceiptLine kind="total" label="You receive">
          <Money amount={amount} />
        </ReceiptLine>
      </Receipt>
      <div className="flex flex-col gap-3">
        <ActionButton pending={request.isPending} pendingLabel="Requesting..." onClick={confirm}>
          Confirm withdrawal
        </ActionButton>
        <FailureNote error={request.error} action="requestWithdrawal" />
        <Button look="outline" disabled={request.isPending} onClick={onBack}>
          Back
        </Button>
      </div>
    </section>
  )
}
