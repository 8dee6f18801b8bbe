import { prerender as render } from 'react-dom/static'
import { seedFrom, type PageData } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'

/**
 * The screen at `path` as markup, readable before any script: the very screen that the browser goes on with. `data` are the answers that
 * the page carries. `redirectTo` is said where the screen sends whoever asks for it elsewhere. The build bundles this for the server.
 */
export async function prerender(path: string, data: PageData): Promise<{ markup: string; title: string | undefined; redirectTo?: string }> {
  const client = newQueryClient({ onSignedOut: () => undefined })
  seedFrom(client, data)
  const place: { redirectTo?: string } = {}
  const errors: unknown[] = []
  // One stretch of markup: in pieces, inline scripts would have to put it together.
  const options = { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error: unknown) => void errors.push(error) }
  const { prelude } = await render(<App client={client} page={data.page} server={{ path, place }} />, options)
  const rendered = await new Response(prelude).text()
  // React would leave a part of the screen to the browser, which complains of it.
  if (errors.length > 0) throw new AggregateError(errors, 'a screen cannot be rendered by the server')
  const [tag = '', title] = /^<title>([^<]*)<\/title>/.exec(rendered) ?? []
  return { markup: rendered.slice(tag.length), title, ...place }
}
