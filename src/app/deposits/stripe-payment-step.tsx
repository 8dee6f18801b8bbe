import { Elements } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useState } from 'react'
import { language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import {
  CardSkeleton,
  PaymentSummary,
  UnconfirmedPayment,
  type CardProps,
} from './payment-parts.tsx'
import { cardAppearance } from './stripe-appearance.ts'
import { StripeCardForm } from './stripe-card-form.tsx'
import { useDeposit } from './use-deposit.ts'

/**
 * A payment through Stripe. The card form is Stripe's, in its own frame, so that card numbers never
 * reach us.
 */
export function StripePaymentStep({ session, onChangeAmount, onPaid }: CardProps) {
  const { confirm, pending, unconfirmed } = useDeposit({
    paymentIntentId: session.paymentIntentId,
    amount: session.amount,
    onPaid,
  })
  const stripe = useStripeScript(session.publishableKey ?? '')
  const [paying, setPaying] = useState(false)
  const draft = useDepositDraft()
  const onSent = (isOpen: boolean) => draft.setPaying(isOpen ? session.paymentIntentId : undefined)
  const options = {
    clientSecret: session.clientSecret,
    appearance: cardAppearance(),
    loader: 'never' as const,
    locale: language(),
  }
  return (
    <>
      <PaymentSummary
        amount={session.amount}
        pending={pending || paying}
        onChangeAmount={onChangeAmount}
      />
      {unconfirmed && <UnconfirmedPayment pending={pending} onConfirm={() => void confirm()} />}
      {!unconfirmed && stripe === 'failed' && (
        <LoadProblem
          message={t('The card form could not be loaded')}
          onRetry={() => location.reload()}
        />
      )}
      {!unconfirmed && stripe === undefined && <CardSkeleton />}
      {!unconfirmed && typeof stripe === 'object' && (
        <Elements stripe={stripe} options={options}>
          <StripeCardForm
            amount={session.amount}
            isTest={(session.publishableKey ?? '').startsWith('pk_test_')}
            busy={pending}
            onPaying={setPaying}
            onSent={onSent}
            onPaid={() => void confirm()}
          />
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
