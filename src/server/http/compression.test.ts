import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import { sendHtml } from '#server/pages/render-page.ts'
import { createWorld, type World } from '../../../test/world/world.ts'
import { trackInFlight } from './in-flight.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.hours(30)
})
afterAll(() => world.close())

const ask = (encoding: string, url: string = routes.getPrices.path) =>
  world.app.inject({ url, headers: { 'accept-encoding': encoding } })

test.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.5', 'GZIP'])(
  'a long answer is compressed for a client that accepts %s',
  async (encoding) => {
    const [plain, packed] = [await ask('identity'), await ask(encoding)]
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual([
      'gzip',
      'accept-encoding',
    ])
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  },
)

test.each(['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'a long answer is not compressed for a client that accepts %j',
  async (encoding) => {
    const plain = await ask(encoding)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(Object.keys(plain.json())).toContain('BTC')
  },
)

test('a short answer is not compressed', async () => {
  expect((await ask('gzip', routes.getConfig.path)).headers['content-encoding']).toBeUndefined()
})

/** Keeps Node's four worker threads busy, so that compression waits. */
const busyThreads = () =>
  Promise.all(
    Array.from({ length: 8 }, () => promisify(pbkdf2)('password', 'salt', 400_000, 64, 'sha512')),
  )

async function openPage(): Promise<FastifyInstance> {
  const app = fastify()
  trackInFlight(app)
  app.get('/', (request, reply) => sendHtml('<p>'.repeat(1_000), { request, reply }))
  await app.ready()
  return app
}

test.each([
  ['an answer in gzip', routes.getPrices.path, 'gzip', async () => world.app],
  ['a page in brotli', '/', 'br', openPage],
] as const)('a late %s is replaced by a readable refusal', async (_which, url, encoding, open) => {
  const app = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const busy = busyThreads()
  try {
    const answer = app.inject({ url, headers: { 'accept-encoding': encoding } })
    // Waits until the answer is being compressed.
    for (let turn = 0; turn < 50; turn += 1) await world.context.sql`select`
    await vi.advanceTimersByTimeAsync(10_000)
    const { statusCode, headers, body } = await answer
    expect([statusCode, headers['content-encoding']]).toEqual([503, undefined])
    expect(body).toContain('This takes longer than usual. Please try again in a moment.')
  } finally {
    vi.useRealTimers()
    await busy
  }
})

async function firstEvent(
  url: string,
  encoding: string,
): Promise<{ encoding: string | null; text: string }> {
  const ended = new AbortController()
  const answer = await fetch(url + plainRoutes.events, {
    headers: { 'accept-encoding': encoding },
    signal: ended.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = (await reader?.read()) ?? {}
  ended.abort()
  return { encoding: answer.headers.get('content-encoding'), text: value }
}

test('the event stream is compressed if the client accepts it, and readable at once', async () => {
  const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
  expect(await firstEvent(url, 'gzip')).toEqual({ encoding: 'gzip', text: 'retry: 2000\n\n' })
  expect(await firstEvent(url, 'identity')).toEqual({ encoding: null, text: 'retry: 2000\n\n' })
})
