import { useAction, type Body } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import type { ShownQuestion } from './asked-proof.ts'

export type Given = Pick<Body<'makeProof'>, 'password' | 'code' | 'passkey'>
export type Prove = ReturnType<typeof useProof>

/** Sends what the user gave, together with the request that it is for. */
export function useProof({ action, request: { params, body }, settle }: ShownQuestion) {
  const request = {
    action,
    ...(params && { id: params.id }),
    ...(body !== undefined && { request: body }),
  }
  return useAction(async (given: Given) => {
    const { id } = await call('makeProof', { body: { ...request, ...given } })
    settle(id)
  }, [])
}
