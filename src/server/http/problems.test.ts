import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Refusal } from '#core/refusal.ts'
import { answerError } from './problems.ts'

let app: FastifyInstance
let lines: Record<string, unknown>[]
beforeEach(() => {
  lines = []
  const log: FastifyBaseLogger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.setErrorHandler(answerError)
})
afterEach(() => app.close())

async function failing(error: Error): Promise<number> {
  app.get('/', () => Promise.reject(error))
  return (await app.inject('/')).statusCode
}

test('an expected error, such as a network not set up, is one line without a stack', async () => {
  expect(await failing(new Refusal('chain-unconfigured'))).toBe(503)
  expect(lines).toMatchObject([{ level: 30, code: 'chain-unconfigured', path: '/' }])
  expect(JSON.stringify(lines)).not.toContain('stack')
})

test('a bug of ours is an error with its stack', async () => {
  expect(await failing(new Error('our bug'))).toBe(500)
  expect(lines).toMatchObject([
    {
      level: 50,
      method: 'GET',
      path: '/',
      err: { stack: expect.stringContaining('our bug') as unknown },
    },
  ])
})

test('the refusal of a bad request is not logged', async () => {
  expect(await failing(new Refusal('required'))).toBe(400)
  expect(lines).toEqual([])
})

test('a failed page request gets a page, which reloads itself if a retry may succeed', async () => {
  app.get('/home', () =>
    Promise.reject(Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })),
  )
  app.get('/api/home', () => Promise.reject(new Refusal('temporarily-unavailable')))
  app.get('/odd', () =>
    Promise.reject(new Refusal('invalid-input', { field: 'a', sentence: '<b>Unknown</b>' })),
  )
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await app.inject({ url: '/home', headers })
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    503,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(page.body).toContain(
    '<h1>The service is not available right now. Nothing was lost. Please try again.</h1>',
  )
  expect(page.body).toContain('<meta http-equiv="refresh" content="5">')
  const odd = await app.inject({ url: '/odd', headers })
  expect([
    odd.statusCode,
    odd.body.includes('&lt;b&gt;Unknown'),
    odd.body.includes('http-equiv="refresh"'),
  ]).toEqual([400, true, false])
  expect((await app.inject({ url: '/api/home', headers })).json()).toMatchObject({
    code: 'temporarily-unavailable',
  })
})
