import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { html } from '#server/kernel/html.ts'
import { factsOf, pageOf } from '#server/console/page.ts'
import { signUp } from '../faults/client.ts'
import { codeOf, OPERATOR_PASSWORD, signInFirst } from '../world/operators.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { enlargeText, findUnreadable, NARROW_WINDOW } from './large-text.ts'
import { measureLooks } from './measures.ts'

let server: RunningServer
let browser: Browser
let address: string
let grace: { name: string; secret: string }

beforeAll(async () => {
  const [dataDir, port] = [await makeDataDir(), await freePort()]
  address = `http://127.0.0.1:${port}`
  ;[server, browser] = await Promise.all([
    startServer({
      dataDir,
      env: { MARKET_SPEED: '1', OPERATOR_PORT: String(port), PAYOUT_DELAY_MS: '600000' },
    }),
    launchBrowser(),
  ])
  grace = await signInFirst({ DATA_DIR: dataDir }, 'support,payouts,auditor')
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await removeDataDir(server.dataDir)
})

/** A folder for pictures, if somebody wants to look: OPERATOR_PICTURES=folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['OPERATOR_PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}

test('an operator signs in, freezes a user and reads the trail; pages are accessible', async () => {
  const ada = await signUp(server.url, 'ada')
  await ada.deposit('100')
  const sql = await server.database()
  const context = await browser.newContext({ ...PHONE, baseURL: address, bypassCSP: true })
  const page = await context.newPage()
  const findings: string[] = []
  const measure = async (name: string, path = '') => {
    await picture(page, name)
    findings.push(
      ...(await measureLooks(page)).flatMap(({ look, findings: found }) =>
        found.map((finding) => `${name}, ${look}: ${finding}`),
      ),
    )
    // Enlarged text stays until the page is loaded again.
    await page.goto(path === '' ? page.url() : path)
  }
  await page.goto('/')
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await measure('sign-in')
  await page.getByLabel('Name').fill(grace.name)
  await page.getByLabel('Password').fill(OPERATOR_PASSWORD)
  await page.getByLabel('Code').fill(codeOf(grace.secret, { periods: 1 }))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Withdrawals' }).waitFor()
  await measure('withdrawals')
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByLabel('Reason').fill('asked by the user')
  await measure('user')
  await page.getByLabel('Reason').fill('asked by the user')
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByText('The user is frozen.').waitFor()
  await measure('frozen')
  await page.getByRole('button', { name: 'Unfreeze' }).click()
  await page.getByText('The user is no longer frozen.').waitFor()
  await page.goto('/users?name=nobody')
  await page.getByText('There is no user nobody.').waitFor()
  await measure('refused', '/audit')
  await page.getByText('user.unfreeze').first().waitFor()
  await measure('audit')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from audit_events
    where action in ('user.freeze', 'user.unfreeze') and actor = 'operator:Grace'`
  expect(row?.count).toBe(2)
  await sql.end()
  expect(findings).toEqual([])
})

test('a key of wide letters is not broken in text of twice its size', async () => {
  const context = await browser.newContext({ ...NARROW_WINDOW, baseURL: address, bypassCSP: true })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.setContent(
    pageOf({
      title: 'Audit trail',
      body: html`<div class="card">${factsOf([['About', 'W'.repeat(16)]])}</div>`,
    }),
    { waitUntil: 'networkidle' },
  )
  await enlargeText(page)
  expect(await findUnreadable(page)).toEqual([])
  await context.close()
})
