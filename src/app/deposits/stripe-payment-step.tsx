import { useEffect, useState } from 'react'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { moneyText } from '#words/figures.ts'
import { language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { LoadProblem } from '#app/ui/frame/section.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import {
  CardNote,
  CardSkeleton,
  PaymentSummary,
  UnconfirmedPayment,
  type CardProps,
} from './payment-parts.tsx'
import { showPaymentFailure } from './payment-failure.ts'
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

const CARD_ALONE = {
  layout: 'tabs',
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
} as const

type StripeCard = {
  amount: string
  isTest: boolean
  busy: boolean
  onPaying: (paying: boolean) => void
  onSent: (isOpen: boolean) => void
  onPaid: () => void
}

function StripeCardForm({ amount, isTest, busy, ...events }: StripeCard) {
  const [ready, setReady] = useState(false)
  const { pay, paying } = useCardPayment(events)
  const form = useForm({
    request: { isPending: paying || busy, error: null },
    read: () => undefined,
    check: () => ({}),
    send: pay,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      {!ready && <CardSkeleton />}
      <div className={ready ? '' : 'h-0 overflow-hidden'}>
        <PaymentElement options={CARD_ALONE} onReady={() => setReady(true)} />
      </div>
      {ready && (
        <Submit form={form} pendingLabel={t('Processing…')}>
          {t('Deposit {amount}', { amount: moneyText({ amount }) })}
        </Submit>
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

/** A bank that redirects the cardholder returns them to this screen. */
function useCardPayment({
  onPaying,
  onSent,
  onPaid,
}: Pick<StripeCard, 'onPaying' | 'onSent' | 'onPaid'>) {
  const stripe = useStripe()
  const elements = useElements()
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
    // Not shown, because Stripe shows validation errors below its fields.
    if (error.type === 'validation_error') return
    showPaymentFailure(error.message)
  }
  const set = (isPaying: boolean) => {
    setPaying(isPaying)
    onPaying(isPaying)
  }
  const pay = () => {
    set(true)
    return submit()
      .catch(() => showPaymentFailure(t("We couldn't reach the card provider. Please try again.")))
      .finally(() => set(false))
  }
  return { pay, paying }
}

const LINE = '1px'

/**
 * Our design tokens for Stripe's form. Resolved to the colors of the current theme, because
 * Stripe's frame cannot read our page's CSS.
 */
function cardAppearance(): Appearance {
  const color = resolver()
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: color('accent'),
      colorBackground: color('surface'),
      colorText: color('ink'),
      colorTextSecondary: color('ink2'),
      colorTextPlaceholder: color('ink3'),
      colorDanger: color('loss'),
      colorWarning: color('warn'),
      colorSuccess: color('gain'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '14px',
      gridRowSpacing: '20px',
      gridColumnSpacing: '12px',
    },
    rules: {
      '.Input': { border: `${LINE} solid ${color('control')}`, padding: '13px 16px' },
      '.Input:focus': {
        borderColor: color('accent'),
        boxShadow: `0 0 0 ${LINE} ${color('accent')}`,
      },
      '.Label': { fontWeight: '500', fontSize: '14px', color: color('ink2') },
    },
  }
}

/** Tokens are light-dark() pairs; the browser returns the color that applies. */
function resolver(): (token: string) => string {
  const probe = document.createElement('span')
  return (token) => {
    probe.style.color = `var(--color-${token})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
