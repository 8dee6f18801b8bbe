import { useState } from 'react'
import type { BankAccount, Withdrawal } from '#contract/withdrawals.ts'
import { useUser } from '../api/queries.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { OpenRequests } from './open-requests.tsx'
import { ReviewStep } from './review-step.tsx'
import { WithdrawForm } from './withdraw-form.tsx'
import { useWithdrawalTerms } from './withdrawal-queries.ts'
import { WithdrawalReceipt } from './withdrawal-receipt.tsx'

type Step = { name: 'amount' } | { name: 'review'; amount: string; account: BankAccount } | { name: 'receipt'; withdrawal: Withdrawal }

/** Amount and account, then review, then receipt. */
export function WithdrawScreen() {
  const cash = useUser().data?.availableBalance ?? '0.00'
  const terms = useWithdrawalTerms().data
  const available = terms?.withdrawable ?? cash
  const [step, setStep] = useState<Step>({ name: 'amount' })
  const [typed, setTyped] = useState('')
  return (
    <>
      <PageHeader title="Withdraw Funds" backTo="/" />
      <div className="px-5 pt-4">
        {step.name === 'amount' && (
          <>
            <WithdrawForm
              available={available}
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
            available={available}
            onBack={() => setStep({ name: 'amount' })}
            onRequested={(withdrawal) => setStep({ name: 'receipt', withdrawal })}
          />
        )}
        {step.name === 'receipt' && <WithdrawalReceipt withdrawal={step.withdrawal} />}
      </div>
    </>
  )
}
