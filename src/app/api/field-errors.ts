import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { without, type FieldErrors } from '#app/ui/forms/form.tsx'
import { ApiError } from './call.ts'
import { showFailure } from './failure-toast.ts'
import type { ActionName } from './failures.ts'

/** The errors of a form's fields: those of its checks, later those of the server. */
export function useFieldErrors<Name extends string>() {
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  return {
    errors,
    setErrors,
    /** Whether all checks pass. */
    pass: (checks: Record<Name, () => unknown>): boolean => {
      const wrong = refusalsOf(checks)
      setErrors(wrong)
      return Object.keys(wrong).length === 0
    },
    /** Shows a refusal of the server at its field, any other failure as a toast. */
    refuse: (error: Error, action: ActionName): void =>
      error instanceof ApiError && error.field
        ? setErrors({ [error.field]: error.message } as FieldErrors<Name>)
        : showFailure(error, action),
    /** A field that is corrected loses its error. */
    onInput: (event: SubmitEvent | { target: EventTarget }) =>
      setErrors((before) => without(before, event.target)),
  }
}
