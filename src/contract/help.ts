import { z } from 'zod'

/** Blank is refused; what counts is the question without its surrounding blanks. */
export const HelpQuestion = z.strictObject({
  message: z.string('Required').trim().min(1, 'Please enter a question').max(2_000, 'A question has at most 2,000 characters.'),
})
export type HelpQuestion = z.infer<typeof HelpQuestion>

/** `citations` are the articles behind the answer, the best first. */
export const HelpAnswer = z.strictObject({
  message: z.string(),
  citations: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  /** article: from the help · account: the asker's own figures · declined: advice, promises, other people · unknown: no answer. */
  kind: z.enum(['article', 'account', 'declined', 'greeting', 'unknown']),
  /** Who worded an answer out of articles: a model, or the articles themselves. */
  writtenBy: z.enum(['model', 'articles']).optional(),
})
export type HelpAnswer = z.infer<typeof HelpAnswer>

/** While an answer is written: its next sentence. At the end, once: the answer, which takes the place of all parts. */
export const HelpEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('part'), text: z.string() }),
  z.strictObject({ kind: z.literal('answer'), answer: HelpAnswer }),
])
export type HelpEvent = z.infer<typeof HelpEvent>

export const HelpArticleQuery = z.strictObject({ id: z.string().regex(/^[a-z0-9-]{1,60}$/, 'This is not the name of an article.') })

/** `body` is plain paragraphs and lists: blank lines between paragraphs, '- ' before the points of a list. */
export const HelpArticle = z.strictObject({ id: z.string(), title: z.string(), body: z.string() })
export type HelpArticle = z.infer<typeof HelpArticle>
