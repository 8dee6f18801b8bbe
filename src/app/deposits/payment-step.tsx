import { useState } from 'react'
import { checkCardNumber, checkCvc, readExpiry } from '#core/deposits/card.ts'
import { typedDigits } from '#core/typed-text.ts'
import { moneyText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { TextField } from '#app/ui/forms/fields.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { useDepositDraft } from './deposit-draft.ts'
import { CardNote, PaymentSummary, UnconfirmedPayment, type CardProps } from './payment-parts.tsx'
import { showPaymentFailure } from './payment-failure.ts'
import { useDeposit, usePayWithSandboxCard } from './use-deposit.ts'

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
          <SandboxCardForm
            amount={session.amount}
            request={{ isPending: pending, error }}
            onPay={pay}
          />
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
  // Awaits `mutateAsync`: callbacks of `mutate` are not called if the user leaves this step
  // meanwhile.
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
    return send(paidWith)
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

type Card = { number: string; expMonth: number; expYear: number; cvc: string }

const NO_CARD = { number: '', expiry: '', cvc: '' }

const cardChecks = ({ number, expiry, cvc }: typeof NO_CARD) => ({
  number: () => checkCardNumber(number),
  expiry: () => readExpiry(expiry),
  cvc: () => checkCvc(cvc),
})

/** The sandbox's card form. Autofill is off so that the browser offers no real card. */
function SandboxCardForm({
  amount,
  request,
  onPay,
}: {
  amount: string
  request: { isPending: boolean; error: unknown }
  onPay: (card: Card) => Promise<unknown>
}) {
  const [typed, setTyped] = useState(NO_CARD)
  const form = useForm({
    action: 'payWithSandboxCard',
    request,
    read: () => ({ ...typed, number: typedDigits(typed.number) }),
    check: cardChecks,
    send: ({ number, expiry, cvc }) => onPay({ number, ...readExpiry(expiry), cvc }),
  })
  const digits = (name: keyof typeof typed, grouped: (text: string) => string) => ({
    ...form.field(name),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: grouped(target.value) }),
  })
  const use = (chosen: string) => {
    setTyped({ number: groupCardNumber(chosen), expiry: '12/34', cvc: '123' })
    form.edited('number', 'expiry', 'cvc')
  }
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TestCards onUse={use} />
      <TextField
        label={t('Card number')}
        placeholder="4242 4242 4242 4242"
        {...digits('number', groupCardNumber)}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('Expiry')}
          placeholder={t('MM/YY')}
          {...digits('expiry', groupExpiry)}
        />
        <TextField label={t('CVC')} placeholder="123" {...digits('cvc', typedDigits)} />
      </div>
      <Submit form={form} pendingLabel={t('Processing…')}>
        {t('Deposit {amount}', { amount: moneyText({ amount }) })}
      </Submit>
      <CardNote />
    </Form>
  )
}

const CARDS = [
  { number: '4242424242424242', text: msg('Succeeds') },
  { number: '4000002760003184', text: msg('Requires confirmation') },
  { number: '4000000000000002', text: msg('Declined') },
  { number: '4000000000009995', text: msg('Insufficient funds') },
] as const

function TestCards({ onUse }: { onUse: (number: string) => void }) {
  return (
    <section
      aria-labelledby="test-cards"
      className="rounded-control border-[1.5px] border-dashed border-warn px-4 py-3"
    >
      <h3 id="test-cards" className="text-14 font-semibold text-warn">
        {t('Sandbox: use a test card, never a real one')}
      </h3>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.5rem),1fr))] gap-2">
        {CARDS.map(({ number, text }) => (
          <button
            key={number}
            type="button"
            onClick={() => onUse(number)}
            className={
              'min-h-12 rounded-control border border-control px-2 py-1 text-left text-14 ' +
              'font-medium'
            }
          >
            <span className="block">{say(text)}</span>
            <span className="block text-12 text-ink2">
              {t('ends in {digits}', { digits: number.slice(-4) })}
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}

/**
 * '4242424242424242' as '4242 4242 4242 4242' while it is typed. Other characters stay, and the
 * form refuses them.
 */
export function groupCardNumber(typed: string): string {
  return typedDigits(typed).replace(/(.{4})(?=.)/g, '$1 ')
}

/** '1228' as '12/28' and '122028' as '12/2028' while it is typed. */
export function groupExpiry(typed: string): string {
  return typedDigits(typed).replace(/^(\d{2})(\d+)$/, '$1/$2')
}
