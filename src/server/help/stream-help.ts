import type { ResponseOf } from '#contract/calls.ts'
import type { Handler } from '#server/action.ts'
import { prepareAnswer } from './prepare-answer.ts'
import { wordAnswer } from './word-answer.ts'

/** Long enough for a model on a small machine, short enough for a waiting user. */
const TIMEOUT_MS = 25_000

/** Streams sentence by sentence; the last event, with the whole answer, replaces all parts. */
export const streamHelp: Handler<'streamHelp'> = async (context, call) => {
  const prepared = await prepareAnswer(context, call)
  return (async function* (): AsyncGenerator<ResponseOf<'streamHelp'>> {
    if ('answer' in prepared) return yield { kind: 'answer', answer: prepared.answer }
    const { articles, tongue, citations } = prepared
    const signal = AbortSignal.any([call.gone, AbortSignal.timeout(TIMEOUT_MS)])
    const wording = wordAnswer(context, { message: call.body.message, articles, tongue, signal })
    for (let next = await wording.next(); ; next = await wording.next()) {
      if (next.done)
        return yield { kind: 'answer', answer: { kind: 'article', ...next.value, citations } }
      yield { kind: 'part', text: next.value }
    }
  })()
}
