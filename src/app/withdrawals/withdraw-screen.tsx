import { useState } from 'react'
import type { BankAccount, Withdrawal } from '#contract/withdrawals.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { OpenRequests } from './open-requests.tsx'
import { ReviewStep } from './review-step.tsx'
import { WithdrawForm } from './withdraw-form.tsx'
import { useWithdrawalTerms } from './withdrawal-queries.ts'
import { WithdrawalReceipt } from './withdrawal-receipt.tsx'

type Step = { name: 'amount' } | { name: 'review'; amount: string; available: string; account: BankAccount } | { name: 'receipt'; withdrawal: Withdrawal }

/** The amount and the account, then the review, then the receipt. Only the terms know what is available: cash may be on hold, or owed. */
export function WithdrawScreen() {
  const { data, isError, refetch } = useWithdrawalTerms()
  const terms = isError ? undefined : data
  const [step, setStep] = useState<Step>({ name: 'amount' })
  const [typed, setTyped] = useState('')
  return (
    <>
      <PageHeader screen="withdraw" backTo="/" />
      <div className="px-5 pt-4">
        {step.name === 'amount' && (
          <>
            {isError && <LoadProblem message="Unable to load what you can withdraw" onRetry={() => void refetch()} />}
            <WithdrawForm
              terms={terms}
              typed={typed}
              onType={setTyped}
              onReview={(review) => setStep({ name: 'review', ...review })}
            />
            <OpenRequests />
          </>
        )}
        {step.name === 'review' && (
          <ReviewStep
            amount={step.amount}
            account={step.account}
            available={step.available}
            onBack={() => setStep({ name: 'amount' })}
            onRequested={(withdrawal) => setStep({ name: 'receipt', withdrawal })}
          />
        )}
        {step.name === 'receipt' && <WithdrawalReceipt withdrawal={step.withdrawal} />}
      </div>
    </>
  )
}
