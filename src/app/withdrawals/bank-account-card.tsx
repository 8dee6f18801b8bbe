import { useState } from 'react'
import type { BankAccount } from '#contract/withdrawals.ts'
import { typedDigits } from '#core/typed-text.ts'
import {
  checkAccountNumber,
  checkBankName,
  checkRoutingNumber,
} from '#core/withdrawals/bank-account.ts'
import { msg, say, t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button, IconButton } from '#app/ui/buttons/button.tsx'
import { FieldError, formFields, TextField } from '#app/ui/forms/fields.tsx'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { Landmark } from '#app/ui/frame/icons.ts'
import { Trash2 } from '#app/ui/frame/later-icons.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import {
  useAddBankAccount,
  useBankAccounts,
  useMakeBankAccountDefault,
  useRemoveBankAccount,
} from './withdrawal-queries.ts'

export function BankAccountCard({
  account,
  onChoose,
  error,
}: {
  account: BankAccount | undefined
  onChoose: (id: string) => void
  error: string | undefined
}) {
  const accounts = useBankAccounts()
  const [open, setOpen] = useState(false)
  if (accounts.isError)
    return (
      <LoadProblem
        message={t('Unable to load your bank accounts')}
        onRetry={() => void accounts.refetch()}
      />
    )
  return (
    <section
      aria-labelledby="bank-account"
      data-wrong={error === undefined ? undefined : ''}
      className={
        'flex min-h-20 flex-wrap items-center gap-x-4 rounded-control border ' +
        'border-hairline bg-surface py-3 pr-2 pl-4'
      }
    >
      <Landmark size={24} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ink2" />
      <div className="min-w-0 flex-[1_1_7rem]">
        <h2 id="bank-account" className="text-14 text-ink2">
          {t('Bank Account')}
        </h2>
        {accounts.isPending ? (
          <Skeleton className="mt-1 h-5 w-36" />
        ) : (
          <ChosenAccount account={account} />
        )}
      </div>
      <Button
        look="quiet"
        className="ml-auto"
        disabled={accounts.isPending}
        onClick={() => setOpen(true)}
      >
        {account || accounts.isPending ? t('Change') : t('Add Bank Account')}
      </Button>
      <FieldError error={error} className="w-full" />
      <BankAccountsSheet
        open={open}
        onClose={() => setOpen(false)}
        chosenId={account?.id}
        onChoose={onChoose}
      />
    </section>
  )
}

function ChosenAccount({ account }: { account: BankAccount | undefined }) {
  if (!account) return <p className="text-16">{t('No bank account on file')}</p>
  return (
    <p className="text-16 font-semibold">
      <AccountName account={account} />
    </p>
  )
}

type Props = {
  open: boolean
  onClose: () => void
  chosenId: string | undefined
  onChoose: (id: string) => void
}

const DETAILS: Record<AccountType, string> = {
  checking: msg('checking •••• {digits}'),
  savings: msg('savings •••• {digits}'),
}

function BankAccountsSheet({ open, onClose, chosenId, onChoose }: Props) {
  const accounts = useBankAccounts().data ?? []
  const [adding, setAdding] = useState(false)
  const form = adding || accounts.length === 0
  const close = () => {
    setAdding(false)
    onClose()
  }
  return (
    <Sheet open={open} onClose={close} title={form ? t('Add Bank Account') : t('Bank Account')}>
      {form ? (
        <AddBankAccountForm
          onAdded={(id) => {
            onChoose(id)
            close()
          }}
        />
      ) : (
        <>
          <AccountChoice chosenId={chosenId} onChoose={onChoose} />
          <div className="mt-5 grid grid-cols-2 gap-3">
            <Button look="outline" onClick={() => setAdding(true)}>
              {t('Add another')}
            </Button>
            <Button onClick={close}>{t('Done')}</Button>
          </div>
        </>
      )}
    </Sheet>
  )
}

