import type { Assistant } from './assistant.ts'

/** Answers with the best article, word for word. */
export function searchAssistant(): Assistant {
  return {
    badge: 'Help search',
    answer: async ({ articles }) => articles[0]?.body ?? '',
  }
}
