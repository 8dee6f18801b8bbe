import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { createWorld } from '../../../test/world/world.ts'
import { openApiDocument } from './open-api.ts'
import { descriptionPage } from './open-api-page.ts'
import { endpoints, refusalsOf } from './open-api-endpoints.ts'

const description = openApiDocument({})
const page = descriptionPage(description)

const [callsOfPage = ''] = page.split('<h2>Shapes')
/** The texts before the first call and of each call, without tags. */
const [common = '', ...calls] = callsOfPage.split(/<h3[^>]*>/).map((part) =>
  part
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim(),
)

test('each call is on the page once; common refusals are listed once for all calls', () => {
  expect(common).toMatch(/Most calls may also be refused with: .*500 internal/)
  expect(calls).toHaveLength(endpoints.length)
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    const line = `${endpoint.method} ${path} ${endpoint.name}: `
    const [call = '', ...others] = calls.filter((text) => text.startsWith(line))
    expect(others).toEqual([])
    const words = new Set(`${common} ${call}`.split(/[^\w-]+/))
    expect([line, refusalsOf(endpoint).filter((code) => !words.has(code))]).toEqual([line, []])
  }
})

test.each([
  ['POST /api/withdrawal-requests ', 'Origin, WithdrawalRequestBody 201'],
  ['POST /api/withdrawal-requests ', '201 Withdrawal (application/json) '],
  ['GET /api/trading-bots ', '200 array of Bot (application/json)'],
  ['GET /api/transactions ', 'Takes bot, from, to, type, q, cursor, x-language '],
  ['GET /api/statement.csv ', '200 string (text/csv)'],
  ['GET /api/login ', '303 Leads to a page.'],
])('the section of %s contains %j', (line, text) =>
  expect(calls.find((call) => call.startsWith(line))).toContain(text),
)

test('each link leads to a call or a shape', () => {
  const links = new Set([...page.matchAll(/href="#(\w+)"/g)].map(([, name]) => name))
  expect(links.size).toBeGreaterThan(50)
  expect([...links].filter((name) => !page.includes(`<h3 id="${name}">`))).toEqual([])
})

test('the page is valid HTML', async () => {
  const { results } = await new HtmlValidate().validateString(page)
  expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([])
})

test('a browser gets the page without scripts; a program gets the description', async () => {
  const world = await createWorld()
  const read = (accept: string) =>
    world.app.inject({ url: plainRoutes.openApi, headers: { accept } })
  const [shown, sent] = [await read('text/html,*/*;q=0.8'), await read('*/*')]
  await world.close()
  expect([shown.headers['content-type'], shown.body]).toEqual(['text/html; charset=utf-8', page])
  expect(shown.headers['content-security-policy']).toContain("script-src 'self';")
  expect(page).not.toContain('<script')
  expect([shown.headers.vary, sent.headers.vary]).toEqual(['accept', 'accept'])
  expect(sent.json()).toEqual(JSON.parse(JSON.stringify(description)))
})
