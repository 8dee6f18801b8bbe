import { Elements } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { PaymentSummary } from './payment-summary.tsx'
import { cardAppearance } from './stripe-appearance.ts'
import { StripeCardForm } from './stripe-card-form.tsx'
import { UnconfirmedPayment } from './unconfirmed-payment.tsx'
import { useDeposit } from './use-deposit.ts'

type Props = { session: PaymentSession; onChangeAmount: () => void; onPaid: (result: DepositResult) => void }

/** A payment through Stripe: the card form is Stripe's own, in a frame of its own, so that card numbers never reach us. */
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

/** Stripe's script, asked for when the first payment is prepared and not before; 'failed' where it cannot be had. */
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
