import { required } from '#core/assert.ts'
import { takeSentences, withoutMarkup } from '#core/help/answer-sentences.ts'
import { faultOf, openPassages } from '#core/help/grounding.ts'
import type { HelpAnswer } from '#contract/help.ts'
import type { Context } from '#server/context.ts'
import type { Question } from '#server/ports/assistant.ts'

type Worded = Pick<HelpAnswer, 'message'> & { writtenBy: NonNullable<HelpAnswer['writtenBy']> }

/** Characters of an answer at most; a longer one was not asked for. */
const LONGEST_ANSWER = 2_000

/**
 * Words the answer: yields each sentence of the model as soon as the articles bear it out, and returns the whole. Where the model fails,
 * hesitates or says what no article says, the best article is the whole, whatever was yielded before.
 */
export async function* wordAnswer({ assistant, log }: Pick<Context, 'assistant' | 'log'>, question: Question): AsyncGenerator<string, Worded> {
  const article: Worded = { message: required(question.articles[0], 'an article was found').body, writtenBy: 'articles' }
  if (assistant.draft === undefined) return article
  let message = ''
  try {
    for await (const sentence of checkedSentences(assistant.draft(question), question)) {
      message += sentence
      if (message.length > LONGEST_ANSWER) throw new Error('the model does not come to an end')
      yield sentence
    }
  } catch (error) {
    // For the operator what went wrong, and never what was said: people's questions are not kept.
    if (!isGone(question.signal)) log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the model gave no answer: help search did')
    return article
  }
  return message.trim() === '' ? article : { message: message.trim(), writtenBy: 'model' }
}

/** Whether whoever asked has left; a model that took too long is another matter. */
function isGone({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof DOMException && reason.name === 'TimeoutError')
}

/** The sentences of a draft, each once it is whole and borne out; throws at the first that is not. */
async function* checkedSentences(draft: AsyncIterable<string>, { articles }: Question): AsyncGenerator<string> {
  const passages = openPassages(articles.flatMap(({ title, body }) => [title, body]))
  const check = (sentence: string): string => {
    const shown = withoutMarkup(sentence)
    const fault = shown.trim() === '' ? undefined : faultOf(shown, passages)
    if (fault !== undefined) throw new Error(`a sentence that no article bears out (${fault})`)
    return shown
  }
  let open = ''
  for await (const piece of draft) {
    const { sentences, rest } = takeSentences(open + piece)
    if (rest.length > LONGEST_ANSWER) throw new Error('the model does not come to an end')
    open = rest
    for (const sentence of sentences) yield check(sentence)
  }
  if (open !== '') yield check(open)
}
