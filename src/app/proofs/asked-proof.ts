import { useSyncExternalStore } from 'react'
import type { ProvenName } from '#contract/routes.ts'
import type { ProofMethod } from '#contract/wire.ts'

/** An action that waits until the user has proven who asks. */
export type AskedProof = {
  action: ProvenName
  request: { params?: { id: string }; body?: unknown }
  /** The ways to prove it that the server accepts. */
  methods: readonly ProofMethod[]
  /** The action in words, for people. */
  about: string
}

/**
 * `number` tells one question from the next; it stays after the answer, for the closing animation.
 */
export type ShownQuestion = AskedProof & {
  number: number
  isOpen: boolean
  settle: (proofId: string | undefined) => void
}

let question: ShownQuestion | undefined
let asked = 0
const listeners = new Set<() => void>()

/** Opens the sheet on the screen, and returns the proof's id; undefined if the user closes it. */
export function askForProof(proof: AskedProof): Promise<string | undefined> {
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

/** A screen that is left takes its question with it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && question?.isOpen) question.settle(undefined)
  }
}
