import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { useState, type SubmitEvent } from 'react'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { moneyText } from '#app/ui/money/money-format.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { CardSkeleton } from './card-skeleton.tsx'

type Props = {
  amount: string
  /** Test keys: no card is charged. */
  isTest: boolean
  /** The server is asking what was paid. */
  busy: boolean
  onPaying: (paying: boolean) => void
  onPaid: () => void
}

/** What the screen names: cards. */
const CARD_ALONE = { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never', link: 'never' } } as const

/** Stripe's Payment Element and the button that pays. Where a bank sends the card holder away, it sends them back to this screen. */
export function StripeCardForm({ amount, isTest, busy, onPaying, onPaid }: Props) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const [paying, setPaying] = useState(false)
  const submit = async () => {
    if (!stripe || !elements) return
    const { error } = await stripe.confirmPayment({ elements, redirect: 'if_required', confirmParams: { return_url: `${location.origin}/deposit` } })
    if (!error) return onPaid()
    // What is wrong with an entry stands below its field already.
    if (error.type === 'validation_error') return
    showToast({ title: 'Payment Failed', description: error.message ?? 'Your card was not charged.', tone: 'destructive' })
  }
  const pay = (event: SubmitEvent) => {
    event.preventDefault()
    setPaying(true)
    onPaying(true)
    void submit()
      .catch(() => showToast({ title: 'Payment Failed', description: 'The card provider could not be reached. Please try again.', tone: 'destructive' }))
      .finally(() => {
        setPaying(false)
        onPaying(false)
      })
  }
  return (
    <form noValidate onSubmit={pay} className="flex flex-col gap-5">
      {!ready && <CardSkeleton />}
      <div className={ready ? '' : 'h-0 overflow-hidden'}>
        <PaymentElement options={CARD_ALONE} onReady={() => setReady(true)} />
      </div>
      {ready && (
        <ActionButton type="submit" pending={paying || busy} pendingLabel="Processing...">
          Deposit {moneyText({ amount })}
        </ActionButton>
      )}
      {isTest && <p className="text-14 text-ink2">Stripe's test mode: 4242 4242 4242 4242 succeeds, no card is charged.</p>}
      <p className="text-14 text-ink2">Your card details are not stored.</p>
    </form>
  )
}
