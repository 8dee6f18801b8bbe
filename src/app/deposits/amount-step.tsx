import type { ReactNode } from 'react'
import type { PaymentSession } from '#contract/deposits.ts'
import { sentenceOf } from '#contract/problem.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { AmountField } from '#app/ui/forms/fields.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { Landmark } from '#app/ui/frame/icons.ts'
import { CreditCard } from '#app/ui/frame/later-icons.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { useDepositDraft } from './deposit-draft.ts'
import { useCreatePaymentIntent } from './use-deposit.ts'
import { CardNote } from './payment-parts.tsx'

const dollars = (amount: string): string => moneyText({ amount, precision: 'whole' })
const PRESETS = ['100', '500', '1000']

export function AmountStep({ onSession }: { onSession: (session: PaymentSession) => void }) {
  const provider = useConfig().data?.payments.provider
  return (
    <>
      {provider === 'none' ? <NoPayments /> : <AmountForm onSession={onSession} />}
      <PaymentMethods />
    </>
  )
}

function AmountForm({ onSession }: { onSession: (session: PaymentSession) => void }) {
  const createIntent = useCreatePaymentIntent()
  const { typed, type, limits, check, setKey } = useDepositDraft()
  const form = useForm({
    action: 'createPaymentIntent',
    alwaysToasts: true,
    request: createIntent,
    read: () => ({ amount: readAmount(typed) ?? '' }),
    check: () => ({ amount: check }),
    send: (body, idempotencyKey) => {
      setKey(idempotencyKey)
      return createIntent.mutateAsync({ body, idempotencyKey })
    },
    onDone: onSession,
  })
  return (
    <Form form={form} className="flex flex-col gap-4">
      <StepHeading>{t('Choose Amount')}</StepHeading>
      <ChoiceRow
        label={t('Preset amounts')}
        choices={PRESETS.map((value) => ({ value, text: dollars(value) }))}
        chosen={typed}
        onChoose={(preset) => {
          type(preset)
          form.edited('amount')
        }}
      />
      <AmountField
        label={t('Custom amount')}
        value={typed}
        error={form.errors.amount}
        onChange={type}
        hint={t('From {minimum} to {maximum}, no fee.', {
          minimum: dollars(limits.minimum),
          maximum: dollars(limits.maximum),
        })}
      />
      <Submit form={form} pendingLabel={t('Preparing payment…')}>
        {t('Continue')}
      </Submit>
    </Form>
  )
}

function NoPayments() {
  return (
    <>
      <p role="status" className="rounded-control border border-warn px-4 py-3 text-16 text-warn">
        {sentenceOf({ code: 'payment-unavailable', values: {} })}
      </p>
      <ContactSupport />
    </>
  )
}

function PaymentMethods() {
  return (
    <section aria-labelledby="payment-methods" className="pt-8">
      <h2 id="payment-methods" className="text-20 font-semibold">
        {t('Payment Methods')}
      </h2>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        <Method icon={CreditCard} title={t('Credit/Debit Card')}>
          {t('Visa, Mastercard, American Express')}
        </Method>
        <Method icon={Landmark} title={t('Bank Transfer')}>
          {t('Coming soon')}
        </Method>
      </ul>
      <div className="mt-3">
        <CardNote />
      </div>
    </section>
  )
}

function Method({
  icon: Icon,
  title,
  children,
}: {
  icon: Icon
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex min-h-16 items-center gap-4 py-2">
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ink2" />
      <div>
        <p className="text-16 font-semibold">{title}</p>
        <p className="text-14 text-ink2">{children}</p>
      </div>
    </li>
  )
}
