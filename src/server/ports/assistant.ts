import type { PublicConfig } from '#contract/config.ts'
import type { Article } from '#core/help/article.ts'
import type { Tongue } from '#core/help/tongue.ts'

/**
 * `articles` match the message, the best first; there is at least one. The answer is in their
 * `tongue`. `signal` aborts.
 */
export type Question = {
  message: string
  articles: readonly Article[]
  tongue: Tongue
  signal: AbortSignal
}

/**
 * Port: words the answer to a question about the product. Callers must not pass questions for
 * advice or figures, or without a matching article. It has no tools and sees no figures.
 */
export type Assistant = {
  badge: PublicConfig['assistant']
  /**
   * An answer in pieces of any length. Callers must check it, and handle failures and stalls.
   * Absent if the articles are quoted instead.
   */
  draft?: (question: Question) => AsyncIterable<string>
}
