import type { Article } from '#core/help/article.ts'
import type { HelpIndex } from '#core/help/understand.ts'

/**
 * The articles of `docs/help` in the reader's language, with this installation's facts and past
 * results filled in when they are read. `outside`: the pages about subjects that this product does
 * not have. `indexes`: first that of the reader's language, then those of other languages. For a
 * message, only the indexes that it needs, because each takes seconds to build.
 */
export type HelpLibrary = {
  ids: readonly string[]
  article: (id: string) => Article | undefined
  outside: ReadonlyMap<string, Article>
  indexes: (message?: string) => Promise<HelpIndexes>
}

type HelpIndexes = readonly [HelpIndex, ...HelpIndex[]]
