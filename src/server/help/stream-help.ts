import type { Handler } from '#server/action.ts'
import { prepareAnswer } from './prepare-answer.ts'
import { wordAnswer } from './word-answer.ts'

/** A model on a small machine writes slowly; nobody reads on for longer. */
const WORDED_WITHIN_MS = 25_000

/** Answers a question sentence by sentence, and at the end whole: the whole is what counts. */
export const streamHelp: Handler<'streamHelp'> = async (context, call) => {
  const prepared = await prepareAnswer(context, call)
  return async function* (gone) {
    if ('answer' in prepared) return yield { kind: 'answer', answer: prepared.answer }
    const { articles, citations } = prepared
    const signal = AbortSignal.any([gone, AbortSignal.timeout(WORDED_WITHIN_MS)])
    const wording = wordAnswer(context, { message: call.body.message, articles, signal })
    for (let next = await wording.next(); ; next = await wording.next()) {
      if (next.done) return yield { kind: 'answer', answer: { kind: 'article', ...next.value, citations } }
      yield { kind: 'part', text: next.value }
    }
  }
}
