import { useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { ShownRefusal } from '#contract/problem.ts'

type Problems = {
  form: RefObject<HTMLFormElement | null>
  problems: readonly ShownRefusal[]
  /** Shows `found` and moves the focus to the first field at fault. */
  show: (found: readonly ShownRefusal[]) => void
  /** Drops the problems of fields that were edited. */
  edited: (part: object) => void
  focus: (field: string) => void
}

/** Everything that is wrong with a form, shown at once. */
export function useProblems(): Problems {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<readonly ShownRefusal[]>([])
  const controlOf = (field: string | undefined) => controlIn(form.current, field)
  const show = (found: readonly ShownRefusal[]) => {
    // The focus moves to fields and buttons that this shows.
    flushSync(() => setProblems(found))
    if (found.length === 0) return
    const first = found.map(({ field }) => controlOf(field)).find((control) => control !== undefined)
    focusOn(first ?? form.current?.querySelector('[data-problems] button'))
  }
  return {
    form,
    problems,
    show,
    edited: (part) => setProblems(problems.filter(({ field }) => field === undefined || !(field in part))),
    focus: (field) => focusOn(controlOf(field)),
  }
}

/** The sentence for a field; undefined if it is not at fault. */
export function problemOf(problems: readonly ShownRefusal[], field: string): string | undefined {
  return problems.find((problem) => problem.field === field)?.description
}

/** Of a group of choices, the first. */
function controlIn(form: HTMLFormElement | null, field: string | undefined): Element | undefined {
  return field === undefined ? undefined : [...(form?.elements ?? [])].find((control) => control.getAttribute('name') === field)
}

function focusOn(target: Element | null | undefined): void {
  if (!(target instanceof HTMLElement)) return
  target.focus({ preventScroll: true })
  // Clear of the bars at the edges of the screen.
  target.scrollIntoView({ block: 'center' })
}
