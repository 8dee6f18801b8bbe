import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { watchPages } from './open-pages.ts'

const PACKAGE_VERSION = '153.0.0'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The phone that the product is primarily designed for. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
} as const

/** As long as a page is given for what a test looks for: a busy machine is slow, not wrong. */
const PATIENCE_MS = 180_000

/**
 * A headless Chromium: the one at CHROMIUM_PATH, else the package's own. `debuggingPort` lets tools
 * other than Playwright control it.
 */
export async function launchBrowser({
  debuggingPort,
}: { debuggingPort?: number } = {}): Promise<Browser> {
  const args =
    debuggingPort === undefined ? FLAGS : [...FLAGS, `--remote-debugging-port=${debuggingPort}`]
  const browser = await chromium.launch({
    executablePath: await executablePath(),
    args,
    headless: true,
  })
  return browser.on('context', (context) => {
    context.setDefaultTimeout(PATIENCE_MS)
    watchPages(context)
  })
}

async function executablePath(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH']
  return chosen ?? unpacked()
}

/**
 * The browser of the package, unpacked once for all processes. Several that start on a new machine
 * unpack it at once, each into a folder of its own, so that none runs a file that another still
 * writes; the first to finish gives the folder its name.
 */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `chromium-${PACKAGE_VERSION}`)
  if (!existsSync(join(folder, 'chromium'))) {
    const draft = mkdtempSync(`${folder}-`)
    await unpackInto(draft)
    try {
      renameSync(draft, folder)
    } catch (error) {
      if (!existsSync(join(folder, 'chromium'))) throw error
      rmSync(draft, { recursive: true })
    }
  }
  return unpackInto(folder)
}

/**
 * The package unpacks into the temporary folder, and reuses any browser that it finds there, even
 * of another version.
 */
async function unpackInto(folder: string): Promise<string> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    return await packaged.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
