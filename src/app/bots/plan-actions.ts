import { MONEY_MOVED, useAction, type Body, type WithKey } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'

/** A plan that starts now moves money a moment later: an event follows. */
export function useSetPlan() {
  return useAction(
    ({ id, ...request }: { id: string } & WithKey<Body<'setPlan'>>) =>
      call('setPlan', { params: { id }, ...request }),
    [...MONEY_MOVED, 'getBotPerformance'],
  )
}

export function useEndPlan() {
  return useAction(
    (id: string) => call('endPlan', { params: { id } }),
    ['getPortfolio', 'getBotPerformance'],
  )
}
