import { required } from '#core/assert.ts'
import { takeSentences, withoutMarkup } from '#core/help/answer-sentences.ts'
import { faultOf, openPassages } from '#core/help/grounding.ts'
import type { HelpAnswer } from '#contract/help.ts'
import type { Context } from '#server/context.ts'
import type { Question } from '#server/ports/assistant.ts'

type Worded = Pick<HelpAnswer, 'message'> & { writtenBy: NonNullable<HelpAnswer['writtenBy']> }

/** Characters; far more than the instructions allow. */
const LONGEST_ANSWER = 2_000

/**
 * Yields each of the model's sentences once checked against the articles, and returns the whole. If
 * the model fails, stalls or writes a sentence that no article supports, the best article replaces
 * everything.
 */
export async function* wordAnswer(
  { assistant, log }: Pick<Context, 'assistant' | 'log'>,
  question: Question,
): AsyncGenerator<string, Worded> {
  const article: Worded = {
    message: required(question.articles[0], 'an article was found').body,
    writtenBy: 'articles',
  }
  if (assistant.draft === undefined) return article
  let message = ''
  try {
    for await (const sentence of checkedSentences(assistant.draft(question), question)) {
      message += sentence
      if (message.length > LONGEST_ANSWER) throw new Error('the answer is too long')
      yield sentence
    }
  } catch (error) {
    // Threat: questions are private. The log gets the reason, never the text.
    if (!hasLeft(question.signal))
      log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'model failed, answered from the articles',
      )
    return article
  }
  return message.trim() === '' ? article : { message: message.trim(), writtenBy: 'model' }
}

/** Whether the user closed the connection. A timeout of the model also aborts the signal. */
function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError')
}

/** Throws at the first sentence that fails the check. */
async function* checkedSentences(
  draft: AsyncIterable<string>,
  { articles, tongue }: Question,
): AsyncGenerator<string> {
  const passages = openPassages(
    articles.flatMap(({ title, body }) => [title, body]),
    tongue,
  )
  const check = (sentence: string): string => {
    const shown = withoutMarkup(sentence)
    const fault = shown.trim() === '' ? undefined : faultOf(shown, passages)
    if (fault !== undefined) throw new Error(`no article supports a sentence: ${fault}`)
    return shown
  }
  let open = ''
  for await (const piece of draft) {
    const { sentences, rest } = takeSentences(open + piece)
    if (rest.length > LONGEST_ANSWER) throw new Error('the answer is too long')
    open = rest
    for (const sentence of sentences) yield check(sentence)
  }
  if (open !== '') yield check(open)
}
