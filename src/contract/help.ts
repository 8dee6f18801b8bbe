import { z } from 'zod'
import { msg } from '#words/words.ts'
import type { CallRows } from './call-row.ts'
import { TypedText } from './wire.ts'

export const HelpQuestion = z.strictObject({
  message: TypedText.min(1, msg('Please enter a question')).max(
    2_000,
    msg('A question has at most 2,000 characters.'),
  ),
})

/** `citations`: articles behind the answer, most relevant first. */
export const HelpAnswer = z.strictObject({
  message: z.string(),
  citations: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  /**
   * article: from the help · account: the user's own figures · declined: advice, promises, other
   * people · unknown: no answer.
   */
  kind: z.enum(['article', 'account', 'declined', 'greeting', 'unknown']),
  writtenBy: z.enum(['model', 'articles']).optional(),
})
export type HelpAnswer = z.infer<typeof HelpAnswer>

/** 'part': the next sentence. 'answer': the whole answer, which replaces all parts. */
export const HelpEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('part'), text: z.string() }),
  z.strictObject({ kind: z.literal('answer'), answer: HelpAnswer }),
])
export type HelpEvent = z.infer<typeof HelpEvent>

export const HelpArticleQuery = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/, msg('This is not the name of an article.')),
})

/** `body` is plain text: blank lines between paragraphs, '- ' before list items. */
export const HelpArticle = z.strictObject({ id: z.string(), title: z.string(), body: z.string() })

export const helpCalls = {
  askHelp: {
    summary: 'Ask the help',
    access: 'both',
    reads: true,
    body: HelpQuestion,
    response: HelpAnswer,
  },
  streamHelp: {
    summary: 'Ask the help, which answers sentence by sentence',
    access: 'both',
    reads: true,
    body: HelpQuestion,
    response: HelpEvent,
  },
  getHelpArticle: {
    summary: 'An article of the help',
    access: 'public',
    query: HelpArticleQuery,
    response: HelpArticle,
    problems: ['not-found'],
  },
} satisfies CallRows
