import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openServer } from '#server/server.ts'
import { createWorld, type World } from '../world/world.ts'

const FROM_US = { 'sec-fetch-site': 'same-origin' }

let world: World
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  world = await createWorld()
  folder = await mkdtemp(join(tmpdir(), 'pages-'))
  await mkdir(join(folder, 'assets'))
  await Promise.all([
    writeFile(join(folder, 'assets/secret-listing.js'), 'export {}'),
    writeFile(join(folder, '.env'), 'SESSION_SECRET=1'),
  ])
  app = await openServer(world.context, { pages: folder })
})
afterAll(async () => {
  await app.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

test('no other origin may read a response', async () => {
  for (const origin of ['https://elsewhere.example', 'null', 'http://localhost']) {
    for (const url of ['/', '/api/config', '/api/auth/user', '/health', '/api/docs']) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await app.inject({
          method,
          url,
          headers: { origin, 'access-control-request-method': 'POST' },
        })
        expect(
          Object.keys(headers).filter((name) => name.startsWith('access-control-')),
          `${method} ${url} from ${origin}`,
        ).toEqual([])
      }
    }
  }
})

test('TRACE and CONNECT are refused and echo nothing', async () => {
  for (const method of ['TRACE', 'CONNECT'] as const) {
    const { statusCode, body } = await app.inject({
      method: method as 'GET',
      url: '/api/config',
      headers: { ...FROM_US, cookie: 'sid=echoed' },
    })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('echoed')
  }
})

test('folders are not listed, and files not meant for browsers are not served', async () => {
  expect(
    (await app.inject({ url: '/assets/secret-listing.js' })).statusCode,
    'a file of the app',
  ).toBe(200)
  for (const url of [
    '/assets/',
    '/assets',
    '/.env',
    '/.git/config',
    '/package.json',
    '/..%2f.env',
    '/assets/..%2f..%2f.env',
  ]) {
    const { body } = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([
      url,
      body.includes('secret-listing'),
      body.includes('SESSION_SECRET'),
      body.includes('"dependencies"'),
    ]).toEqual([url, false, false, false])
  }
})

test('a redirect never leaves our site, whatever its address', async () => {
  for (const query of [
    '?next=https://evil.example',
    '?redirect=//evil.example',
    '?returnTo=%5C%5Cevil.example',
  ]) {
    const { statusCode, headers } = await app.inject({ url: `/api/login${query}` })
    expect([statusCode, headers.location]).toEqual([303, '/login'])
  }
})

test('every response with text declares its charset', async () => {
  const ada = await world.user()
  for (const url of [
    '/api/config',
    '/api/auth/user',
    '/api/docs',
    '/health',
    '/api/nothing',
    '/api/statement.csv',
    '/metrics',
  ]) {
    const { headers } = await app.inject({ url, headers: { cookie: ada.cookie } })
    expect([url, String(headers['content-type'])]).toEqual([
      url,
      expect.stringMatching(/; ?charset=utf-8/i),
    ])
  }
})

test('a password may have any hundred characters, and each of them matters', async () => {
  const passwords = [
    'a lowercase sentence of words',
    `${'ab 🔑 ÅÉ漢字 '.repeat(20).slice(0, 99)}x`,
    '        spaces around        ',
  ]
  for (const [index, password] of passwords.entries()) {
    const username = `letters${index}`
    const send = async (url: string, payload: object) =>
      (await app.inject({ method: 'POST', url, payload, headers: FROM_US })).statusCode
    expect(
      await send(routes.signup.path, { username, password, firstName: 'A', lastName: 'B' }),
    ).toBe(201)
    expect(await send(routes.login.path, { username, password })).toBe(200)
    for (const wrong of [password.slice(0, -1), password.toUpperCase(), password.trim()].filter(
      (other) => other !== password,
    )) {
      expect([wrong, await send(routes.login.path, { username, password: wrong })]).toEqual([
        wrong,
        401,
      ])
    }
  }
})

test('a new book has no account of a user, and nobody signs in with a usual name', async () => {
  const fresh = await createWorld()
  expect(await fresh.context.sql`select 1 from users`).toEqual([])
  expect(await fresh.context.sql`select 1 from operators`).toEqual([])
  for (const [username, password] of [
    ['admin', 'admin1'],
    ['root', 'password'],
    ['demo', 'demo12'],
  ] as const) {
    expect(
      (
        await fresh.app.inject({
          method: 'POST',
          url: routes.login.path,
          payload: { username, password },
          headers: FROM_US,
        })
      ).statusCode,
    ).toBe(401)
  }
  await fresh.close()
})
