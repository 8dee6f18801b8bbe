import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { isForPeople, showFailure } from '#app/api/failure-toast.ts'
import { formFields } from '#app/ui/forms/form-fields.ts'
import type { Given, Prove } from './use-proof.ts'

/** `give` names the typed text in the request. */
type Options = {
  name: 'password' | 'code'
  check: (typed: string) => void
  give: (typed: string) => Given
  prove: Prove
}

/** A form with one field. What the server refuses stands at the field. */
export function useProofForm({ name, check, give, prove }: Options) {
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const typed = formFields(event.currentTarget, [name])[name]
    const wrong = refusalsOf({ typed: () => check(typed) }).typed
    setError(wrong)
    if (wrong !== undefined) return
    prove.mutate(give(typed), {
      onError: (failure) =>
        isForPeople(failure) ? setError(failure.message) : showFailure(failure, 'makeProof'),
    })
  }
  return { error, wiring: { onSubmit: submit, onInput: () => setError(undefined) } } as const
}
