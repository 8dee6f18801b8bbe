import { msg } from '#words/words.ts'

export type ProblemText = {
  status: number
  /** Heading of the toast, for refusals that a form shows before it sends anything. */
  title?: string
  /** `{name}` is replaced with the value of that name in the refusal. */
  message: string
}

/**
 * Problems that the app shows without an answer of the server. Apart from the others because every
 * page loads these sentences.
 */
export const COMMON_PROBLEMS = {
  'not-signed-in': {
    status: 401,
    title: msg('Unauthorized'),
    message: msg('You are logged out. Logging in again...'),
  },
  internal: { status: 500, message: msg('Something went wrong on our side. Your money is safe.') },
} as const satisfies Record<string, ProblemText>
