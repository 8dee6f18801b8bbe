import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FirstAnswers, type PageFacts, THEME_COLORS } from '#contract/page-data.ts'
import { msg, say } from '#words/words.ts'
import { openStyles } from './page-styles.ts'

/** If there is no markup, the browser renders the app. */
type Content = {
  page: PageFacts
  answers: FirstAnswers
  markup: string
  title: string | undefined
}

/** Puts the page around its content. `scriptHash` allows the page's one inline script. */
type Shell = { around: (content: Content) => string; scriptHash: string | undefined }

/** Written by the build for the server; not served. */
export const PAGE_SCRIPT = 'page-script.js'

/** The app's element in the page; the data follows right after it. */
const ROOT = '<div id="root"></div>'
const STYLES = '<!--styles-->'

const SCRIPTS =
  /[ \t]*<(?:script\b[^>]*\bsrc="[^"]*"[^>]*><\/script>|link rel="modulepreload"[^>]*>)\n?/g
const FONT = /[ \t]*<link\s+rel="preload"[^>]*\bas="font"[^>]*>\n?/
const STYLESHEET = /[ \t]*<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>\n?/g
const BAR_COLOR = /(<meta name="theme-color" content=")#\w+/g
/**
 * Finds the navigation, so that the styles can reserve room for it from the first bytes of the
 * document.
 */
const NAV = /<nav\b[^>]*\bid="main-nav"[^>]*\bdata-place="(\w+)"/
const TITLE = /<title>[^<]*<\/title>/

/** The sentences of index.html. */
const SENTENCES = [
  msg(
    'Bots that trade crypto for you and show their work: ' +
      'every figure opens to the ledger lines behind it.',
  ),
  msg('Trading Bot needs JavaScript to move money and to show what changes.'),
]

/** `page`: the build's index.html, which the worker also caches as the offline shell. */
export function openShell(page: string, directory: string): Shell {
  const file = join(directory, PAGE_SCRIPT)
  if (!existsSync(file))
    return { around: (content) => filled(page, content), scriptHash: undefined }
  const script = readFileSync(file, 'utf8')
    .trim()
    .replaceAll('</', String.raw`<\/`)
  const sheets = [...page.matchAll(STYLESHEET)].map(([link, address = '']) => ({
    link,
    text: readFileSync(join(directory, address), 'utf8'),
  }))
  const fonts = sheets
    .filter(isOfFonts)
    .map(({ text }) => text)
    .join('')
  const others = sheets.filter((sheet) => !isOfFonts(sheet))
  const styles = openStyles(others.map(({ text }) => text).join(''))
  const complete = others.map(({ link }) => link).join('')
  const [first, later] = [false, true].map((hasFont) =>
    readAtOnce(page, { script, fonts, complete, hasFont }),
  )
  return {
    around: (content) => {
      const styled = ((content.page.hasFont ? later : first) ?? page).replace(
        STYLES,
        () => `<style>${styles(content.markup)}</style>`,
      )
      return filled(styled, content)
    },
    scriptHash: `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  }
}

const isOfFonts = ({ text }: { text: string }): boolean =>
  /@font-face\s*\{[^}]*url\(/.test(text) && !text.includes('@layer')

/** `complete` links the complete styles, which later screens need. */
type Parts = { script: string; fonts: string; complete: string; hasFont: boolean }

/**
 * A page that is readable without another request: its styles are inline, and scripts and font wait
 * in a template until after the first paint. On a first visit the first screen uses a system font,
 * so that no text moves, and the next screen the web font; later the page uses a cached one only if
 * it is ready at the first paint.
 */
function readAtOnce(page: string, { script, fonts, complete, hasFont }: Parts): string {
  // Without theme.js, because the server writes a chosen theme into the page.
  const scripts =
    complete +
    (page
      .match(SCRIPTS)
      ?.filter((tag) => !tag.includes('/theme.js'))
      .join('') ?? '')
  const font = FONT.exec(page)?.[0] ?? ''
  const later = hasFont ? '' : font.replace('"preload"', '"prefetch"')
  const waiting =
    `<template id="after-paint">\n${scripts}${later}</template>` +
    (hasFont ? '' : `\n<template id="fonts"><style>${fonts}</style></template>`)
  const present = hasFont ? `${font}<style>${fonts.replaceAll('swap', 'optional')}</style>` : ''
  return [SCRIPTS, FONT, STYLESHEET]
    .reduce((left, part) => left.replace(part, ''), page)
    .replace(
      '</head>',
      () => `${STYLES}${present}\n${waiting}\n<script>${script}</script>\n</head>`,
    )
}

function filled(page: string, { page: facts, answers, markup, title }: Content): string {
  const data =
    '<script type="application/json" ' +
    `id="initial-data">${escapeJson({ page: facts, ...answers })}</script>`
  const nav = NAV.exec(markup)?.[1]
  const whole = (
    nav === undefined ? page : page.replace('<html ', `<html data-nav="${nav}" `)
  ).replace(ROOT, () => `<div id="root">${markup}</div>\n    ${data}`)
  const named = title === undefined ? whole : whole.replace(TITLE, () => `<title>${title}</title>`)
  const spoken = SENTENCES.reduce(
    (text, sentence) => text.replace(sentence, () => say(sentence)),
    named,
  ).replace(' lang="en"', ` lang="${facts.language}"`)
  return facts.theme === 'system' ? spoken : themed(spoken, facts.theme)
}

/** The chosen theme, and its color for the browser's own bars on any device. */
function themed(page: string, theme: keyof typeof THEME_COLORS): string {
  return page
    .replace('<html ', `<html data-theme="${theme}" `)
    .replaceAll(BAR_COLOR, `$1${THEME_COLORS[theme]}`)
}

/** Threat: data that contains a closing script tag would become markup. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
