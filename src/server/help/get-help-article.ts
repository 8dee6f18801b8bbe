import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'

export const getHelpArticle: Handler<'getHelpArticle'> = async ({ help }, { query }) => {
  const article = help().article(query.id)
  if (!article) throw new Refusal('not-found')
  const { id, title, body } = article
  return { id, title, body }
}
