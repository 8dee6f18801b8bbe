import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const FOLDER = join(import.meta.dirname, '../output/failures')

/** The open pages of this process by context, with what their consoles printed. */
const contexts = new Map<BrowserContext, Map<Page, string[]>>()

/**
 * Notes what the pages of a context do, for `leavePictures`; nothing in a bench, which measures
 * pages.
 */
export function watchPages(context: BrowserContext): void {
  if (process.env['VITEST'] === undefined) return
  const pages = new Map<Page, string[]>()
  contexts.set(context, pages)
  // A context that is closed at once has no trace.
  context.tracing.start().catch(() => undefined)
  context.on('close', () => contexts.delete(context))
  context.on('page', (page) => {
    const lines: string[] = []
    pages.set(page, lines)
    page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => lines.push(error.stack ?? error.message))
    page.on(
      'framenavigated',
      (frame) => frame === page.mainFrame() && lines.push(`navigated: ${frame.url()}`),
    )
    page.on('close', () => pages.delete(page))
  })
}

/**
 * Leaves a picture and the console of each open page, and a trace of each context, in a folder of
 * test/output/failures with the test's name.
 */
export async function leavePictures(title: string): Promise<string | undefined> {
  if (contexts.size === 0) return undefined
  const folder = join(FOLDER, title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 150))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  let number = 0
  for (const [context, pages] of contexts) {
    for (const [page, lines] of pages) {
      number += 1
      // A page whose scripts hang cannot be captured.
      await page.screenshot({ path: join(folder, `page-${number}.png`) }).catch(() => undefined)
      await writeFile(join(folder, `page-${number}.txt`), `${[page.url(), ...lines].join('\n')}\n`)
    }
    await context.tracing.stop({ path: join(folder, `trace-${number}.zip`) }).catch(() => undefined)
    await context.tracing.start().catch(() => undefined)
  }
  return folder
}
