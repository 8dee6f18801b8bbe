import { useState } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { checkCardNumber, checkCvc, readExpiry } from '#core/deposits/card.ts'
import { typedDigits } from '#core/typed-text.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Form } from '#app/ui/forms/form.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { groupCardNumber, groupExpiry } from './card-text.ts'
import { CardNote } from './payment-parts.tsx'
import { TestCards } from './test-cards.tsx'

export type Card = { number: string; expMonth: number; expYear: number; cvc: string }

/** The sandbox's card form. Autofill is off so that the browser offers no real card. */
export function SandboxCardForm({
  amount,
  pending,
  onPay,
}: {
  amount: string
  pending: boolean
  onPay: (card: Card) => void
}) {
  const [number, setNumber] = useState('')
  const [expiry, setExpiry] = useState('')
  const [cvc, setCvc] = useState('')
  const [errors, setErrors] = useState<{ number?: string; expiry?: string; cvc?: string }>({})
  const submit = () => {
    const digits = typedDigits(number)
    const wrong = refusalsOf({
      number: () => checkCardNumber(digits),
      expiry: () => readExpiry(expiry),
      cvc: () => checkCvc(cvc),
    })
    setErrors(wrong)
    if (Object.keys(wrong).length === 0) onPay({ number: digits, ...readExpiry(expiry), cvc })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TestCards
        onUse={(chosen) => {
          setNumber(groupCardNumber(chosen))
          setExpiry('12/34')
          setCvc('123')
        }}
      />
      <TextField
        label={t('Card number')}
        name="number"
        inputMode="numeric"
        autoComplete="off"
        placeholder="4242 4242 4242 4242"
        value={number}
        error={errors.number}
        onChange={(event) => setNumber(groupCardNumber(event.target.value))}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('Expiry')}
          name="expiry"
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('MM/YY')}
          value={expiry}
          error={errors.expiry}
          onChange={(event) => setExpiry(groupExpiry(event.target.value))}
        />
        <TextField
          label={t('CVC')}
          name="cvc"
          inputMode="numeric"
          autoComplete="off"
          placeholder="123"
          value={cvc}
          error={errors.cvc}
          onChange={(event) => setCvc(typedDigits(event.target.value))}
        />
      </div>
      <ActionButton type="submit" pending={pending} pendingLabel={t('Processing...')}>
        {t('Deposit {amount}', { amount: moneyText({ amount }) })}
      </ActionButton>
      <CardNote />
    </Form>
  )
}
