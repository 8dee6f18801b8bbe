import { useState } from 'react'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import { showPaymentFailure, useDeposit, usePayWithSandboxCard } from './use-deposit.ts'
import { PaymentSummary, UnconfirmedPayment, type CardProps } from './payment-parts.tsx'
import { SandboxCardForm, type Card } from './sandbox-card-form.tsx'

/** A payment with a test card, in the sandbox's own card form and with its own confirmation. */
export function PaymentStep({ session, onChangeAmount, onPaid }: CardProps) {
  const { pay, answer, asking, pending, error, unconfirmed, confirm } = useSandboxPayment({
    session,
    onPaid,
  })
  return (
    <>
      <PaymentSummary amount={session.amount} pending={pending} onChangeAmount={onChangeAmount} />
      {unconfirmed ? (
        <UnconfirmedPayment pending={pending} onConfirm={() => void confirm()} />
      ) : (
        <>
          <SandboxCardForm amount={session.amount} pending={pending} onPay={pay} />
          <FailureNote error={error} action="payWithSandboxCard" />
        </>
      )}
      <CardConfirmation open={asking} amount={session.amount} onAnswer={answer} />
    </>
  )
}

function CardConfirmation({
  open,
  amount,
  onAnswer,
}: {
  open: boolean
  amount: string
  onAnswer: (agreed: boolean) => void
}) {
  return (
    <ConfirmDialog
      open={open}
      onCancel={() => onAnswer(false)}
      onConfirm={() => onAnswer(true)}
      question={t('Your bank asks you to confirm')}
      confirmLabel={t('Confirm')}
      cancelLabel={t('Decline')}
      tone="accent"
    >
      <Trans
        message="A payment of {amount} to Trading Bot. This is the sandbox's version of your bank's check."
        amount={<Money own={false} amount={amount} className="font-semibold text-ink" />}
      />
    </ConfirmDialog>
  )
}

/**
 * Pays, asks for a confirmation where the card needs one, then has the server confirm the payment.
 */
function useSandboxPayment({ session, onPaid }: Pick<CardProps, 'session' | 'onPaid'>) {
  const payment = usePayWithSandboxCard()
  const { confirm, ...deposit } = useDeposit({
    paymentIntentId: session.paymentIntentId,
    amount: session.amount,
    onPaid,
  })
  const [card, setCard] = useState<Card>()
  const [asking, setAsking] = useState(false)
  const { setPaying } = useDepositDraft()
  // Not with the callbacks of `mutate`, which are dropped when this step is left meanwhile.
  const send = async (paidWith: Card, confirmed = false) => {
    setPaying(session.paymentIntentId)
    try {
      const { status, message } = await payment.mutateAsync({
        clientSecret: session.clientSecret,
        ...paidWith,
        ...(confirmed ? { confirmed } : {}),
      })
      if (status === 'succeeded') return await confirm()
      setPaying(undefined)
      return status === 'requires_action' ? setAsking(true) : showPaymentFailure(message)
    } catch (error) {
      return showFailure(error, 'payWithSandboxCard')
    }
  }
  const pay = (paidWith: Card) => {
    setCard(paidWith)
    void send(paidWith)
  }
  const answer = (agreed: boolean) => {
    setAsking(false)
    if (!agreed) return showPaymentFailure(t('You declined. Your card was not charged.'))
    if (card) void send(card, true)
  }
  return {
    pay,
    answer,
    asking,
    confirm,
    error: payment.error,
    pending: payment.isPending || deposit.pending,
    unconfirmed: deposit.unconfirmed,
  }
}
