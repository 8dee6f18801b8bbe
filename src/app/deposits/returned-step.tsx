import { useEffect, useRef } from 'react'
import type { DepositResult } from '#contract/deposits.ts'
import { UnconfirmedPayment } from './unconfirmed-payment.tsx'
import { useDeposit } from './use-deposit.ts'

type Props = { paymentIntentId: string; onPaid: (result: DepositResult) => void; onUnpaid: () => void }

/** Back from the card holder's bank: the server asks, once, what became of the payment. */
export function ReturnedStep(props: Props) {
  const { confirm, pending, unconfirmed } = useDeposit(props)
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
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
