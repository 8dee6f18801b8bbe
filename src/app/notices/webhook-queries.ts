import { useQueryClient } from '@tanstack/react-query'
import type { Webhooks } from '#contract/notices.ts'
import { t } from '#words/words.ts'
import type { Body } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { useSendOnce } from '#app/api/send-once.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'

/** Fetched on each visit: no event reports how a receiver answered. */
export function useWebhooks() {
  return useVisited(['listWebhooks'], {})
}

/** Caches the answer without a new secret, which is shown only once. */
function useWebhookChange<Input>(change: (input: Input) => Promise<Webhooks>) {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: change,
    onSuccess: ({ secret: _secret, ...kept }) => client.setQueryData(['listWebhooks'], kept),
  })
}

/** Changes the webhook with this id; without an id, adds one. */
export function useSaveWebhook(id: string | undefined) {
  return useWebhookChange(({ newSecret, ...body }: Body<'updateWebhook'>) => {
    const about = t('Send your notifications to {address}', body)
    if (id === undefined) return callWithProof('addWebhook', { body }, about)
    return callWithProof('updateWebhook', { params: { id }, body: { ...body, newSecret } }, about)
  })
}

export function useRemoveWebhook() {
  return useWebhookChange(({ id, address }: { id: string; address: string }) =>
    callWithProof('removeWebhook', { params: { id } }, t('Remove {address}', { address })),
  )
}

export function useResendWebhook() {
  return useWebhookChange((id: string) => call('resendWebhook', { params: { id } }))
}
