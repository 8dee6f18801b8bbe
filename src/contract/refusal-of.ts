import { Refusal } from '#core/refusal.ts'
import type { ProblemText } from './common-problems.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'

export type ShownRefusal = { title: string; description: string; field: string | undefined }

/** What a form shows when one of core's checks refuses: the server's sentence, before anything is sent. Undefined where the check passes. */
export function refusalOf(check: () => unknown): ShownRefusal | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { title = 'Error' }: ProblemText = PROBLEMS[error.code]
    return { title, description: sentenceOf(error), field: error.field }
  }
}

/** The sentences of a form whose fields are checked one by one; fields that pass are left out. */
export function refusalsOf<Field extends string>(checks: Record<Field, () => unknown>): Partial<Record<Field, string>> {
  const sentences: Partial<Record<Field, string>> = {}
  for (const field in checks) {
    const refusal = refusalOf(checks[field])
    if (refusal) sentences[field] = refusal.description
  }
  return sentences
}
