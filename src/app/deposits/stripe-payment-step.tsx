import { Elements } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { CardSkeleton, PaymentSummary, UnconfirmedPayment } from './payment-parts.tsx'
import { cardAppearance } from './stripe-appearance.ts'
import { StripeCardForm } from './stripe-card-form.tsx'
import { useDeposit } from './use-deposit.ts'

type Props = { session: PaymentSession; onChangeAmount: () => void; onPaid: (result: DepositResult) => void }

/** A payment through Stripe. The card form is Stripe's, in its own frame, so that card numbers never reach us. */
export function StripePaymentStep({ session, onChangeAmount, onPaid }: Props) {
  const { confirm, pending, unconfirmed } = useDeposit({ paymentIntentId: session.paymentIntentId, amount: session.amount, onPaid })
  const stripe = useStripeScript(session.publishableKey ?? '')
  const [paying, setPaying] = useState(false)
  const options = { clientSecret: session.clientSecret, appearance: cardAppearance(), loader: 'never' as const }
  return (
    <>
      <PaymentSummary amount={session.amount} pending={pending || paying} onChangeAmount={onChangeAmount} />
      {unconfirmed && <UnconfirmedPayment pending={pending} onConfirm={confirm} />}
      {!unconfirmed && stripe === 'failed' && <LoadProblem message="The card form could not be loaded" onRetry={() => location.reload()} />}
      {!unconfirmed && stripe === undefined && <CardSkeleton />}
      {!unconfirmed && typeof stripe === 'object' && (
        <Elements stripe={stripe} options={options}>
          <StripeCardForm amount={session.amount} isTest={(session.publishableKey ?? '').startsWith('pk_test_')} busy={pending} onPaying={setPaying} onPaid={confirm} />
        </Elements>
      )}
    </>
  )
}

/** Stripe's script, loaded only once a payment is prepared; 'failed' if it cannot be loaded. */
function useStripeScript(publishableKey: string): Stripe | 'failed' | undefined {
  const [stripe, setStripe] = useState<Stripe | 'failed'>()
  useEffect(() => {
    loadStripe(publishableKey).then(
      (loaded) => setStripe(loaded ?? 'failed'),
      (error: unknown) => {
        console.warn('The card form could not be loaded.', error)
        setStripe('failed')
      },
    )
  }, [publishableKey])
  return stripe
}
