import type { Article } from '#core/help/article.ts'
import type { HelpIndex } from '#core/help/help-index.ts'

/** The articles of `docs/help`, with this installation's facts filled in. */
export type HelpLibrary = { articles: ReadonlyMap<string, Article>; index: HelpIndex }
