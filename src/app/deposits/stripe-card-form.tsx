import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { useState } from 'react'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { CardNote, CardSkeleton } from './payment-parts.tsx'
import { showPaymentFailure } from './use-deposit.ts'

/** The screen offers cards only. */
const CARD_ALONE = {
  layout: 'tabs',
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
} as const

/**
 * Stripe's Payment Element and the button that pays. A bank that redirects the cardholder sends
 * them back to this screen.
 */
export function StripeCardForm({
  amount,
  isTest,
  busy,
  onPaying,
  onSent,
  onPaid,
}: {
  amount: string
  /** Test keys: no card is charged. */
  isTest: boolean
  /** The server is confirming the payment. */
  busy: boolean
  onPaying: (paying: boolean) => void
  /** Whether a payment was sent whose outcome is open. */
  onSent: (isOpen: boolean) => void
  onPaid: () => void
}) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const [paying, setPaying] = useState(false)
  const submit = async () => {
    if (!stripe || !elements) return
    onSent(true)
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: `${location.origin}/deposit` },
    })
    if (!error || error.payment_intent?.status === 'succeeded') return onPaid()
    onSent(false)
    // Stripe shows validation errors below its fields.
    if (error.type === 'validation_error') return
    showPaymentFailure(error.message)
  }
  const pay = () => {
    setPaying(true)
    onPaying(true)
    void submit()
      .catch(() => showPaymentFailure(t("We couldn't reach the card provider. Please try again.")))
      .finally(() => {
        setPaying(false)
        onPaying(false)
      })
  }
  return (
    <Form onSubmit={pay} className="flex flex-col gap-5">
      {!ready && <CardSkeleton />}
      <div className={ready ? '' : 'h-0 overflow-hidden'}>
        <PaymentElement options={CARD_ALONE} onReady={() => setReady(true)} />
      </div>
      {ready && (
        <ActionButton type="submit" pending={paying || busy} pendingLabel={t('Processing...')}>
          {t('Deposit {amount}', { amount: moneyText({ amount }) })}
        </ActionButton>
      )}
      {isTest && (
        <p className="text-14 text-ink2">
          {t("Stripe's test mode: 4242 4242 4242 4242 succeeds, no card is charged.")}
        </p>
      )}
      <CardNote />
    </Form>
  )
}
