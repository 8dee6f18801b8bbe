import type { Assistant } from '#server/ports/assistant.ts'

/** No model: the best article is the answer, word for word. */
export function searchAssistant(): Assistant {
  return { badge: 'Help search' }
}
