import type { LanguageModel } from 'ai'
import { instructionsFor } from '#core/help/instructions.ts'
import type { Assistant, Question } from '#server/ports/assistant.ts'

export type ModelSettings = {
  model: string
  /** How long the model may be silent, before its first word and between any two. */
  silenceMs: number
  now: () => Date
}

/** Tokens of an answer at most: five short sentences need a quarter of it. */
const MAXIMUM_TOKENS = 600

/** How long a model that failed is left alone, so that not everybody waits for it anew. */
const REST_MS = 30_000

/** An assistant on any model that the AI SDK can speak to. SDK and provider are loaded with the first question: they cost 0.3 s and 30 MB. */
export function modelAssistant({ silenceMs, now }: Omit<ModelSettings, 'model'>, loadModel: () => Promise<LanguageModel>): Assistant {
  let restsUntilMs = 0
  return {
    badge: 'AI Powered',
    draft: async function* (question) {
      if (now().getTime() < restsUntilMs) throw new Error('the model rests after a failure')
      try {
        yield* ask(await loadModel(), { question, silenceMs })
      } catch (error) {
        if (!question.signal.aborted) restsUntilMs = now().getTime() + REST_MS
        throw error
      }
    },
  }
}

/** Asks once: somebody waits, and the articles answer sooner than a second try. */
async function* ask(model: LanguageModel, { question, silenceMs }: { question: Question; silenceMs: number }): AsyncGenerator<string> {
  const { streamText } = await import('ai')
  const { fullStream } = streamText({
    model,
    instructions: instructionsFor(question.articles),
    prompt: question.message,
    maxOutputTokens: MAXIMUM_TOKENS,
    maxRetries: 0,
    abortSignal: question.signal,
    timeout: { firstChunkMs: silenceMs, chunkMs: silenceMs },
    // Otherwise the SDK prints what we throw ourselves.
    onError: () => undefined,
  })
  let end: string | undefined
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new Error(`the model was not waited for: ${part.reason ?? 'no reason'}`)
    if (part.type === 'text-delta') yield part.text
    if (part.type === 'finish') end = part.finishReason
  }
  // A line that breaks in the middle of an answer ends the stream like one that was said to its end.
  if (end !== 'stop') throw new Error(`the answer ended with ${end ?? 'nothing'}`)
}
