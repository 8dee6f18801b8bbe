import { call } from '#app/api/call.ts'
import { MONEY_MOVED, useAction, type Body, type WithKey } from '#app/api/actions.ts'

/** Apart from `api/queries.ts`, which every screen loads. */
export function useCreatePaymentIntent() {
  return useAction(
    (request: WithKey<Body<'createPaymentIntent'>>) => call('createPaymentIntent', request),
    [],
  )
}

export function usePayWithSandboxCard() {
  return useAction((body: Body<'payWithSandboxCard'>) => call('payWithSandboxCard', { body }), [])
}

export function useConfirmDeposit() {
  return useAction(
    (request: WithKey<Body<'confirmDeposit'>>) => call('confirmDeposit', request),
    MONEY_MOVED,
  )
}
