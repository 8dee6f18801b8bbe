import { useState, type SubmitEvent } from 'react'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { moneyText } from '#app/ui/money/money-format.ts'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { groupCardNumber, groupExpiry, readCard, type Card, type CardErrors } from './card-rules.ts'
import { TestCards } from './test-cards.tsx'

type Props = { amount: string; pending: boolean; onPay: (card: Card) => void }

/** The sandbox's card form. It asks the browser not to fill in a real card. */
export function SandboxCardForm({ amount, pending, onPay }: Props) {
  const [number, setNumber] = useState('')
  const [expiry, setExpiry] = useState('')
  const [cvc, setCvc] = useState('')
  const [errors, setErrors] = useState<CardErrors>({})
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readCard({ number, expiry, cvc })
    setErrors('errors' in read ? read.errors : {})
    if ('card' in read) onPay(read.card)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <TestCards
        onUse={(chosen) => {
          setNumber(groupCardNumber(chosen))
          setExpiry('12/34')
          setCvc('123')
        }}
      />
      <TextField
        label="Card number"
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
          label="Expiry"
          name="expiry"
          inputMode="numeric"
          autoComplete="off"
          placeholder="MM/YY"
          value={expiry}
          error={errors.expiry}
          onChange={(event) => setExpiry(groupExpiry(event.target.value))}
        />
        <TextField
          label="CVC"
          name="cvc"
          inputMode="numeric"
          autoComplete="off"
          placeholder="123"
          maxLength={4}
          value={cvc}
          error={errors.cvc}
          onChange={(event) => setCvc(event.target.value.replace(/\D/g, ''))}
        />
      </div>
      <ActionButton type="submit" pending={pending} pendingLabel="Processing...">
        Deposit {moneyText({ amount })}
      </ActionButton>
      <p className="text-14 text-ink2">Your card details are not stored.</p>
    </form>
  )
}
