import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FirstAnswers, PageFacts } from '#contract/page-data.ts'
import { openStyles } from './page-styles.ts'

/** What stands in a page. Without markup the browser draws the app. */
export type Content = { page: PageFacts; answers: FirstAnswers; markup: string; title: string | undefined }

/** The page around the app, and the hash by which its one script is allowed. */
export type Shell = { around: (content: Content) => string; scriptHash: string | undefined }

/** The build's own file, for the server alone. */
export const PAGE_SCRIPT = 'page-script.js'

/** Where the app stands in the page; its first data stands right behind it. */
const ROOT = '<div id="root"></div>'
const STYLES = '<!--styles-->'

/** Scripts, and what they preload. */
const SCRIPTS = /[ \t]*<(?:script\b[^>]*\bsrc="[^"]*"[^>]*><\/script>|link rel="modulepreload"[^>]*>)\n?/g
const FONT = /[ \t]*<link\s+rel="preload"[^>]*\bas="font"[^>]*>\n?/
const STYLESHEET = /[ \t]*<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>\n?/g
const TITLE = /<title>[^<]*<\/title>/

/** `page` is the build's own, which the browser keeps as the shell for when there is no network. */
export function openShell(page: string, directory: string): Shell {
  const file = join(directory, PAGE_SCRIPT)
  if (!existsSync(file)) return { around: (content) => filled(page, content), scriptHash: undefined }
  const script = readFileSync(file, 'utf8').trim().replaceAll('</', String.raw`<\/`)
  const sheets = [...page.matchAll(STYLESHEET)].map(([, address = '']) => readFileSync(join(directory, address), 'utf8'))
  const fonts = sheets.filter(isOfFonts).join('')
  const styles = openStyles(sheets.filter((sheet) => !isOfFonts(sheet)).join(''))
  const [first, later] = [false, true].map((hasFont) => readAtOnce(page, { script, fonts, hasFont }))
  return {
    around: (content) => {
      const styled = ((content.page.hasFont ? later : first) ?? page).replace(STYLES, () => `<style>${styles(content.markup)}</style>`)
      return filled(styled, content)
    },
    scriptHash: `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  }
}

const isOfFonts = (sheet: string): boolean => /@font-face\s*\{[^}]*url\(/.test(sheet) && !sheet.includes('@layer')

type Parts = { script: string; fonts: string; hasFont: boolean }

/**
 * A page that asks for nothing before it can be read: its styles are in it, scripts wait in a template until it is painted. So does the
 * font: whoever has not fetched it yet reads the first screen in a font of the device, and nothing moves beneath the reader's eyes; the next
 * screen brings it. Out of the browser's own cache it is there at the first paint, or not used on this page.
 */
function readAtOnce(page: string, { script, fonts, hasFont }: Parts): string {
  // A chosen theme is in the page already.
  const scripts = page.match(SCRIPTS)?.filter((tag) => !tag.includes('/theme.js')).join('') ?? ''
  const font = FONT.exec(page)?.[0] ?? ''
  const waiting = hasFont
    ? `<template id="after-paint">\n${scripts}</template>`
    : `<template id="after-paint">\n${scripts}${font.replace('"preload"', '"prefetch"')}</template>\n<template id="fonts"><style>${fonts}</style></template>`
  const present = hasFont ? `${font}<style>${fonts.replaceAll('swap', 'optional')}</style>` : ''
  return [SCRIPTS, FONT, STYLESHEET]
    .reduce((left, part) => left.replace(part, ''), page)
    .replace('</head>', () => `${STYLES}${present}\n${waiting}\n<script>${script}</script>\n</head>`)
}

function filled(page: string, { page: facts, answers, markup, title }: Content): string {
  const data = `<script type="application/json" id="initial-data">${escapeJson({ page: facts, ...answers })}</script>`
  const whole = page.replace(ROOT, () => `<div id="root">${markup}</div>\n    ${data}`)
  const named = title === undefined ? whole : whole.replace(TITLE, () => `<title>${title}</title>`)
  return facts.theme === 'system' ? named : named.replace('<html ', `<html data-theme="${facts.theme}" `)
}

/** Threat: data that closes the script element would become markup. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
