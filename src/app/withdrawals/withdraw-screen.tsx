import type { BankAccount } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Steps, useSteps } from '#app/ui/forms/steps.tsx'
import { OpenRequests } from './open-requests.tsx'
import { ReviewStep } from './review-step.tsx'
import { WithdrawForm } from './withdraw-form.tsx'
import { useWithdrawalDraft } from './withdrawal-draft.ts'
import { useRequestWithdrawal, useWithdrawalTerms } from './withdrawal-queries.ts'

const PATH = '/withdraw'
const REVIEW = 'review'

/**
 * The amount and the account, then the review, then home with the receipt. Only the terms know what
 * is available: cash may be on hold, or owed.
 */
export function WithdrawScreen() {
  const { data, isError, refetch } = useWithdrawalTerms()
  const terms = isError ? undefined : data
  const { step, go, back } = useSteps()
  const { amount, account, key, drop } = useWithdrawalDraft()
  const [, navigate] = useLocation()
  const request = useRequestWithdrawal()
  const isReview = step === REVIEW && amount !== undefined && account !== undefined && key !== ''
  // Not with the callbacks of `mutate`, which are dropped when the screen is left meanwhile.
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
                message={t('Unable to load what you can withdraw')}
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
