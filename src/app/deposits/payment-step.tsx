import { useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { CardConfirmation } from './card-confirmation.tsx'
import type { Card } from './card-rules.ts'
import { usePayWithSandboxCard } from './deposit-queries.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { SandboxCardForm } from './sandbox-card-form.tsx'
import { UnconfirmedPayment } from './unconfirmed-payment.tsx'
import { useDeposit } from './use-deposit.ts'

type Props = { session: PaymentSession; onChangeAmount: () => void; onPaid: (result: DepositResult) => void }

/** The sandbox's payment: its own card form, and its own question of the bank. */
export function PaymentStep({ session, onChangeAmount, onPaid }: Props) {
  const { pay, answer, asking, pending, unconfirmed, confirm } = useSandboxPayment({ session, onPaid })
  return (
    <>
      <PaymentSummary amount={session.amount} pending={pending} onChangeAmount={onChangeAmount} />
      {unconfirmed ? (
        <UnconfirmedPayment pending={pending} onConfirm={confirm} />
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
  const { confirm, ...deposit } = useDeposit({ paymentIntentId: session.paymentIntentId, amount: session.amount, onPaid })
  const [card, setCard] = useState<Card>()
  const [asking, setAsking] = useState(false)
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
  return { pay, answer, asking, confirm, pending: payment.isPending || deposit.pending, unconfirmed: deposit.unconfirmed }
}
