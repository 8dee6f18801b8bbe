import { useState } from 'react'
import type { BankAccount } from '#contract/withdrawals.ts'
import { msg, say, t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { Trash2 } from '#app/ui/frame/icons.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { AddBankAccountForm } from './add-bank-account-form.tsx'
import {
  useBankAccounts,
  useMakeBankAccountDefault,
  useRemoveBankAccount,
} from './withdrawal-queries.ts'

type Props = {
  open: boolean
  onClose: () => void
  chosenId: string | undefined
  onChoose: (id: string) => void
}

const DETAILS: Record<BankAccount['accountType'], string> = {
  checking: msg('checking •••• {digits}'),
  savings: msg('savings •••• {digits}'),
}

/** Chooses, removes or adds a bank account. */
export function BankAccountsSheet({ open, onClose, chosenId, onChoose }: Props) {
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
