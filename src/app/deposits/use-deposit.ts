import { useState } from 'react'
import type { DepositResult } from '#contract/deposits.ts'
import { useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { ApiError, call, newAttemptKey } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { showPaymentFailure } from './payment-failure.ts'

/**
 * Confirms a payment. The server looks up the amount at the provider; `amount` is only for the
 * screen.
 */
export function useDeposit({
  paymentIntentId,
  amount,
  onPaid,
  onUnpaid,
}: {
  paymentIntentId: string
  amount?: string
  onPaid: (result: DepositResult) => void
  onUnpaid?: () => void
}) {
  const deposit = useConfirmDeposit()
  const [idempotencyKey] = useState(newAttemptKey)
  // Awaited, because React Query drops the callbacks of `mutate` if the step is left meanwhile.
  const confirm = async () => {
    try {
      onPaid(
        await deposit.mutateAsync({
          body: { paymentIntentId, ...(amount !== undefined && { amount }) },
          idempotencyKey,
        }),
      )
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'payment-not-succeeded'))
        return showFailure(error, 'confirmDeposit')
      showPaymentFailure(error.message)
      onUnpaid?.()
    }
  }
  return { confirm, pending: deposit.isPending, unconfirmed: deposit.isError }
}

/** Not in `api/queries.ts`, because every screen loads that file. */
export function useCreatePaymentIntent() {
  return useAction('createPaymentIntent', (request: WithKey<Body<'createPaymentIntent'>>) =>
    call('createPaymentIntent', request),
  )
}

export function usePayWithSandboxCard() {
  return useAction('payWithSandboxCard', (body: Body<'payWithSandboxCard'>) =>
    call('payWithSandboxCard', { body }),
  )
}

function useConfirmDeposit() {
  return useAction('confirmDeposit', (request: WithKey<Body<'confirmDeposit'>>) =>
    call('confirmDeposit', request),
  )
}
