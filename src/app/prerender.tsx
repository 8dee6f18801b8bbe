import { prerender as render } from 'react-dom/static'
import type { PageData } from '#contract/page-data.ts'
import { inGerman } from '#words/german.ts'
import { setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'
import { newQueryClient, seedFrom } from '#app/api/query-client.ts'
import { App } from './app.tsx'

/**
 * Must be called first. `find`: returns the language of the request. Needed because the bundle
 * contains its own copy of the words module.
 */
export function readWith(find: () => Language): void {
  addTranslator('de', inGerman)
  setLanguageSource(find)
}

/**
 * Renders the screen at `url` as markup that is readable before any script runs; the browser
 * hydrates it. `data`: the data of the page.
 */
export async function prerender(
  url: string,
  data: PageData,
): Promise<{ markup: string; title: string | undefined; redirectTo?: string }> {
  const client = newQueryClient({ onSignedOut: () => undefined })
  seedFrom(client, data)
  const [path = '', search = ''] = url.split('?', 2)
  let redirectTo: string | undefined
  const server = { path, search, redirect: (to: string) => void (redirectTo = to) }
  const errors: unknown[] = []
  // Rendered in one piece, because several pieces would need inline scripts to join them.
  const options = {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error: unknown) => void errors.push(error),
  }
  const { prelude } = await render(
    <App client={client} page={data.page} server={server} />,
    options,
  )
  const rendered = await new Response(prelude).text()
  // Throws, because React would otherwise leave the failed part to the browser, which would log an
  // error.
  if (errors.length > 0)
    throw new AggregateError(errors, 'a screen cannot be rendered by the server')
  const [tag = '', title] = /^<title>([^<]*)<\/title>/.exec(rendered) ?? []
  return { markup: rendered.slice(tag.length), title, ...(redirectTo && { redirectTo }) }
}
