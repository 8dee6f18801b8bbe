import { useState } from 'react'
import type { DepositResult, PaymentSession } from '#contract/deposits.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { AmountStep } from './amount-step.tsx'
import { DepositReceipt } from './deposit-receipt.tsx'
import { PaymentStep } from './payment-step.tsx'

type Step = { name: 'amount' } | { name: 'payment'; session: PaymentSession } | { name: 'receipt'; result: DepositResult }

/** Amount, then card, then receipt. */
export function DepositScreen() {
  const [step, setStep] = useState<Step>({ name: 'amount' })
  return (
    <>
      <PageHeader title="Deposit Funds" backTo="/" />
      <div className="px-5 pt-4">
        {step.name === 'amount' && <AmountStep onSession={(session) => setStep({ name: 'payment', session })} />}
        {step.name === 'payment' && (
          <PaymentStep
            session={step.session}
            onChangeAmount={() => setStep({ name: 'amount' })}
            onPaid={(result) => setStep({ name: 'receipt', result })}
          />
        )}
        {step.name === 'receipt' && <DepositReceipt result={step.result} />}
      </div>
    </>
  )
}
