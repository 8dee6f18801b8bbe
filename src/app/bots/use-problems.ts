import { useRef, useState, type RefObject } from 'react'
import type { ShownRefusal } from '#contract/problem.ts'
import { ApiError } from '#app/api/call.ts'
import { focusOn } from '#app/ui/forms/form.tsx'

type Problems = {
  form: RefObject<HTMLFormElement | null>
  problems: readonly ShownRefusal[]
  show: (found: readonly ShownRefusal[]) => void
  edited: (part: object) => void
  refused: (error: Error) => void
  focus: (field: string) => void
}

export function useProblems(): Problems {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<readonly ShownRefusal[]>([])
  return {
    form,
    problems,
    show: setProblems,
    edited: (part) =>
      setProblems(problems.filter(({ field }) => field === undefined || !(field in part))),
    refused: (error) =>
      error instanceof ApiError &&
      setProblems([{ title: '', description: error.message, field: error.field }]),
    focus: (field) => {
      const control = controlIn(form.current, field)
      if (control) focusOn(control)
    },
  }
}

export function problemOf(problems: readonly ShownRefusal[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.description
}

function controlIn(form: HTMLFormElement | null, field: string): HTMLElement | undefined {
  return [...(form?.elements ?? [])].find(
    (control): control is HTMLElement =>
      control instanceof HTMLElement && control.getAttribute('name') === field,
  )
}
