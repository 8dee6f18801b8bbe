import type { FastifyRequest } from 'fastify'
import { language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { html } from '#server/html.ts'
import { accepts } from './by-quality.ts'

/**
 * Paths that never lead to a page: calls, files of a build that is gone, and what machines read.
 */
const NO_PAGE = /^\/(api|assets|health|metrics|\.well-known)(\/|\?|$)/

/**
 * True for whoever can read HTML and opens anything but a call or a file. The app's own calls want
 * JSON.
 */
export function wantsPage({
  method,
  url,
  headers,
}: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NO_PAGE.test(url)) return false
  return !headers.accept || accepts(headers.accept, 'text/html', ['text/*', '*/*'])
}

const RETRY_SECONDS = 5

/**
 * A page that stands on its own, for when the app's pages cannot be made. One that may succeed soon
 * reloads itself.
 */
export function problemPage({
  sentence,
  isTemporary,
}: {
  sentence: string
  isTemporary: boolean
}): string {
  return html`<!doctype html>
<html lang="${language()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isTemporary ? html`<meta http-equiv="refresh" content="${RETRY_SECONDS}">` : undefined}
<title>Trading Bot</title>
<style>
:root { color-scheme: light dark }
body { display: grid; min-height: 100dvh; margin: 0; place-content: center; padding: 1.25rem; box-sizing: border-box; text-align: center; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.25rem; max-width: 30rem; text-wrap: balance }
a { color: inherit; padding: 0.75rem }
</style>
<main>
<h1>${sentence}</h1>
<p><a href="">${t('Try again')}</a></p>
</main>
</html>
`.text
}
