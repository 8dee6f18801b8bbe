import type { Handler } from '#server/action.ts'
import { prepareAnswer } from './prepare-answer.ts'
import { wordAnswer } from './word-answer.ts'

/**
 * Time limit of the model, below the server's own timeout. Afterwards the best article is the
 * answer.
 */
const TIMEOUT_MS = 9_000

export const askHelp: Handler<'askHelp'> = async (context, call) => {
  const prepared = await prepareAnswer(context, call)
  if ('answer' in prepared) return prepared.answer
  const { articles, tongue, citations } = prepared
  const wording = wordAnswer(context, {
    message: call.body.message,
    articles,
    tongue,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  for (;;) {
    const { done, value } = await wording.next()
    if (done) return { kind: 'article', ...value, citations }
  }
}
