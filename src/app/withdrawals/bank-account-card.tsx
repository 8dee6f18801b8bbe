import { useState } from 'react'
import type { BankAccount } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Landmark } from '#app/ui/frame/icons.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { AccountName } from './account-name.tsx'
import { BankAccountsSheet } from './bank-accounts-sheet.tsx'
import { useBankAccounts } from './withdrawal-queries.ts'

/** The bank account that the money goes to. */
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
      {error && (
        <p role="alert" className="w-full text-14 font-medium text-loss">
          {error}
        </p>
      )}
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
