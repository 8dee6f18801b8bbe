import type { QueryClient } from '@tanstack/react-query'
import type { PageData } from '#contract/page-data.ts'

/**
 * Fills the cache with the answers in the page, which saves the first screen a round trip.
 * Undefined if the page carries no data.
 */
export function seedFromPage(client: QueryClient): PageData | undefined {
  const element = document.getElementById('initial-data')
  const text = element?.textContent
  if (!text) return undefined
  // Threat: after a sign-out, the next person at this device could read it in the page.
  element.remove()
  const data: PageData = JSON.parse(text)
  seedFrom(client, data)
  return data
}

export function seedFrom(client: QueryClient, { page: _page, ...answers }: PageData): void {
  for (const [key, answer] of Object.entries(answers))
    client.setQueryData(
      key.split('/'),
      isListPage(answer) ? { pages: [answer], pageParams: [undefined] } : answer,
    )
}

function isListPage(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'nextCursor' in answer
}
