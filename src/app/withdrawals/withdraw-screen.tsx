import type { BankAccount, Withdrawal, WithdrawalTerms } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { ConfirmButtons } from '#app/api/confirm-buttons.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { StepHeading, Steps, useSteps } from '#app/ui/forms/steps.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/section.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { sendingLines } from '#app/ui/money/sending-lines.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AccountName } from './bank-account-card.tsx'
import { CancelButton } from './cancel-button.tsx'
import { useSending } from './use-sending.ts'
import { WithdrawForm } from './withdraw-form.tsx'
import { useWithdrawalDraft } from './withdrawal-draft.ts'
import { useRequestWithdrawal, useWithdrawals, useWithdrawalTerms } from './withdrawal-queries.ts'

const PATH = '/withdraw'
const REVIEW = 'review'

/** The available amount is in the terms, because cash may be on hold or owed. */
export function WithdrawScreen() {
  const { data, isError, refetch } = useWithdrawalTerms()
  const terms = isError ? undefined : data
  const { step, go, back } = useSteps()
  const { amount, account, key, drop } = useWithdrawalDraft()
  const [, navigate] = useLocation()
  const request = useRequestWithdrawal()
  const isReview = step === REVIEW && amount !== undefined && account !== undefined && key !== ''
  // Awaited, because React Query drops the callbacks of `mutate` if the screen is left meanwhile.
  const confirm = async (amount: string, account: BankAccount) => {
    try {
      const body = { amount, bankAccountId: account.id }
      const { id } = await request.mutateAsync({
        body,
        account,
        idempotencyKey: `${key}-${amount}-${account.id}`,
      })
      drop()
      // Two entries, so that Back closes the receipt.
      navigate('/', { replace: true })
      navigate(`/?receipt=${id}`, { state: { arrived: 'withdrawal', above: true } })
    } catch (error) {
      showFailure(error, 'requestWithdrawal')
    }
  }
  return (
    <>
      <PageHeader screen="withdraw" backTo={isReview ? PATH : '/'} />
      <Steps current={isReview ? REVIEW : ''}>
        {isReview ? (
          <ReviewStep
            {...{ amount, account, terms, request }}
            onBack={() => back('')}
            onConfirm={() => void confirm(amount, account)}
          />
        ) : (
          <>
            {isError && (
              <LoadProblem
                message={t('Unable to load your withdrawable amount')}
                onRetry={() => void refetch()}
              />
            )}
            <WithdrawForm terms={terms} onReview={() => go(REVIEW)} />
            <OpenRequests />
          </>
        )}
      </Steps>
      <ProofOutlet />
    </>
  )
}

function OpenRequests() {
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
        {withdrawal.state === 'submitted' && withdrawal.cancelable && (
          <p className="text-14 text-ink2">
            {t('Not sent yet: our payment provider could not accept it. We keep trying.')}
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

function ReviewStep({
  amount,
  account,
  terms,
  request,
  onBack,
  onConfirm,
}: {
  amount: string
  account: BankAccount
  terms: WithdrawalTerms | undefined
  request: Pick<ReturnType<typeof useRequestWithdrawal>, 'isPending' | 'error'>
  onBack: () => void
  onConfirm: () => void
}) {
  const { momentText } = useDates()
  const arrival = sendingLines({ ...useSending(terms), momentText })
  return (
    <section data-unfinished className="flex flex-col gap-6">
      <div>
        <StepHeading quiet>{t('You withdraw')}</StepHeading>
        <Money own={false} size="hero" amount={amount} />
      </div>
      <Receipt
        lines={[
          { label: t('To|account'), value: <AccountName account={account} /> },
          { label: t('Fee'), value: <Money own={false} amount="0.00" /> },
          ...arrival,
          terms && {
            label: t('Available afterwards'),
            value: <Money amount={differenceOf(terms.withdrawable, amount)} />,
          },
          { label: t('You receive'), value: <Money own={false} amount={amount} />, isTotal: true },
        ]}
      />
      <ConfirmButtons
        action="requestWithdrawal"
        request={request}
        pendingLabel={t('Requesting…')}
        onConfirm={onConfirm}
        onBack={onBack}
      >
        {t('Confirm withdrawal')}
      </ConfirmButtons>
    </section>
  )
}
