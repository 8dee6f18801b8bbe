import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { Skeleton } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'

export type CardProps = {
  session: PaymentSession
  onChangeAmount: () => void
  onPaid: (result: DepositResult) => void
}

export function PaymentSummary({
  amount,
  pending,
  onChangeAmount,
}: {
  amount: string
  pending: boolean
  onChangeAmount: () => void
}) {
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <StepHeading>{t('Complete Payment')}</StepHeading>
        <Button look="quiet" className="-mr-2" disabled={pending} onClick={onChangeAmount}>
          {t('Change amount')}
        </Button>
      </div>
      <div data-unfinished className="mt-2 mb-6">
        <Receipt
          lines={[
            { label: t('Deposit'), value: <Money own={false} amount={amount} /> },
            { label: t('Fee'), value: <Money own={false} amount="0.00" /> },
            { label: t('Available'), value: t('immediately') },
            {
              label: t('Your card is charged'),
              value: <Money own={false} amount={amount} />,
              isTotal: true,
            },
          ]}
        />
      </div>
    </>
  )
}

export function CardSkeleton() {
  return (
    <div role="status" aria-label={t('Loading the card form')} className="flex flex-col gap-5">
      <Skeleton className="h-12 w-full" />
      <div className="grid grid-cols-2 gap-3">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
      </div>
      <Skeleton className="h-12 w-full" />
    </div>
  )
}

export function CardNote() {
  return <p className="text-14 text-ink2">{t('Your card details are not stored.')}</p>
}

/**
 * Replaces the card form if the card may have been charged but the server could not confirm the
 * payment.
 */
export function UnconfirmedPayment({
  isCharged = true,
  pending,
  onConfirm,
}: {
  isCharged?: boolean
  pending: boolean
  onConfirm: () => void
}) {
  return (
    <div role="alert" className="flex flex-col gap-4 rounded-control border border-warn px-4 py-4">
      <p className="text-16">
        {isCharged
          ? t("Your card was charged, but it isn't in your balance yet.")
          : t("We couldn't check your payment yet.")}{' '}
        {t("It won't be lost; we're checking with the card provider.")}
      </p>
      <ActionButton pending={pending} pendingLabel={t('Checking…')} onClick={onConfirm}>
        {t('Check again')}
      </ActionButton>
    </div>
  )
}
