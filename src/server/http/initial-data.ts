import type { RouteName } from '#contract/routes.ts'

/** Answers that a page carries, by the name of their route. */
export type InitialData = Partial<Record<RouteName, unknown>>

/** Where the app stands in the page; its first data stands right behind it. */
const ROOT = /<div id="root"><\/div>/

/** `page` with its first data, and `markup` where the app will be. */
export function withData(page: string, { data, markup = '' }: { data: InitialData; markup?: string }): string {
  const block = `<script type="application/json" id="initial-data">${escapeJson(data)}</script>`
  return page.replace(ROOT, () => `<div id="root">${markup}</div>\n    ${block}`)
}

/** Threat: data that closes the script element would become markup. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
