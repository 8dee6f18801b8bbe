import type { Assistant } from './assistant.ts'

/** No model: the best article is the answer, word for word. */
export function searchAssistant(): Assistant {
  return { badge: 'Help search' }
}
