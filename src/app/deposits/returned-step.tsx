import { useEffect, useRef } from 'react'
import type { DepositResult } from '#contract/deposits.ts'
import { UnconfirmedPayment } from './payment-parts.tsx'
import { useDeposit } from './use-deposit.ts'

type Props = { paymentIntentId: string; onPaid: (result: DepositResult) => void; onUnpaid: () => void }

/** Shown when the cardholder's bank sends the user back. The server checks the payment, once. */
export function ReturnedStep(props: Props) {
  const { confirm, pending, unconfirmed } = useDeposit(props)
  const confirmed = useRef(false)
  useEffect(() => {
    if (confirmed.current) return
    confirmed.current = true
    confirm()
  }, [confirm])
  if (unconfirmed && !pending) return <UnconfirmedPayment isCharged={false} pending={pending} onConfirm={confirm} />
  return (
    <section aria-labelledby="returned" className="flex flex-col gap-2 pt-4">
      <h2 id="returned" className="text-20 font-semibold">
        Complete Payment
      </h2>
      <p role="status" className="text-16 text-ink2">
        Your bank has answered. We ask the card provider what was paid.
      </p>
    </section>
  )
}

/**
 * Reports, once, the payment with which the cardholder's bank sent the user back. Its id and the secret beside it are removed from the
 * address bar at once: they belong neither in the history nor in a reload.
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
