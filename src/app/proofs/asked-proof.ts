import { useSyncExternalStore } from 'react'
import type { ProvenName, ResponseOf } from '#contract/calls.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { useAction, type Body } from '#app/api/actions.ts'
import { ApiError, call, type CallRequest } from '#app/api/call.ts'
import { UserDeclined } from '#app/api/failure-toast.ts'
import { methodsOf } from '#app/passkeys/methods-of.ts'

type AskedProof = {
  action: ProvenName
  request: { params?: { id: string }; body?: unknown }
  methods: readonly ProofMethod[]
  about: string
}

/**
 * The question on the screen, which stays after the answer for the closing animation. `number`:
 * distinguishes questions.
 */
export type ShownQuestion = AskedProof & {
  number: number
  isOpen: boolean
  settle: (proofId: string | undefined) => void
}

let question: ShownQuestion | undefined
let asked = 0
const listeners = new Set<() => void>()

function askForProof(proof: AskedProof): Promise<string | undefined> {
  if (listeners.size === 0) throw new Error('this screen has no sheet to prove with')
  asked += 1
  return new Promise((resolve) => {
    const settle = (proofId: string | undefined) => {
      if (question !== undefined) change({ ...question, isOpen: false })
      resolve(proofId)
    }
    change({ ...proof, number: asked, isOpen: true, settle })
  })
}

export function useQuestion(): ShownQuestion | undefined {
  return useSyncExternalStore(subscribe, () => question, nothing)
}

const nothing = () => undefined

function change(next: ShownQuestion): void {
  question = next
  for (const listener of listeners) listener()
}

/** Unmounting the screen also closes its question. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && question?.isOpen) question.settle(undefined)
  }
}

export type ProofInput = Pick<Body<'makeProof'>, 'password' | 'code' | 'passkey'>
export type Prove = ReturnType<typeof useProof>

export function useProof({ action, request: { params, body }, settle }: ShownQuestion) {
  const request = {
    action,
    ...(params && { id: params.id }),
    ...(body !== undefined && { request: body }),
  }
  return useAction('makeProof', async (given: ProofInput) => {
    const { id } = await call('makeProof', { body: { ...request, ...given } })
    settle(id)
  })
}

/**
 * Calls a route that requires a proof of identity. The request is first sent without a proof; if
 * the server demands one, the sheet opens, and the request is repeated with the proof. `about`: the
 * action that the user confirms.
 */
export async function callWithProof<Name extends ProvenName>(
  name: Name,
  request: CallRequest<Name>,
  about: string,
): Promise<ResponseOf<Name>> {
  try {
    return await call(name, request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof-required') throw error
    const proof = await askForProof({
      action: name,
      request: request as AskedProof['request'],
      methods: methodsOf(error),
      about,
    })
    if (proof === undefined) throw new UserDeclined()
    return call(name, { ...request, proof })
  }
}
