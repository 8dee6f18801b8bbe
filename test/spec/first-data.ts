import type { Page } from 'playwright-core'
import { pattern } from '../world/pattern.ts'

type FirstData = Record<string, unknown>
const PAGE = pattern(
  /(<div id="root">).*/,
  /(<\/div>\s*<script type="application\/json" id="initial-data">)/,
  /([^<]*)(<\/script>)/s,
)

/**
 * Changes the first data of pages on their way and removes their rendered HTML, so that the browser
 * renders the screen from it.
 */
export function changeFirstData(
  change: (data: FirstData) => FirstData,
): (page: Page) => Promise<unknown> {
  return (page) =>
    page.route('**', async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const changed = (await response.text()).replace(
        PAGE,
        (_all, root: string, open: string, data: string, close: string) => {
          return (
            root +
            open +
            JSON.stringify(change(JSON.parse(data) as FirstData)).replaceAll(
              '<',
              String.raw`\u003c`,
            ) +
            close
          )
        },
      )
      return route.fulfill({ response, body: changed })
    })
}

/** Removes these answers from the first data of pages, so that the screen requests them itself. */
export function withoutFirstData(...names: readonly string[]): (page: Page) => Promise<unknown> {
  return changeFirstData((data) =>
    Object.fromEntries(
      Object.entries(data).filter(([key]) => !names.includes(key.split('/')[0] ?? '')),
    ),
  )
}
