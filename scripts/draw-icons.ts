import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Page } from 'playwright-core'
import { createServer } from 'vite'
import { Bot, History } from '#app/ui/frame/icons.ts'
import { CreditCard } from '#app/ui/frame/later-icons.ts'
import { launchBrowser } from '../test/browser/chromium.ts'

/**
 * Draws the app's icons from its brand into public/: `npx node scripts/draw-icons.ts`. A launcher
 * may crop a maskable icon to any shape around its middle 80 percent, and iOS rounds the corners
 * itself, so these two icons fill their square.
 */
const PUBLIC = join(import.meta.dirname, '../public')
const ACCENT = '#2438D6'
const ON_ACCENT = '#FFFFFF'

const SHORTCUTS = { deposit: CreditCard, bots: Bot, history: History }

async function draw(): Promise<void> {
  const mark = await brandMark()
  await writeFile(join(PUBLIC, 'icon.svg'), `${mark}\n`)
  await mkdir(join(PUBLIC, 'icons'), { recursive: true })
  const browser = await launchBrowser()
  const page = await browser.newPage()
  try {
    for (const size of [192, 512]) {
      await save(page, { name: `icons/icon-${size}.png`, size, picture: sized(mark, size) })
      await save(page, {
        name: `icons/maskable-${size}.png`,
        size,
        picture: filled({ mark, size, share: 0.8 }),
      })
    }
    await save(page, {
      name: 'icons/apple-touch-icon.png',
      size: 180,
      picture: filled({ mark, size: 180, share: 0.9 }),
    })
    for (const [name, Icon] of Object.entries(SHORTCUTS)) {
      const sign = renderToStaticMarkup(
        createElement(Icon, { size: 48, color: ON_ACCENT, strokeWidth: 1.75 }),
      )
      await save(page, {
        name: `icons/shortcut-${name}.png`,
        size: 96,
        picture: square({ size: 96, radius: 48, content: sign }),
      })
    }
  } finally {
    await browser.close()
  }
}

/** The drawing of the brand component, with colors as literals. */
async function brandMark(): Promise<string> {
  const server = await createServer({
    root: join(PUBLIC, '..'),
    configFile: false,
    appType: 'custom',
    server: { middlewareMode: true },
    logLevel: 'warn',
  })
  try {
    const { Brand } = (await server.ssrLoadModule('/src/app/auth/brand.tsx')) as {
      Brand: ComponentType
    }
    const [mark] = /<svg.*<\/svg>/.exec(renderToStaticMarkup(createElement(Brand))) ?? []
    if (mark === undefined) throw new Error('the brand draws no mark')
    return mark
      .replace(/<svg[^>]*>/, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">')
      .replace('class="fill-accent"', `fill="${ACCENT}"`)
      .replace('class="stroke-on-accent"', `stroke="${ON_ACCENT}"`)
  } finally {
    await server.close()
  }
}

const sized = (mark: string, size: number) =>
  mark.replace('<svg', `<svg width="${size}" height="${size}"`)

/** The mark without its round corners, on a square of its color. */
function filled({ mark, size, share }: { mark: string; size: number; share: number }): string {
  return square({
    size,
    radius: 0,
    content: sized(mark.replace('rx="14"', 'rx="0"'), Math.round(size * share)),
  })
}

function square({
  size,
  radius,
  content,
}: {
  size: number
  radius: number
  content: string
}): string {
  const style =
    `display:grid;place-items:center;width:${size}px;height:${size}px;` +
    `border-radius:${radius}px;background:${ACCENT}`
  return `<div style="${style}">${content}</div>`
}

async function save(
  page: Page,
  { name, size, picture }: { name: string; size: number; picture: string },
): Promise<void> {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${picture}`)
  await page.screenshot({ path: join(PUBLIC, name), omitBackground: true })
}

await draw()
