import type { LanguageModel } from 'ai'
import { instructionsFor } from '#core/help/instructions.ts'
import type { Assistant, Question } from '#server/ports/assistant.ts'

type ModelSettings = {
  model: string
  /** Longest silence before the first chunk and between any two. */
  silenceMs: number
  now: () => Date
}

/** Limit of an answer; five short sentences need a quarter of it. */
const MAXIMUM_TOKENS = 600

/** Pause after a failure, so that users don't all wait for a model that is down. */
const COOL_DOWN_MS = 30_000

/** Any endpoint compatible with OpenAI's chat completions, local or remote. */
export function openAiAssistant({
  baseUrl,
  apiKey,
  model,
  ...settings
}: ModelSettings & { baseUrl: string; apiKey: string | undefined }): Assistant {
  return modelAssistant(settings, async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({
      name: 'model',
      baseURL: baseUrl,
      ...(apiKey !== undefined && { apiKey }),
    })(model)
  })
}

/** `baseUrl`: only for a proxy. */
export function anthropicAssistant({
  baseUrl,
  apiKey,
  model,
  ...settings
}: ModelSettings & { baseUrl: string | undefined; apiKey: string }): Assistant {
  return modelAssistant(settings, async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
  })
}

/** The SDK and the provider are loaded with the first question: they cost 0.3 s and 30 MB. */
function modelAssistant(
  { silenceMs, now }: Omit<ModelSettings, 'model'>,
  loadModel: () => Promise<LanguageModel>,
): Assistant {
  let coolsDownUntilMs = 0
  return {
    badge: 'AI Powered',
    draft: async function* (question) {
      if (now().getTime() < coolsDownUntilMs)
        throw new Error('the model is cooling down after a failure')
      try {
        yield* ask(await loadModel(), { question, silenceMs })
      } catch (error) {
        if (!question.signal.aborted) coolsDownUntilMs = now().getTime() + COOL_DOWN_MS
        throw error
      }
    },
  }
}

/** Never retries, because the articles answer faster than a second attempt. */
async function* ask(
  model: LanguageModel,
  { question, silenceMs }: { question: Question; silenceMs: number },
): AsyncGenerator<string> {
  const { streamText } = await import('ai')
  const { fullStream } = streamText({
    model,
    instructions: instructionsFor(question.articles, question.tongue),
    prompt: question.message,
    maxOutputTokens: MAXIMUM_TOKENS,
    maxRetries: 0,
    abortSignal: question.signal,
    timeout: { firstChunkMs: silenceMs, chunkMs: silenceMs },
    // Silent, because by default the SDK prints the errors that we throw.
    onError: () => undefined,
  })
  let finishReason: string | undefined
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort')
      throw new Error(`the request was aborted: ${part.reason ?? 'no reason given'}`)
    if (part.type === 'text-delta') yield part.text
    if (part.type === 'finish') finishReason = part.finishReason
  }
  // Checked, because a connection that breaks during an answer ends the stream without an error.
  if (finishReason !== 'stop')
    throw new Error(`the answer is incomplete, finish reason: ${finishReason ?? 'none'}`)
}
