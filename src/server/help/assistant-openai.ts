import type { Assistant } from '#server/ports/assistant.ts'
import { modelAssistant, type ModelSettings } from './model-assistant.ts'

/** A model behind any endpoint that speaks as OpenAI's chat completions do, on this machine or elsewhere. */
export function openAiAssistant({ baseUrl, apiKey, model, ...settings }: ModelSettings & { baseUrl: string; apiKey: string | undefined }): Assistant {
  return modelAssistant(settings, async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ name: 'model', baseURL: baseUrl, ...(apiKey !== undefined && { apiKey }) })(model)
  })
}
