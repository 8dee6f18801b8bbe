import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { isForPeople, showFailure } from '#app/api/failure-toast.ts'
import type { Given, Prove } from './use-proof.ts'

/** `give` names the typed text in the request. */
type Options = { name: 'password' | 'code'; check: (typed: string) => void; give: (typed: string) => Given; prove: Prove }

/** A form with one field. What the server refuses stands at the field, which then has the focus. */
export function useProofForm({ name, check, give, prove }: Options) {
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const show = (wrong: string | undefined) => {
      setError(wrong)
      const field = form.elements.namedItem(name)
      if (wrong !== undefined && field instanceof HTMLElement) field.focus()
    }
    const typed = String(new FormData(form).get(name) ?? '')
    const wrong = refusalsOf({ typed: () => check(typed) }).typed
    show(wrong)
    if (wrong !== undefined) return
    prove.mutate(give(typed), {
      onError: (failure) => (isForPeople(failure) ? show(failure.message) : showFailure(failure, 'makeProof')),
    })
  }
  return { error, wiring: { method: 'post', noValidate: true, onSubmit: submit, onInput: () => setError(undefined) } } as const
}
