import type { QueryClient } from '@tanstack/react-query'

/** The page may carry the first answers, by route name, so that nothing waits for a second round trip. False where it carries none. */
export function seedFromPage(client: QueryClient): boolean {
  const element = document.getElementById('initial-data')
  const text = element?.textContent
  if (!text) return false
  // Threat: who signs out would leave it in the page for whoever comes next.
  element.remove()
  seedFrom(client, JSON.parse(text))
  return true
}

/** Answers by route name. */
export function seedFrom(client: QueryClient, answers: Record<string, unknown>): void {
  for (const [name, answer] of Object.entries(answers)) seed(client, { name, answer })
}

function seed(client: QueryClient, { name, answer }: { name: string; answer: unknown }): void {
  if (name === 'getPortfolio') client.setQueryData([name, rangeOf(answer)], answer)
  else if (name === 'listTransactions') client.setQueryData([name, 'all'], { pages: [answer], pageParams: [undefined] })
  else client.setQueryData([name], answer)
}

function rangeOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'range' in answer ? answer.range : undefined
}
