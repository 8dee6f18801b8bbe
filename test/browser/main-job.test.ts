import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf } from '../world/length.ts'
import {
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { doMainJob, MAIN_JOB_SETTINGS } from './main-job.ts'

/** Folder for screenshots; without it none are taken. */
const SCREENS = process.env['SCREENS_DIR']

let server: RunningServer
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ dataDir: await makeDataDir(), env: MAIN_JOB_SETTINGS }),
    launchBrowser(),
  ])
  context = await browser.newContext({ ...PHONE, baseURL: server.url, reducedMotion: 'reduce' })
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

/** Other tests check themes in all states, so usually this walk runs in one theme. */
const THEMES = lengthOf<readonly ('light' | 'dark')[]>({ usual: ['dark'], full: ['light', 'dark'] })

/** Checks the screen: no accessibility violation, nothing wider than the phone. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const findings = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
    expect(findings, `${name}, ${colorScheme}`).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    )
    expect(overflow, `${name} is wider than the phone`).toBeLessThanOrEqual(0)
    if (SCREENS !== undefined)
      await page.screenshot({ path: `${SCREENS}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

test('users can sign up, deposit, run a bot and withdraw', async () => {
  const page = await newReadyPage(context, { isSignedIn: false })
  const sql = await server.database()
  try {
    await doMainJob({ page, inspect: (name) => inspect(page, name) }, sql)
  } finally {
    await sql.end()
  }
})
