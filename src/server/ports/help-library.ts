import type { Article } from '#core/help/article.ts'
import type { HelpIndex } from '#core/help/understand.ts'

/**
 * The articles of `docs/help` in the reader's language, with this installation's facts filled in. `indexes`: that of the reader's language
 * first, then of others that the reader may ask in.
 */
export type HelpLibrary = { articles: ReadonlyMap<string, Article>; indexes: readonly [HelpIndex, ...HelpIndex[]] }
