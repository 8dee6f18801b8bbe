import type { FastifyInstance } from 'fastify'
import type { Browser, BrowserContext, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '#server/pages/build-app.ts'
import { openServer } from '#server/server.ts'
import { ROOT } from '../tidy/source.ts'
import { createWorld, type World } from '../world/world.ts'
import { launchBrowser, PHONE } from './chromium.ts'

/**
 * The product behind TLS: the browser believes that it is at this address, and a proxy that ends
 * TLS passes its requests on.
 */
const SITE = 'https://bots.example'
const HOST = { host: 'bots.example', 'x-forwarded-proto': 'https' }

let world: World
let app: FastifyInstance
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  const pages = await buildApp({ root: ROOT, log: { info: () => undefined } })
  ;[world, browser] = await Promise.all([createWorld(), launchBrowser()])
  app = await openServer(
    { ...world.context, config: { ...world.context.config, PUBLIC_URL: SITE, TRUST_PROXY: 1 } },
    { pages },
  )
  context = await browser.newContext({ ...PHONE, baseURL: SITE, serviceWorkers: 'block' })
  await context.route(`${SITE}/**`, passOn)
})

afterAll(async () => {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await browser.close()
  await app.close()
  await world.close()
})

async function passOn(route: Route): Promise<void> {
  const request = route.request()
  const { pathname, search } = new URL(request.url())
  if (pathname === '/api/events') return route.abort()
  const cookie = (await context.cookies(SITE))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const { headers, status, body } = await fetched(pathname + search, {
    method: request.method(),
    headers: { ...request.headers(), ...HOST, cookie },
    body: request.postData() ?? undefined,
  })
  await route.fulfill({ headers, status, body })
}

async function fetched(
  path: string,
  {
    method,
    headers,
    body,
  }: { method: string; headers: Record<string, string>; body: string | undefined },
) {
  const answer = await app.inject({
    method: method as 'GET',
    url: path,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body !== undefined && { payload: body }),
  })
  const { 'set-cookie': set, ...rest } = answer.headers
  for (const text of [set ?? []].flat()) await context.addCookies([cookieOf(text)])
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    body: answer.rawPayload,
  }
}

function cookieOf(text: string) {
  const [pair = '', ...attributes] = text.split('; ')
  const [name = '', ...value] = pair.split('=')
  return {
    name,
    value: value.join('='),
    domain: 'bots.example',
    path: '/',
    secure: attributes.includes('Secure'),
    httpOnly: attributes.includes('HttpOnly'),
    sameSite: 'Lax' as const,
  }
}

test('over TLS every cookie is Secure and bound to this host; the server reads it', async () => {
  await fetched('/api/auth/signup', {
    method: 'POST',
    headers: { ...HOST, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      username: 'ada',
      password: 'a long password',
      firstName: 'Ada',
      lastName: 'Lovelace',
    }),
  })
  const page = await context.newPage()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByRole('button', { name: 'Hide balance' }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Profil' }).waitFor()
  const cookies = await context.cookies()
  expect(cookies.map(({ name }) => name).toSorted()).toEqual(
    ['device', 'font', 'hide-balance', 'kept', 'language', 'sid', 'theme', 'time-zone'].map(
      (name) => `__Host-${name}`,
    ),
  )
  expect(
    cookies.filter(
      ({ secure, sameSite, path, domain }) =>
        !secure || sameSite !== 'Lax' || path !== '/' || domain !== 'bots.example',
    ),
  ).toEqual([])
  const html = await (await page.reload())?.text()
  expect(html).toMatch(
    /<html[^>]* lang="de"[^>]*data-theme="dark"|<html[^>]*data-theme="dark"[^>]* lang="de"/,
  )
  await page.getByRole('button', { name: 'Guthaben anzeigen' }).waitFor()
})

test('a cookie planted by a neighboring host under the plain name changes no choice', async () => {
  await context.addCookies([
    { name: 'theme', value: 'light', url: SITE },
    { name: 'language', value: 'en', url: SITE },
  ])
  const page = await context.newPage()
  const html = await (await page.goto('/profile'))?.text()
  expect(html).toContain('data-theme="dark"')
  expect(html).toContain('lang="de"')
  await page.waitForFunction(() => document.cookie.includes('__Host-font='))
  expect(
    (await context.cookies())
      .filter(({ name }) => /^__Host-(theme|language)$/.test(name))
      .map(({ name, value }) => `${name}=${value}`)
      .toSorted(),
  ).toEqual(['__Host-language=de', '__Host-theme=dark'])
})
