import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls, rowOf } from '#contract/calls.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { openServer } from '#server/server.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

/**
 * Short, to keep the test short. The server is the test's own, because a slow machine may make its
 * other answers late too.
 */
const ANSWER_WITHIN_MS = 400

let world: World
let app: FastifyInstance
let ada: TestUser
const lines: string[] = []

beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  world = await createWorld({ context: { log }, config: { LOGIN_ATTEMPTS: 100_000 } })
  ada = await world.user('ada')
  app = await openServer(world.context, { pages: '/nonexistent', answerWithinMs: ANSWER_WITHIN_MS })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

type Asked = { method: Route['method']; path: string }
type Said = Asked & { status: number; body: unknown }

/**
 * Makes all calls while no session can be read, as when the database hangs. Returns the answers.
 */
async function whileSessionsHang(asked: readonly Asked[], language = 'en'): Promise<Said[]> {
  let letGo = (): void => undefined
  const over = new Promise<void>((resolve) => (letGo = resolve))
  const held = await new Promise<{ ended: Promise<void> }>((resolve) => {
    const ended = world.context.sql.begin('isolation level read committed', async (tx) => {
      await tx`lock table sessions in access exclusive mode`
      resolve({ ended })
      await over
    })
  })
  const said = await Promise.all(
    asked.map(async (one) => {
      const headers = {
        'sec-fetch-site': 'same-origin',
        cookie: ada.cookie,
        'accept-language': language,
      }
      const answer = await app.inject({
        method: one.method,
        url: one.path.replace(':id', randomUUID()),
        headers,
      })
      return { ...one, status: answer.statusCode, body: answer.json() }
    }),
  )
  letGo()
  await held.ended
  return said
}

/** Waits until the database has answered every statement, so that every handler has ended. */
async function handlersEnded(): Promise<void> {
  const { sql } = world.context
  const busy = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state <> 'idle'`
    ).length
  for (let quiet = 0; quiet < 5; quiet += 1) await expect.poll(busy).toBe(0)
}

const late = (isReading: boolean) =>
  isReading
    ? { code: 'takes-long', message: 'This takes longer than usual. Please try again in a moment.' }
    : {
        code: 'still-under-way',
        message:
          'This takes longer than usual, and may still go through. ' +
          'Please check before you try again.',
      }

const withSession = (Object.keys(routes) as RouteName[]).filter(
  (name) => calls[name].access !== 'public',
)

test('a late answer is reported as late, once, and in no other way', async () => {
  const files = [
    plainRoutes.statement,
    plainRoutes.trades,
    plainRoutes.myData,
    plainRoutes.events,
  ].map((path) => ({ method: 'GET' as const, path, isReading: true }))
  const calls = withSession.map((name) => ({
    ...(routes[name] as Route),
    isReading: (routes[name] as Route).method === 'GET' || rowOf(name).reads === true,
  }))
  const asked = [...calls, ...files]
  const said = await whileSessionsHang(asked)
  expect(said.map(({ method, path, status, body }) => ({ method, path, status, body }))).toEqual(
    asked.map(({ method, path, isReading }) => ({
      method,
      path,
      status: 503,
      body: late(isReading),
    })),
  )
  await handlersEnded()
  expect(
    lines.filter((line) => /ALREADY_SENT|reply.sent|HEADERS_SENT|"level":50/.test(line)),
  ).toEqual([])
})

test('a late answer is in the language of the reader', async () => {
  const [said] = await whileSessionsHang([{ method: 'GET', path: routes.listBots.path }], 'de')
  expect(said?.body).toEqual({
    code: 'takes-long',
    message: 'Das dauert länger als üblich. Bitte versuche es gleich noch einmal.',
  })
})
