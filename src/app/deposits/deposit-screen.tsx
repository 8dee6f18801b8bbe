import { lazy, Suspense, useEffect, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { useConfig } from '#app/api/queries.ts'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { AmountStep } from './amount-step.tsx'
import { DepositReceipt } from './deposit-receipt.tsx'
import { CardSkeleton } from './payment-parts.tsx'
import { PaymentStep } from './payment-step.tsx'
import { ReturnedStep, useReturnedPayment } from './returned-step.tsx'

const PATH = '/deposit'

/** Loaded only for payments through Stripe. */
const StripePaymentStep = lazy(async () => ({ default: (await import('./stripe-payment-step.tsx')).StripePaymentStep }))

type Step =
  | { name: 'amount' }
  | { name: 'payment'; session: PaymentSession }
  | { name: 'returned'; paymentIntentId: string }
  | { name: 'receipt'; result: DepositResult }

/** The amount, then the card, then the receipt. */
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

/**
 * With Stripe, this screen is a document of its own: only its page's policy allows Stripe's scripts, and leaving the document unloads them.
 * Returns false until the document is loaded.
 */
function useOwnDocument(isNeeded: boolean): boolean {
  const isThere = !isNeeded || wasLoadedAsDocument()
  useEffect(() => {
    if (!isNeeded) return undefined
    if (!isThere) return location.replace(location.href)
    return () => {
      if (location.pathname !== PATH) location.reload()
    }
  }, [isNeeded, isThere])
  return isThere
}

/** Whether the browser loaded this page from the server, rather than the app opening this screen. */
function wasLoadedAsDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PATH
}
