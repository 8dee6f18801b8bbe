import { msg } from '#words/words.ts'

export type ProblemText = {
  status: number
  /** Heading of the toast for refusals that a form shows before sending. */
  title?: string
  /** `{name}` is replaced by that value of the refusal. */
  message: string
}

/**
 * Sentences that the app shows without an answer of the server. They have a file of their own,
 * because every page loads them.
 */
export const COMMON_PROBLEMS = {
  'not-signed-in': {
    status: 401,
    title: msg('Unauthorized'),
    message: msg('You are logged out. Logging in again...'),
  },
  internal: { status: 500, message: msg('Something went wrong on our side. Your money is safe.') },
} as const satisfies Record<string, ProblemText>
