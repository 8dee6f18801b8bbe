import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import type { PaymentSession } from '#contract/deposits.ts'
import { t } from '#words/words.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { compareAmounts } from '#app/ui/money/amount-text.ts'
import { useDepositDraft } from './deposit-draft.ts'
import { useCreatePaymentIntent } from './deposit-queries.ts'
import { CardSkeleton, type CardProps } from './payment-parts.tsx'
import { PaymentStep } from './payment-step.tsx'

/** Loaded only for payments through Stripe. */
const StripePaymentStep = lazy(async () => ({
  default: (await import('./stripe-payment-step.tsx')).StripePaymentStep,
}))

type Props = Omit<CardProps, 'session'> & {
  amount: string
  session: PaymentSession | undefined
  onSession: (session: PaymentSession) => void
}

/**
 * The card form of the provider. After a reload, or Forward after the amount was changed, the
 * payment is prepared first.
 */
export function CardStep({ amount, session, onSession, ...rest }: Props) {
  if (!session || compareAmounts(session.amount, amount) !== 0)
    return <Preparation amount={amount} onSession={onSession} />
  if (session.provider === 'sandbox') return <PaymentStep session={session} {...rest} />
  return (
    <Suspense fallback={<CardSkeleton />}>
      <StripePaymentStep session={session} {...rest} />
    </Suspense>
  )
}

/** The same key as before, so that it is the same payment where the provider still has it. */
function Preparation({ amount, onSession }: Pick<Props, 'amount' | 'onSession'>) {
  const { mutate, isError } = useCreatePaymentIntent()
  const idempotencyKey = useDepositDraft().key
  const asked = useRef(false)
  const prepare = useCallback(
    () => mutate({ body: { amount }, idempotencyKey }, { onSuccess: onSession }),
    [mutate, amount, idempotencyKey, onSession],
  )
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    prepare()
  }, [prepare])
  return (
    <>
      <StepHeading>{t('Complete Payment')}</StepHeading>
      <div className="pt-6">
        {isError ? (
          <LoadProblem message={t('Unable to prepare the payment')} onRetry={prepare} />
        ) : (
          <CardSkeleton />
        )}
      </div>
    </>
  )
}
