import { useState, type SubmitEvent } from 'react'
import type { PaymentSession } from '#contract/deposits.ts'
import { PROBLEMS, refusalOf } from '#contract/problem.ts'
import { checkDeposit } from '#core/deposits/deposit.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { newAttemptKey } from '#app/api/attempt-key.ts'
import { useConfig } from '#app/api/queries.ts'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { readAmount } from '#app/ui/money/amount-text.ts'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useCreatePaymentIntent } from './deposit-queries.ts'
import { PaymentMethods } from './payment-methods.tsx'

const PRESETS = ['100', '500', '1000'].map((value) => ({ value, text: `$${value}` }))

export function AmountStep({ onSession }: { onSession: (session: PaymentSession) => void }) {
  const config = useConfig().data
  const createIntent = useCreatePaymentIntent()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [key] = useState(newAttemptKey)
  const limits = config?.deposit ?? { minimum: '10', maximum: '10000' }
  const change = (next: string) => {
    setTyped(next)
    setError(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const amount = readAmount(typed) ?? ''
    const { minimum, maximum } = limits
    const refusal = refusalOf(() => checkDeposit(parseDecimal(amount), { minimum: decimalToUnits(minimum), maximum: decimalToUnits(maximum) }))
    setError(refusal?.description)
    if (refusal) return showToast({ ...refusal, tone: 'destructive' })
    createIntent.mutate(
      { body: { amount }, idempotencyKey: `${key}-${amount}` },
      {
        onSuccess: onSession,
        onError: (failure) => showFailure(failure, 'createPaymentIntent'),
      },
    )
  }
  if (config?.payments.provider === 'none') return <NoPayments />
  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <h2 className="text-20 font-semibold">Choose Amount</h2>
        <ChoiceRow label="Preset amounts" choices={PRESETS} chosen={typed} onChoose={change} />
        <AmountField
          label="Custom amount"
          value={typed}
          error={error}
          onChange={change}
          hint={
            <>
              From <Money amount={limits.minimum} /> to <Money amount={limits.maximum} />, no fee.
            </>
          }
        />
        <ActionButton type="submit" pending={createIntent.isPending} pendingLabel="Preparing payment...">
          Continue
        </ActionButton>
        <FailureNote error={createIntent.error} action="createPaymentIntent" />
      </form>
      <PaymentMethods />
    </>
  )
}

function NoPayments() {
  return (
    <>
      <p role="status" className="rounded-control border border-warn px-4 py-3 text-16 text-warn">
        {PROBLEMS['payment-unavailable'].message}
      </p>
      <ContactSupport />
      <PaymentMethods />
    </>
  )
}
