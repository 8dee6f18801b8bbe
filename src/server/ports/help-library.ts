import type { Article } from '#core/help/article.ts'
import type { HelpIndex } from '#core/help/understand.ts'

/** The articles of `docs/help`, with this installation's facts filled in. */
export type HelpLibrary = { articles: ReadonlyMap<string, Article>; index: HelpIndex }
