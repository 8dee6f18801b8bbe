import { prerender } from 'react-dom/static'
import { seedFrom } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'

/**
 * The landing page as markup, for a visitor whose scripts come later or never: the very screen that the browser goes on with.
 * `data` are the answers that the page carries, by route name. The build bundles this for the server.
 */
export async function prerenderLanding(data: Record<string, unknown>): Promise<string> {
  const client = newQueryClient({ onSignedOut: () => undefined })
  seedFrom(client, data)
  // One stretch of markup: in pieces, inline scripts would have to put it together.
  const { prelude } = await prerender(<App client={client} path="/" />, { progressiveChunkSize: Number.POSITIVE_INFINITY })
  const markup = await new Response(prelude).text()
  // The page has its title already.
  return markup.replace(/^<title>[^<]*<\/title>/, '')
}
