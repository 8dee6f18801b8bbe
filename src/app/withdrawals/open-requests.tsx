import type { Withdrawal } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { AccountName } from './account-name.tsx'
import { CancelButton } from './cancel-button.tsx'
import { useWithdrawals } from './withdrawal-queries.ts'

/** Withdrawals that are on their way; some can still be canceled. */
export function OpenRequests() {
  const withdrawals = useWithdrawals()
  if (withdrawals.isError)
    return (
      <LoadProblem
        message={t('Unable to load your requests')}
        onRetry={() => void withdrawals.refetch()}
      />
    )
  const open = (withdrawals.data ?? []).filter(
    ({ status }) => status === 'pending' || status === 'processing',
  )
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open-requests" className="pt-8">
      <h2 id="open-requests" className="text-20 font-semibold">
        {t('Open requests')}
      </h2>
      <OfflineReason id={OFFLINE_REASON} />
      <ul className="divide-y divide-hairline">
        {open.map((withdrawal) => (
          <OpenRequest key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
    </section>
  )
}

function OpenRequest({ withdrawal }: { withdrawal: Withdrawal }) {
  const { dayText, momentText } = useDates()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Money amount={withdrawal.amount} className="text-17 font-semibold" />
          <StatusBadge status={withdrawal.status} />
        </p>
        <p className="text-14 text-ink2">
          <Trans
            message="{day} to {account}"
            day={dayText(withdrawal.createdAt)}
            account={<AccountName account={withdrawal} />}
          />
        </p>
        {withdrawal.sendsAfter !== null && (
          <p className="text-14 text-ink2">
            {t('Will be sent after {moment}', { moment: momentText(withdrawal.sendsAfter) })}
          </p>
        )}
      </div>
      {withdrawal.cancelable && (
        <CancelButton withdrawal={withdrawal} look="quiet" className="-mr-2 ml-auto">
          {t('Cancel|withdrawal')}
        </CancelButton>
      )}
    </li>
  )
}
