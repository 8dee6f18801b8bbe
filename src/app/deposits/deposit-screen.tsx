import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import type { QueryKey } from '#contract/query-key.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { reloadDocument } from '#app/ui/device/leaving.ts'
import { StepHeading, Steps, useSteps } from '#app/ui/forms/steps.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/section.tsx'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { compareAmounts } from '#app/ui/money/amount-text.ts'
import { AmountStep } from './amount-step.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import { CardSkeleton, UnconfirmedPayment, type CardProps } from './payment-parts.tsx'
import { PaymentStep } from './payment-step.tsx'
import { useCreatePaymentIntent, useDeposit } from './use-deposit.ts'

const PATH = '/deposit'
const CARD = 'card'

/**
 * The amount, then the card, then Home with the receipt. A payment of unknown outcome is checked
 * first.
 */
export function DepositScreen() {
  const isStripe = useConfig().data?.payments.provider === 'stripe'
  const isHere = useOwnDocument(isStripe)
  const { step, go, back } = useSteps()
  const { amount, paying, setPaying, drop } = useDepositDraft()
  const [session, setSession] = useState<PaymentSession>()
  const onPaid = useArrival(drop)
  useReturnedPayment(setPaying)
  if (!isHere) return <LoadingScreen />
  const toCard = (made: PaymentSession) => {
    setSession(made)
    go(CARD)
  }
  const atCard = step === CARD && amount !== undefined
  const unknown = paying === session?.paymentIntentId ? undefined : paying
  return (
    <>
      <PageHeader screen="deposit" backTo={atCard ? PATH : '/'} />
      <Steps current={unknown ?? (atCard ? CARD : '')}>
        {unknown !== undefined && (
          <ReturnedStep
            paymentIntentId={unknown}
            onPaid={onPaid}
            onUnpaid={() => setPaying(undefined)}
          />
        )}
        {unknown === undefined && atCard && (
          <CardStep
            {...{ amount, session, onPaid }}
            onSession={setSession}
            onChangeAmount={() => back('')}
          />
        )}
        {unknown === undefined && !atCard && <AmountStep onSession={toCard} />}
      </Steps>
    </>
  )
}

/**
 * Navigates to Home and opens the receipt there, with a history entry of its own, so that Back
 * closes it.
 */
function useArrival(drop: () => void): (result: DepositResult) => void {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  return ({ transactionId }) => {
    drop()
    // Otherwise Home would first show the empty account, which has another height.
    client.removeQueries({ queryKey: ['getPortfolio'] satisfies QueryKey })
    navigate('/', { replace: true })
    navigate(`/?receipt=${transactionId}`, { state: { arrived: 'deposit', above: true } })
  }
}

/**
 * With Stripe, this screen is loaded as a document of its own: its content policy allows Stripe's
 * scripts, and leaving the document unloads them. Returns false until it is loaded.
 */
function useOwnDocument(isNeeded: boolean): boolean {
  const isThere = !isNeeded || wasLoadedAsDocument()
  useEffect(() => {
    if (!isNeeded) return undefined
    if (!isThere) return location.replace(location.href)
    return () => {
      if (location.pathname !== PATH) reloadDocument()
    }
  }, [isNeeded, isThere])
  return isThere
}

function wasLoadedAsDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PATH
}

/**
 * Shown after the cardholder's bank sent the user back or the page was reloaded. The outcome of the
 * payment is unknown, so the server checks it once.
 */
function ReturnedStep(props: {
  paymentIntentId: string
  onPaid: (result: DepositResult) => void
  onUnpaid: () => void
}) {
  const { confirm, pending, unconfirmed } = useDeposit(props)
  const confirmed = useRef(false)
  useEffect(() => {
    if (confirmed.current) return
    confirmed.current = true
    void confirm()
  }, [confirm])
  if (unconfirmed && !pending)
    return (
      <UnconfirmedPayment isCharged={false} pending={pending} onConfirm={() => void confirm()} />
    )
  return (
    <section className="flex flex-col gap-2">
      <StepHeading>{t('Complete Payment')}</StepHeading>
      <p role="status" className="text-16 text-ink2">
        {t('Checking your payment…')}
      </p>
    </section>
  )
}

/**
 * Reports, once, the payment after which the cardholder's bank sent the user back. Removes its id
 * and secret from the address at once, because neither the history nor a reload may contain them.
 */
function useReturnedPayment(onReturned: (intentId: string) => void): void {
  const looked = useRef(false)
  useEffect(() => {
    if (looked.current) return
    looked.current = true
    const intentId = new URLSearchParams(location.search).get('payment_intent')
    if (intentId === null) return
    history.replaceState(history.state, '', location.pathname)
    onReturned(intentId)
  }, [onReturned])
}

const StripePaymentStep = lazy(async () => ({
  default: (await import('./stripe-payment-step.tsx')).StripePaymentStep,
}))

type Props = Omit<CardProps, 'session'> & {
  amount: string
  session: PaymentSession | undefined
  onSession: (session: PaymentSession) => void
}

function CardStep({ amount, session, onSession, ...rest }: Props) {
  if (!session || compareAmounts(session.amount, amount) !== 0)
    return <Preparation amount={amount} onSession={onSession} />
  if (session.provider === 'sandbox') return <PaymentStep session={session} {...rest} />
  return (
    <Suspense fallback={<CardSkeleton />}>
      <StripePaymentStep session={session} {...rest} />
    </Suspense>
  )
}

/** Uses the same key again, so that the provider continues the same payment if it still has it. */
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
