import { useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { newAttemptKey } from '../api/attempt-key.ts'
import { useConfirmDeposit, usePayWithSandboxCard } from '../api/queries.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Button } from '../ui/button.tsx'
import { showFailure } from '../ui/failure-toast.ts'
import { Money } from '../ui/money.tsx'
import { ReceiptLine } from '../ui/receipt-line.tsx'
import { Receipt } from '../ui/receipt.tsx'
import { showToast } from '../ui/toast.ts'
import { CardConfirmation } from './card-confirmation.tsx'
import type { Card } from './card-rules.ts'
import { SandboxCardForm } from './sandbox-card-form.tsx'

type Props = { session: PaymentSession; onChangeAmount: () => void; onPaid: (result: DepositResult) => void }

export function PaymentStep({ session, onChangeAmount, onPaid }: Props) {
  const { pay, answer, asking, pending, unconfirmed, confirm } = useSandboxPayment({ session, onPaid })
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3">
        <h2 className="text-20 font-semibold">Complete Payment</h2>
        <Button look="quiet" className="-mr-2" disabled={pending} onClick={onChangeAmount}>
          Change amount
        </Button>
      </div>
      <div data-unfinished className="mt-2 mb-6">
        <Receipt>
          <ReceiptLine label="Deposit">
            <Money amount={session.amount} />
          </ReceiptLine>
          <ReceiptLine label="Fee">
            <Money amount="0.00" />
          </ReceiptLine>
          <ReceiptLine label="Arrival">at once</ReceiptLine>
          <ReceiptLine kind="total" label="Your card is charged">
            <Money amount={session.amount} />
          </ReceiptLine>
        </Receipt>
      </div>
      {unconfirmed ? (
        <div role="alert" className="flex flex-col gap-4 rounded-control border border-warn px-4 py-4">
          <p
            className="text-16">Your
            card
            was
            charged,
            but
            the
            deposit
            is
            not
            booked
            yet.
            It
            cannot
            get
            lost:
            we
            ask
            the
            card
            provider
            again.</p
          >
          <ActionButton pending={pending} pendingLabel="Asking again..." onClick={confirm}>
            Book the deposit
          </ActionButton>
        </div>
      ) : (
        <SandboxCardForm amount={session.amount} pending={pending} onPay={pay} />
      )}
      <CardConfirmation open={asking} amount={session.amount} onAnswer={answer} />
    </>
  )
}

/** Pay, answer the extra step where the card asks for one, then let the server ask the provider what was paid. */
function useSandboxPayment({ session, onPaid }: Pick<Props, 'session' | 'onPaid'>) {
  const payment = usePayWithSandboxCard()
  const deposit = useConfirmDeposit()
  const [key] = useState(newAttemptKey)
  const [card, setCard] = useState<Card>()
  const [asking, setAsking] = useState(false)
  const confirm = () =>
    deposit.mutate(
      { body: { paymentIntentId: session.paymentIntentId, amount: session.amount }, idempotencyKey: key },
      {
        onSuccess: (result) => {
          showToast({ title: 'Payment Successful', description: 'Your deposit has been processed!' })
          onPaid(result)
        },
        onError: (error) => showFailure(error, { title: 'Error', description: 'Failed to process deposit.' }),
      },
    )
  const send = (paidWith: Card, confirmed = false) =>
    payment.mutate(
      { clientSecret: session.clientSecret, ...paidWith, ...(confirmed ? { confirmed } : {}) },
      {
        onSuccess: ({ status, message }) => {
          if (status === 'succeeded') return confirm()
          if (status === 'requires_action') return setAsking(true)
          return showToast({ title: 'Payment Failed', description: message ?? 'Your card was not charged.', tone: 'destructive' })
        },
        onError: (error) => showFailure(error, { title: 'Payment Failed', description: 'Your card was not charged. Please try again.' }),
      },
    )
  const pay = (paidWith: Card) => {
    setCard(paidWith)
    send(paidWith)
  }
  const answer = (agreed: boolean) => {
    setAsking(false)
    if (!agreed) return showToast({ title: 'Payment Failed', description: 'You declined. Your card was not charged.', tone: 'destructive' })
    if (card) send(card, true)
  }
  return { pay, answer, asking, confirm, pending: payment.isPending || deposit.isPending, unconfirmed: deposit.isError }
}
