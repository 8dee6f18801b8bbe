import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { without, type FieldErrors } from '#app/ui/forms/form.tsx'
import { ApiError } from './call.ts'
import { showFailure } from './failure-toast.ts'
import type { ActionName } from './failures.ts'

export function useFieldErrors<Name extends string>() {
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  return {
    errors,
    setErrors,
    pass: (checks: Record<Name, () => unknown>): boolean => {
      const wrong = refusalsOf(checks)
      setErrors(wrong)
      return Object.keys(wrong).length === 0
    },
    refuse: (error: Error, action: ActionName): void =>
      error instanceof ApiError && error.field
        ? setErrors({ [error.field]: error.message } as FieldErrors<Name>)
        : showFailure(error, action),
    onInput: (event: SubmitEvent | { target: EventTarget }) =>
      setErrors((before) => without(before, event.target)),
  }
}
