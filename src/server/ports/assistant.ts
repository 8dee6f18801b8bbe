import type { PublicConfig } from '#contract/config.ts'
import type { Article } from '#core/help/article.ts'
import type { Tongue } from '#core/help/tongue.ts'

/**
 * `articles` speak about the message, the best first; there is at least one. The answer is in their
 * `tongue`. `signal` ends the work.
 */
export type Question = {
  message: string
  articles: readonly Article[]
  tongue: Tongue
  signal: AbortSignal
}

/**
 * Port: who words the answer to a question about the product. Advice, other people's figures, the
 * asker's own and questions that no article speaks about never reach it; it has no tool and sees no
 * figures.
 */
export type Assistant = {
  badge: PublicConfig['assistant']
  /**
   * An answer in pieces of any length. It may fail, fall silent or say anything. Absent where the
   * articles answer by themselves.
   */
  draft?: (question: Question) => AsyncIterable<string>
}
