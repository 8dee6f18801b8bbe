import type { PublicConfig } from '#contract/config.ts'
import type { Article } from '#core/help/article.ts'

/**
 * Port: who words the answer to a question about the product. Advice, other people's figures, the asker's own and questions that no
 * article speaks about never reach it; it has no tool and sees no figures.
 */
export type Assistant = {
  badge: PublicConfig['assistant']
  /** `articles` speak about the question, the best first; there is at least one. */
  answer: (question: { message: string; articles: readonly Article[] }) => Promise<string>
}
