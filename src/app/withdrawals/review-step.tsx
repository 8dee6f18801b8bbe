import type { BankAccount, WithdrawalTerms } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { AccountName } from './account-name.tsx'
import { Arrival } from './arrival.tsx'
import type { useRequestWithdrawal } from './withdrawal-queries.ts'

export function ReviewStep({
  amount,
  account,
  terms,
  request: { isPending, error },
  onBack,
  onConfirm,
}: {
  amount: string
  account: BankAccount
  /** Undefined while they load. */
  terms: WithdrawalTerms | undefined
  request: Pick<ReturnType<typeof useRequestWithdrawal>, 'isPending' | 'error'>
  onBack: () => void
  onConfirm: () => void
}) {
  return (
    <section data-unfinished className="flex flex-col gap-6">
      <div>
        <StepHeading quiet>{t('You withdraw')}</StepHeading>
        <Money own={false} size="hero" amount={amount} />
      </div>
      <Receipt>
        <ReceiptLine label={t('To|account')}>
          <AccountName account={account} />
        </ReceiptLine>
        <ReceiptLine label={t('Fee')}>
          <Money own={false} amount="0.00" />
        </ReceiptLine>
        <Arrival terms={terms} />
        {terms && (
          <ReceiptLine label={t('Available afterwards')}>
            <Money amount={differenceOf(terms.withdrawable, amount)} />
          </ReceiptLine>
        )}
        <ReceiptLine kind="total" label={t('You receive')}>
          <Money own={false} amount={amount} />
        </ReceiptLine>
      </Receipt>
      <div className="flex flex-col gap-3">
        <ActionButton pending={isPending} pendingLabel={t('Requesting...')} onClick={onConfirm}>
          {t('Confirm withdrawal')}
        </ActionButton>
        <FailureNote error={error} action="requestWithdrawal" />
        <Button look="outline" disabled={isPending} onClick={onBack}>
          {t('Back')}
        </Button>
      </div>
    </section>
  )
}
