import type { Assistant } from '#server/ports/assistant.ts'
import { modelAssistant, type ModelSettings } from './model-assistant.ts'

/** A model of Anthropic's; `baseUrl` only where something stands between. */
export function anthropicAssistant({ baseUrl, apiKey, model, ...settings }: ModelSettings & { baseUrl: string | undefined; apiKey: string }): Assistant {
  return modelAssistant(settings, async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
  })
}
