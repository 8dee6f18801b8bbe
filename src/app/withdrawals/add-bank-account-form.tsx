import { useRef, useState } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { tidyName } from '#core/one-line.ts'
import { typedDigits } from '#core/typed-text.ts'
import {
  checkAccountNumber,
  checkBankName,
  checkRoutingNumber,
} from '#core/withdrawals/bank-account.ts'
import { msg, say, t } from '#words/words.ts'
import { newAttemptKey } from '#app/api/attempt-key.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Form } from '#app/ui/forms/form.tsx'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { useAddBankAccount } from './withdrawal-queries.ts'

type Field = 'bankName' | 'routingNumber' | 'accountNumber'

const ACCOUNT_TYPES = [
  { value: 'checking', title: msg('Checking') },
  { value: 'savings', title: msg('Savings') },
] as const

export function AddBankAccountForm({ onAdded }: { onAdded: (id: string) => void }) {
  const add = useAddBankAccount()
  const [fields, setFields] = useState<Record<Field, string>>({
    bankName: '',
    routingNumber: '',
    accountNumber: '',
  })
  const [accountType, setAccountType] = useState<'checking' | 'savings'>('checking')
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})
  const keyFor = useAttemptKey()
  const submit = () => {
    const { bankName, routingNumber, accountNumber } = meant(fields)
    const wrong = refusalsOf<Field>({
      bankName: () => checkBankName(bankName),
      routingNumber: () => checkRoutingNumber(routingNumber),
      accountNumber: () => checkAccountNumber(accountNumber),
    })
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    const body = { bankName, routingNumber, accountNumber, accountType }
    add.mutate(
      { body, idempotencyKey: keyFor(JSON.stringify(body)) },
      {
        onSuccess: ({ id }) => onAdded(id),
        onError: (error) => showFailure(error, 'addBankAccount'),
      },
    )
  }
  const wiring = (name: Field) => ({
    name,
    autoComplete: 'off',
    value: fields[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) =>
      setFields({ ...fields, [name]: event.target.value }),
  })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField label={t('Bank name')} {...wiring('bankName')} />
      <TextField
        label={t('Routing number')}
        inputMode="numeric"
        hint={t('9 digits, on the lower left of a check')}
        {...wiring('routingNumber')}
      />
      <TextField
        label={t('Account number')}
        inputMode="numeric"
        hint={t('Stored encrypted; only the last 4 digits are ever shown')}
        {...wiring('accountNumber')}
      />
      <fieldset className="grid min-w-0 grid-cols-2 gap-2">
        <legend className="mb-1.5 text-14 font-medium">{t('Account type')}</legend>
        {ACCOUNT_TYPES.map(({ value, title }) => (
          <RadioCard
            key={value}
            name="accountType"
            value={value}
            checked={accountType === value}
            onChoose={() => setAccountType(value)}
            title={say(title)}
            detail=""
          />
        ))}
      </fieldset>
      <ActionButton type="submit" pending={add.isPending} pendingLabel={t('Adding...')}>
        {t('Add Bank Account')}
      </ActionButton>
      <FailureNote error={add.error} action="addBankAccount" />
    </Form>
  )
}

/** One key for each account as typed: pressing again after a lost answer adds it once. */
function useAttemptKey(): (typed: string) => string {
  const attempt = useRef({ key: '', typed: '' })
  return (typed) => {
    if (attempt.current.typed !== typed) attempt.current = { key: newAttemptKey(), typed }
    return attempt.current.key
  }
}

/** The typed fields as they are sent: a number pasted with blanks keeps all its digits. */
function meant({
  bankName,
  routingNumber,
  accountNumber,
}: Record<Field, string>): Record<Field, string> {
  return {
    bankName: tidyName(bankName),
    routingNumber: typedDigits(routingNumber),
    accountNumber: typedDigits(accountNumber),
  }
}