function AccountChoice({ chosenId, onChoose }: Pick<Props, 'chosenId' | 'onChoose'>) {
  const accounts = useBankAccounts().data ?? []
  const remove = useRemoveBankAccount()
  const makeDefault = useMakeBankAccountDefault()
  const choose = (id: string) => {
    onChoose(id)
    makeDefault.mutate(id, { onError: (error) => showFailure(error, 'makeBankAccountDefault') })
  }
  return (
    <ul className="flex flex-col gap-2">
      {accounts.map(({ id, bankName, accountNumber, accountType }) => (
        <li key={id} className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <RadioCard
              name="bankAccount"
              value={id}
              checked={id === chosenId}
              onChoose={() => choose(id)}
              title={bankName}
              detail={say(DETAILS[accountType], { digits: accountNumber })}
            />
          </div>
          <IconButton
            icon={Trash2}
            label={t('Remove {bank} ending in {digits}', { bank: bankName, digits: accountNumber })}
            disabled={remove.isPending}
            onClick={() =>
              remove.mutate(id, {
                onError: (error) => showFailure(error, 'removeBankAccount'),
              })
            }
          />
        </li>
      ))}
    </ul>
  )
}

type AccountType = BankAccount['accountType']

const ACCOUNT_TYPES = [
  { value: 'checking', title: msg('Checking') },
  { value: 'savings', title: msg('Savings') },
] as const

function AddBankAccountForm({ onAdded }: { onAdded: (id: string) => void }) {
  const add = useAddBankAccount()
  const [accountType, setAccountType] = useState<AccountType>('checking')
  const form = useForm({
    action: 'addBankAccount',
    request: add,
    read: (element) => ({ ...readAccount(element), accountType }),
    check: ({ bankName, routingNumber, accountNumber }) => ({
      bankName: () => checkBankName(bankName),
      routingNumber: () => checkRoutingNumber(routingNumber),
      accountNumber: () => checkAccountNumber(accountNumber),
    }),
    send: (body, idempotencyKey) => add.mutateAsync({ body, idempotencyKey }),
    onDone: ({ id }) => onAdded(id),
  })
  return (
    <Form form={form} autoComplete="off" className="flex flex-col gap-5">
      <TextField label={t('Bank name')} {...form.field('bankName')} />
      <TextField
        label={t('Routing number')}
        inputMode="numeric"
        hint={t('9 digits, on the lower left of a check')}
        {...form.field('routingNumber')}
      />
      <TextField
        label={t('Account number')}
        inputMode="numeric"
        hint={t('Stored encrypted; only the last 4 digits are ever shown')}
        {...form.field('accountNumber')}
      />
      <AccountTypeChoice chosen={accountType} onChoose={setAccountType} />
      <Submit form={form} pendingLabel={t('Adding…')}>
        {t('Add Bank Account')}
      </Submit>
    </Form>
  )
}

/** Reads the form without blanks in the number, so that a pasted number keeps all its digits. */
function readAccount(element: HTMLFormElement) {
  const fields = formFields(element, ['bankName', 'routingNumber', 'accountNumber'])
  return {
    bankName: fields.bankName,
    routingNumber: typedDigits(fields.routingNumber),
    accountNumber: typedDigits(fields.accountNumber),
  }
}

function AccountTypeChoice({
  chosen,
  onChoose,
}: {
  chosen: AccountType
  onChoose: (type: AccountType) => void
}) {
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2">
      <legend className="mb-1.5 text-14 font-medium">{t('Account type')}</legend>
      {ACCOUNT_TYPES.map(({ value, title }) => (
        <RadioCard
          key={value}
          name="accountType"
          value={value}
          checked={chosen === value}
          onChoose={() => onChoose(value)}
          title={say(title)}
          detail=""
        />
      ))}
    </fieldset>
  )
}

export function AccountName({
  account: { bankName, accountNumber },
}: {
  account: Pick<BankAccount, 'bankName' | 'accountNumber'>
}) {
  return (
    <>
      {bankName} <span className="whitespace-nowrap">•••• {accountNumber}</span>
    </>
  )
}
