import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import { Problem } from '#contract/wire.ts'
import { openServer } from '#server/server.ts'
import { createWorld, type World } from '../world/world.ts'
import { closed } from './connections.ts'

/**
 * Threat: a proxy and this server that disagree where a request ends would let a stranger smuggle a
 * request into somebody else's connection. Each message here is ambiguous, and contains a second
 * request after the place where one interpretation would end. Source: RFC 9112, 2 to 7 and 11.2.
 */
let world: World
let app: FastifyInstance
let port: number
beforeAll(async () => {
  world = await createWorld()
  app = await openServer(world.context, { pages: '/nonexistent', requestWithinMs: 1_000 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = app.server.address() as AddressInfo)
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const HOST = 'Host: localhost'
const SMUGGLED = `GET /api/config HTTP/1.1\r\n${HOST}\r\n\r\n`
const LOGIN = `POST /api/auth/login HTTP/1.1\r\n${HOST}\r\nSec-Fetch-Site: same-origin`
const head = (...lines: string[]): string =>
  [LOGIN, 'Content-Type: application/json', ...lines, '', ''].join('\r\n')
const chunked = (body: string): string => `${head('Transfer-Encoding: chunked')}${body}`

/**
 * Sends the text, and returns the statuses of all answers until the server closes the connection.
 * Each refusal has the contract's body.
 */
async function answersTo(text: string): Promise<number[]> {
  const socket = connect(port, '127.0.0.1')
  let answers = ''
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString('latin1')))
  await once(socket, 'connect')
  socket.write(Buffer.from(text, 'latin1'))
  await closed(socket)
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  const bodies = [...answers.matchAll(/HTTP\/1\.1 [45]\d\d [^]*?\r\n\r\n(\{.*?\})(?=HTTP|$)/g)].map(
    ([, body = '']) => Problem.safeParse(JSON.parse(body)),
  )
  expect(
    bodies.filter(({ success }) => success),
    `${answers}`,
  ).toHaveLength(statuses.filter((status) => status >= 400).length)
  return statuses
}

test('a second request on a connection is answered if the first has a clear end', async () => {
  const closing = SMUGGLED.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  expect(await answersTo(`${head('Content-Length: 2')}{}${closing}`)).toEqual([400, 200])
  expect(await answersTo(`${chunked('2\r\n{}\r\n0\r\n\r\n')}${closing}`)).toEqual([400, 200])
})

test('an unknown path, method, parameter or file gets the same kind of answer', async () => {
  const tried: [method: string, path: string, status: number][] = [
    ['GET', '/api/nothing', 404],
    ['PUT', '/api/config', 404],
    ['DELETE', '/api/config', 404],
    ['TRACE', '/api/config', 404],
    ['PROPFIND', '/api/config', 404],
    ['GET', `/api/trading-bots/${'x'.repeat(201)}/performance`, 404],
    ['GET', `/api/markets/${'x'.repeat(3_000)}`, 404],
    ['GET', '/api/markets/%', 400],
    ['GET', '/api/%zz', 400],
    ['GET', '/%zz', 400],
    ['GET', '/api/markets/%c0%80', 400],
    ['GET', '/api/config?range=%zz', 400],
  ]
  for (const [method, path, status] of tried) {
    expect([
      path.slice(0, 40),
      await answersTo(
        `${method} ${path} HTTP/1.1\r\n${HOST}\r\nSec-Fetch-Site: same-origin\r\nAccept: ` +
          `application/json\r\nConnection: close\r\n\r\n`,
      ),
    ]).toEqual([path.slice(0, 40), [status]])
  }
})

test.each<[shape: string, message: string, status?: number]>([
  [
    'a length and chunks',
    `${head('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'chunks and a length',
    `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'two lengths',
    `${head('Content-Length: 2', `Content-Length: ${2 + SMUGGLED.length}`)}{}${SMUGGLED}`,
  ],
  ['the same length twice', `${head('Content-Length: 2', 'Content-Length: 2')}{}${SMUGGLED}`],
  ['two lengths in one line', `${head('Content-Length: 2, 2')}{}${SMUGGLED}`],
  ['a length with a sign', `${head('Content-Length: +2')}{}${SMUGGLED}`],
  ['a length below 0', `${head('Content-Length: -2')}{}${SMUGGLED}`],
  ['a hexadecimal length', `${head('Content-Length: 0x2')}{}${SMUGGLED}`],
  ['a length beyond any number', `${head('Content-Length: 99999999999999999999')}{}${SMUGGLED}`],
  ['a length without a value', `${head('Content-Length:')}{}${SMUGGLED}`],
  ['an unknown coding', `${head('Transfer-Encoding: xchunked')}0\r\n\r\n${SMUGGLED}`],
  [
    'chunks that are coded again',
    `${head('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'two codings in two lines',
    `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'a coding after a vertical tab',
    `${head('Transfer-Encoding: \x0bchunked')}0\r\n\r\n${SMUGGLED}`,
  ],
  ['a chunk size that is no number', `${chunked('zz\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk size below 0', `${chunked('-2\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk size with a prefix', `${chunked('0x2\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  [
    'a chunk size beyond any number',
    `${chunked('FFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`,
  ],
  ['a chunk size with a space before it', `${chunked(' 2\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk that is longer than its size', `${chunked('2\r\n{}{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk size that ends with a bare line feed', `${chunked('2\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk that ends with a bare line feed', `${chunked('2\r\n{}\n0\r\n\r\n')}${SMUGGLED}`],
  ['a chunk extension with a line feed', `${chunked('2;a\nb\r\n{}\r\n0\r\n\r\n')}${SMUGGLED}`],
  ['an endless chunk extension', chunked(`2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`)],
  ['a folded header', head('X-Folded: one\r\n two', 'Content-Length: 0')],
  ['a folded coding', `${head('Transfer-Encoding:\r\n chunked')}0\r\n\r\n${SMUGGLED}`],
  [
    'a space before the first header',
    `POST /api/auth/login HTTP/1.1\r\n ${HOST}\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
  ],
  ['a space before the colon', `${head('Content-Length : 2')}{}${SMUGGLED}`],
  ['a tab before the colon', `${head('Transfer-Encoding\t: chunked')}0\r\n\r\n${SMUGGLED}`],
  ['a header without a colon', `${head('Content-Length 2')}{}${SMUGGLED}`],
  ['a header without a name', `${head(': 2')}{}${SMUGGLED}`],
  ['a header with NUL', `${head('X-Nul: a\0b')}{}${SMUGGLED}`],
  ['a header with a bare carriage return', `${head('X-Cr: a\rContent-Length: 2')}{}${SMUGGLED}`],
  [
    'lines that end with a bare line feed',
    `POST /api/auth/login HTTP/1.1\n${HOST}\nContent-Length: 0\n\n${SMUGGLED}`,
  ],
  [
    'a bare line feed between headers',
    `${head('X-Lf: a\nTransfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
  ],
  ['no host', 'GET /api/config HTTP/1.1\r\n\r\n'],
  ['an expectation of an unknown kind', head('Expect: a-miracle', 'Content-Length: 2'), 417],
  ['an unknown method', `BREW /api/config HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a body that never comes', head('Content-Length: 2'), 408],
  ['another version', `GET /api/config HTTP/3.7\r\n${HOST}\r\n\r\n${SMUGGLED}`],
  ['no version', `GET /api/config\r\n${HOST}\r\n\r\n${SMUGGLED}`],
  [
    'too many headers',
    head(...Array.from({ length: 40 }, (_none, index) => `X-${index}: ${'a'.repeat(500)}`)) +
      SMUGGLED,
    431,
  ],
  ['one header that is too long', `${head(`X-Long: ${'a'.repeat(20_000)}`)}${SMUGGLED}`, 431],
  [
    'an address that is too long',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n\r\n${SMUGGLED}`,
    431,
  ],
])(
  'a message with %s is refused, the connection closed, and no second request answered',
  async (_shape, message, status = 400) => {
    expect(await answersTo(message)).toEqual([status])
  },
)

const EVENT_QUERIES = [
  'since=abc',
  'since=1',
  'since=1.',
  'since=-1.2',
  'since=1.2.3',
  'since=1.2%00',
  `since=${'1'.repeat(21)}.1`,
  'since=1.2&since=1.2',
  'admin=1',
]

test.each(EVENT_QUERIES)(
  'the event stream refuses the query %s and names the field',
  async (query) => {
    const answer = await app.inject(`${plainRoutes.events}?${query}`)
    expect([answer.statusCode, Problem.parse(answer.json()).field]).toEqual([
      400,
      query.split('=')[0],
    ])
  },
)

test('the endpoint of the API description refuses a query', async () => {
  const answer = await app.inject(`${plainRoutes.openApi}?admin=1`)
  expect([answer.statusCode, Problem.parse(answer.json())]).toEqual([
    400,
    { code: 'invalid-input', message: 'Unknown field: admin', field: 'admin' },
  ])
})

test.each([
  ['{"__proto__":{"isAdmin":true},"amount":"20"}', '__proto__'],
  ['{"amount":"20","a":[{"\\u005f_proto__":1}]}', '__proto__'],
  ['{"amount":"20","constructor":{"prototype":{"isAdmin":true}}}', 'constructor'],
  [`{"__proto__":1,"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, '__proto__'],
])(
  'a key that would reach the prototype of all objects is refused by its name: %.40s',
  async (payload, field) => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const answer = await app.inject({ method: 'POST', url: routes.login.path, payload, headers })
    expect(answer.json()).toEqual({
      code: 'invalid-input',
      message: `Unknown field: ${field}`,
      field,
    })
  },
)
