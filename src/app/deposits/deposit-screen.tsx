import { useEffect, useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { useConfig } from '#app/api/queries.ts'
import { useLocation } from '#app/ui/frame/address.ts'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { reloadDocument } from '#app/ui/device/leaving.ts'
import { Steps, useSteps } from '#app/ui/forms/steps.tsx'
import { AmountStep } from './amount-step.tsx'
import { CardStep } from './card-step.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import { ReturnedStep, useReturnedPayment } from './returned-step.tsx'

const PATH = '/deposit'
const CARD = 'card'

/**
 * The amount, then the card, then home with the receipt. A payment whose outcome is not known is
 * checked first.
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
 * Leads home, where the receipt opens. An entry of its own for the receipt, so that Back closes it.
 */
function useArrival(drop: () => void): (result: DepositResult) => void {
  const [, navigate] = useLocation()
  return ({ transactionId }) => {
    drop()
    navigate('/', { replace: true })
    navigate(`/?receipt=${transactionId}`, { state: { arrived: 'deposit', above: true } })
  }
}

/**
 * With Stripe, this screen is a document of its own: only its page's policy allows Stripe's
 * scripts, and leaving the document unloads them. Returns false until the document is loaded.
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

/**
 * Whether the browser loaded this page from the server, rather than the app opening this screen.
 */
function wasLoadedAsDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PATH
}
