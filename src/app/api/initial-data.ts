import type { QueryClient } from '@tanstack/react-query'
import type { PageFacts } from '#app/ui/device/device-facts.ts'

/** What a page carries: how it was rendered, and the first answers by query key, its parts joined with slashes. */
export type PageData = { page?: PageFacts } & Record<string, unknown>

/** Fills `client` with the answers of the page, so that nothing waits for a second round trip. Undefined where it carries none. */
export function seedFromPage(client: QueryClient): PageData | undefined {
  const element = document.getElementById('initial-data')
  const text = element?.textContent
  if (!text) return undefined
  // Threat: who signs out would leave it in the page for whoever comes next.
  element.remove()
  const data: PageData = JSON.parse(text)
  seedFrom(client, data)
  return data
}

export function seedFrom(client: QueryClient, { page: _page, ...answers }: PageData): void {
  for (const [key, answer] of Object.entries(answers)) client.setQueryData(key.split('/'), isListPage(answer) ? { pages: [answer], pageParams: [undefined] } : answer)
}

function isListPage(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'nextCursor' in answer
}
