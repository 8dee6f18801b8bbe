import { useEffect, useRef } from 'react'
import type { DepositResult } from '#contract/deposits.ts'
import { t } from '#words/words.ts'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { UnconfirmedPayment } from './payment-parts.tsx'
import { useDeposit } from './use-deposit.ts'

/**
 * A payment whose outcome is not known: the cardholder's bank sent the user back, or the page was
 * reloaded. The server checks it, once.
 */
export function ReturnedStep(props: {
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
 * Reports, once, the payment with which the cardholder's bank sent the user back. Its id and the
 * secret beside it are removed from the address bar at once: they belong neither in the history nor
 * in a reload.
 */
export function useReturnedPayment(onReturned: (intentId: string) => void): void {
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
