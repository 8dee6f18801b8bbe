import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type Route } from '#contract/routes.ts'
import { allScreens } from '#contract/screens.ts'
import type { Sql } from '#server/db/open.ts'
import { buildApp } from '#server/pages/build-app.ts'
import { openServer } from '#server/server.ts'
import { createTestDatabase, SECRET, type TestDatabase } from '../world/database.ts'
import { LIVE_BOOK } from '../world/live-book.ts'
import { endLaunched, freePort, launch, startServer } from '../process/running-server.ts'
import { ROOT } from '../tidy/source.ts'
import { createWorld, type World } from '../world/world.ts'
import { pattern } from '../world/pattern.ts'

let world: World
let pages: string
let failing: FastifyInstance
let database: TestDatabase

beforeAll(async () => {
  ;[world, database, pages] = await Promise.all([
    createWorld(),
    createTestDatabase(),
    buildApp({ root: ROOT, log: { info: () => undefined } }),
  ])
  const broken = new Proxy(world.context.sql, { apply: () => fail() }) as Sql
  failing = await openServer(
    {
      ...world.context,
      sql: world.context.sql,
      reads: broken,
      market: { ...world.context.market, prices: fail },
    },
    { pages },
  )
})
afterEach(endLaunched)
afterAll(async () => {
  await failing.close()
  await Promise.all([world.close(), database.drop()])
})

const fail = (): never => {
  throw new Error(`a bug of ours in ${import.meta.filename}`)
}

/** Traces of internals: stack frames, names of source files, paths on this machine, statements. */
const INSIDE =
  /a bug of ours|\n\s+at |\.tsx?\b|node_modules|file:\/\/|\/src\/|select .* from|pg_catalog/i

describe('if our code fails', () => {
  test('no answer contains a stack, a file or a statement', async () => {
    const ada = await world.user()
    const statuses: number[] = []
    for (const [name, { method, path }] of Object.entries(routes) as [string, Route][]) {
      const url = path.replace(':id', world.context.newId())
      const answer = await failing.inject({
        method,
        url,
        headers: { 'sec-fetch-site': 'same-origin', cookie: ada.cookie },
        ...(method !== 'GET' && { payload: {} }),
      })
      statuses.push(answer.statusCode)
      expect([name, INSIDE.exec(answer.payload)?.[0]]).toEqual([name, undefined])
      expect(answer.headers['x-powered-by'] ?? answer.headers['server']).toBeUndefined()
    }
    expect(statuses.filter((status) => status === 500).length, 'our code did fail').toBeGreaterThan(
      20,
    )
    for (const url of [
      plainRoutes.statement,
      plainRoutes.trades,
      plainRoutes.myData,
      plainRoutes.events,
      '/health',
    ]) {
      expect([
        url,
        INSIDE.exec((await failing.inject({ url, headers: { cookie: ada.cookie } })).payload)?.[0],
      ]).toEqual([url, undefined])
    }
  })

  test('no page shows details of a failure', async () => {
    const ada = await world.user()
    for (const { path } of allScreens) {
      for (const cookie of ['', ada.cookie]) {
        const { payload } = await failing.inject({
          url: path.replace(':id', world.context.newId()),
          headers: { accept: 'text/html', cookie },
        })
        expect([path, INSIDE.exec(payload)?.[0]]).toEqual([path, undefined])
      }
    }
  })
})

test('the built app has no source maps and no development code', () => {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|css|html|map|json)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([])
  const revealing = pattern(
    /sourceMappingURL|sourceURL=|react-refresh/,
    /|@vite\/client|react-dom-client\.development|Download the React DevTools/,
  )
  expect(files.filter((name) => revealing.test(readFileSync(join(pages, name), 'utf8')))).toEqual(
    [],
  )
})

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answer = await new Promise<boolean>((resolve) =>
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
  )
  socket.destroy()
  return answer
}

describe('a debugger', () => {
  test('a debugger can connect to no port, not even after the signal that opens one', async () => {
    const inspectorPort = await freePort()
    const server = await startServer({
      env: { DATABASE_URL: database.url, NODE_OPTIONS: `--inspect-port=${inspectorPort}` },
    })
    expect(await isOpen(Number(new URL(server.url).port)), 'the server').toBe(true)
    expect(await isOpen(inspectorPort)).toBe(false)
    server.process.kill('SIGUSR1')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(await isOpen(inspectorPort)).toBe(false)
    await server.stop()
    expect(server.errors()).not.toContain('Debugger')
  })

  test('prevents the start of a live book', async () => {
    const env = {
      ...LIVE_BOOK,
      SESSION_SECRET: SECRET,
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--inspect=127.0.0.1:${await freePort()}`,
    }
    const server = launch({ env: { ...env, PORT: '0' } })
    expect([await server.ended, server.errors()]).toEqual([
      1,
      expect.stringContaining('A live book runs without a debugger: start it without --inspect'),
    ])
  })
})
