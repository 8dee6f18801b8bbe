import { lazy, Suspense, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { useConfig } from '#app/api/queries.ts'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { AmountStep } from './amount-step.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { DepositReceipt } from './deposit-receipt.tsx'
import { useOwnDocument } from './own-document.ts'
import { PaymentStep } from './payment-step.tsx'
import { useReturnedPayment } from './returned-payment.ts'
import { ReturnedStep } from './returned-step.tsx'

/** Stripe's form, and what loads it, are fetched where a payment goes through Stripe. */
const StripePaymentStep = lazy(async () => ({ default: (await import('./stripe-payment-step.tsx')).StripePaymentStep }))

type Step =
  | { name: 'amount' }
  | { name: 'payment'; session: PaymentSession }
  | { name: 'returned'; paymentIntentId: string }
  | { name: 'receipt'; result: DepositResult }

/** Amount, then card, then receipt. */
export function DepositScreen() {
  const isStripe = useConfig().data?.payments.provider === 'stripe'
  const isHere = useOwnDocument(isStripe)
  const [step, setStep] = useState<Step>({ name: 'amount' })
  useReturnedPayment((paymentIntentId) => setStep({ name: 'returned', paymentIntentId }))
  if (!isHere) return <LoadingScreen />
  const toAmount = () => setStep({ name: 'amount' })
  const onPaid = (result: DepositResult) => setStep({ name: 'receipt', result })
  return (
    <>
      <PageHeader screen="deposit" backTo="/" />
      <div className="px-5 pt-4">
        {step.name === 'amount' && <AmountStep onSession={(session) => setStep({ name: 'payment', session })} />}
        {step.name === 'returned' && <ReturnedStep paymentIntentId={step.paymentIntentId} onPaid={onPaid} onUnpaid={toAmount} />}
        {step.name === 'payment' && <Payment session={step.session} onChangeAmount={toAmount} onPaid={onPaid} />}
        {step.name === 'receipt' && <DepositReceipt result={step.result} />}
      </div>
    </>
  )
}

function Payment(props: { session: PaymentSession; onChangeAmount: () => void; onPaid: (result: DepositResult) => void }) {
  if (props.session.provider === 'sandbox') return <PaymentStep {...props} />
  return (
    <Suspense fallback={<CardSkeleton />}>
      <StripePaymentStep {...props} />
    </Suspense>
  )
}
