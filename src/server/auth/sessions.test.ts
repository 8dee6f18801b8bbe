import { randomUUID } from 'node:crypto'
import { required } from '#core/assert.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes } from '#contract/routes.ts'
import type { Session } from '#contract/auth.ts'
import { deleteExpiredSessions } from './session.ts'
import { publish } from '#server/events/bus.ts'
import {
  cookieOf,
  createWorld,
  proofRequest,
  type TestUser,
  type World,
} from '../../../test/world/world.ts'

const PASSWORD = 'correct horse battery'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
  'Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

let world: World
let ada: TestUser
let eve: TestUser
beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: 5, TRUST_PROXY: 1 } })
  ;[ada, eve] = await Promise.all([world.user('Ada'), world.user('Eve')])
})
afterAll(() => world.close())

type Asked = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  cookie?: string
  body?: object
  headers?: Record<string, string>
}

function send({ method, path, cookie = '', body, headers = SAME_ORIGIN }: Asked) {
  return world.app.inject({
    method,
    url: path,
    headers: { cookie, ...headers },
    ...(body && { payload: body }),
  })
}

let addresses = 0

/** Signs in on another device; returns its cookie, or the status if that fails. */
async function signIn(
  username: string,
  { password = PASSWORD, userAgent = '' } = {},
): Promise<string> {
  const headers = {
    ...SAME_ORIGIN,
    'user-agent': userAgent,
    'x-forwarded-for': `10.1.0.${(addresses += 1)}`,
  }
  const answer = await send({
    method: 'POST',
    path: routes.login.path,
    body: { username, password },
    headers,
  })
  return answer.statusCode === 200
    ? cookieOf(answer.headers['set-cookie'])
    : String(answer.statusCode)
}

const whoIs = async (cookie: string): Promise<number> =>
  (await send({ method: 'GET', path: routes.getUser.path, cookie })).statusCode
const sessionsOf = async (cookie: string): Promise<Session[]> =>
  (await send({ method: 'GET', path: routes.listSessions.path, cookie })).json()
const end = (id: string, cookie: string) =>
  send({ method: 'DELETE', path: routes.endSession.path.replace(':id', id), cookie })

function changePassword(cookie: string, body: object) {
  return send({ method: 'POST', path: routes.changePassword.path, cookie, body })
}

describe("a user's sessions", () => {
  test("a user's sessions are listed with the device, this one first and marked", async () => {
    const cookie = await signIn('Ada', { userAgent: IPHONE })
    const [mine, ...others] = await sessionsOf(cookie)
    expect(mine).toMatchObject({ device: 'Safari on iPhone', isCurrent: true })
    expect(others.map(({ isCurrent }) => isCurrent)).toEqual([false])
  })

  test('reveal neither the cookie nor its hash nor other columns of the table', async () => {
    const cookie = await signIn('Ada', { userAgent: IPHONE })
    const { body } = await send({ method: 'GET', path: routes.listSessions.path, cookie })
    const rows = await world.context.sql<{ hash: Buffer }[]>`select sid_hash as hash from sessions`
    const [userId, secret = ''] = cookie.slice('sid='.length).split('.')
    const secrets = [
      secret,
      ...rows.flatMap(({ hash }) =>
        ['hex', 'base64', 'base64url'].map((form) => hash.toString(form as 'hex')),
      ),
    ]
    expect(secrets.filter((secret) => body.includes(secret))).toEqual([])
    const sessions: Session[] = JSON.parse(body)
    expect(new Set(sessions.flatMap(Object.keys))).toEqual(
      new Set(['id', 'device', 'createdAt', 'lastSeenAt', 'isCurrent']),
    )
    const forged = sessions.flatMap(({ id }) => [`sid=${id}`, `sid=${userId}.${id}`])
    for (const made of forged) expect(await whoIs(made), 'the listed id signs nobody in').toBe(401)
  })

  test('show when they were last used, to within five minutes', async () => {
    const cookie = await signIn('Ada')
    const age = (minutes: number) => world.context.sql<{ lastSeenAt: Date }[]>`
      update sessions set last_seen_at = now() - ${minutes} * interval '1 minute'
       where id = ${mine?.id ?? ''} returning last_seen_at`
    const [mine] = await sessionsOf(cookie)
    const [recent] = await age(4)
    expect((await sessionsOf(cookie))[0]?.lastSeenAt).toBe(recent?.lastSeenAt.toISOString())
    const [old] = await age(6)
    const seen = (await sessionsOf(cookie))[0]?.lastSeenAt ?? ''
    expect(seen > (old?.lastSeenAt.toISOString() ?? seen)).toBe(true)
    expect(seen >= (mine?.lastSeenAt ?? '')).toBe(true)
  })

  test("a user's sessions are not listed once they have expired", async () => {
    const cookie = await signIn('Ada')
    const other = await signIn('Ada')
    const [gone] = (await sessionsOf(other)).filter(({ isCurrent }) => isCurrent)
    await world.context.sql`update sessions set expires_at = now() - interval '1 second'
        where id = ${gone?.id ?? ''}`
    expect((await sessionsOf(cookie)).map(({ id }) => id)).not.toContain(gone?.id)
  })
})

describe('ending a session', () => {
  test('signs that device out at once, and no other', async () => {
    const [here, there] = [await signIn('Ada'), await signIn('Ada')]
    const id = (await sessionsOf(there))[0]?.id ?? ''
    expect((await end(id, here)).statusCode).toBe(200)
    expect([await whoIs(here), await whoIs(there)]).toEqual([200, 401])
    expect((await end(id, here)).statusCode, 'already ended').toBe(404)
  })

  test("another user's session is answered like an unknown id, and does not end", async () => {
    const id = (await sessionsOf(ada.cookie))[0]?.id ?? ''
    const foreign = await end(id, eve.cookie)
    const unknown = await end(randomUUID(), eve.cookie)
    expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body])
    expect(await whoIs(ada.cookie)).toBe(200)
  })

  test('the end of the current session deletes its cookie', async () => {
    const cookie = await signIn('Ada')
    const gone = await end((await sessionsOf(cookie))[0]?.id ?? '', cookie)
    expect([gone.headers['set-cookie']].flat()[0]).toMatch(/^sid=; /)
    expect(await whoIs(cookie)).toBe(401)
  })

  test('all others at once keeps the current one', async () => {
    const [here, there] = [await signIn('Ada'), await signIn('Ada')]
    const before = (await sessionsOf(here)).length
    const ended = await send({ method: 'POST', path: routes.endOtherSessions.path, cookie: here })
    expect(ended.json()).toEqual({ ended: before - 1 })
    expect([await whoIs(here), await whoIs(there), await whoIs(eve.cookie)]).toEqual([
      200, 401, 200,
    ])
    expect((await sessionsOf(here)).map(({ isCurrent }) => isCurrent)).toEqual([true])
    ada = { ...ada, cookie: here }
  })

  test('needs a proof of identity, unless it is the current one or just signed in', async () => {
    const user = await world.user()
    const [here, there] = [await signIn(user.username), await signIn(user.username)]
    const [thereId = '', hereId = ''] = await Promise.all(
      [there, here].map(async (cookie) => (await sessionsOf(cookie))[0]?.id),
    )
    await world.context.sql`update sessions set created_at = created_at - interval '10 minutes'
        where user_id = ${user.id}`
    const others = { method: 'POST', path: routes.endOtherSessions.path } as const
    for (const refused of [await end(thereId, here), await send({ ...others, cookie: here })])
      expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'proof-required' }])
    expect(await whoIs(there), 'nothing has ended').toBe(200)
    const proofOf = async (body: object) =>
      (await send({ method: 'POST', path: routes.makeProof.path, cookie: here, body })).json<{
        id: string
      }>().id
    const forOne = await proofOf(proofRequest({ action: 'endSession', params: { id: thereId } }))
    expect(
      (await send({ ...others, cookie: here, headers: { ...SAME_ORIGIN, proof: forOne } }))
        .statusCode,
      'a proof for something else',
    ).toBe(403)
    const path = routes.endSession.path.replace(':id', thereId)
    expect(
      (
        await send({
          method: 'DELETE',
          path,
          cookie: here,
          headers: { ...SAME_ORIGIN, proof: forOne },
        })
      ).statusCode,
    ).toBe(200)
    expect(await whoIs(there)).toBe(401)
    expect((await end(hereId, here)).statusCode, 'the current one').toBe(200)
  })

  test('a request from another site or without a session is refused', async () => {
    const id = (await sessionsOf(ada.cookie))[0]?.id ?? ''
    const calls = [
      { method: 'DELETE', path: routes.endSession.path.replace(':id', id) },
      { method: 'POST', path: routes.endOtherSessions.path },
      {
        method: 'POST',
        path: routes.changePassword.path,
        body: { currentPassword: PASSWORD, newPassword: 'another long one' },
      },
    ] as const
    for (const asked of calls) {
      expect(
        (await send({ ...asked, cookie: ada.cookie, headers: { 'sec-fetch-site': 'cross-site' } }))
          .statusCode,
      ).toBe(403)
      expect((await send(asked)).statusCode).toBe(401)
    }
    expect(await whoIs(ada.cookie)).toBe(200)
  })

  test('ends its event stream, and other streams continue', async () => {
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    const origin = world.app.listeningOrigin
    const user = await world.user()
    const there = await signIn(user.username)
    const open = (cookie: string) => fetch(origin + plainRoutes.events, { headers: { cookie } })
    const [mine, foreign] = [await open(there), await open(eve.cookie)]
    await end((await sessionsOf(there))[0]?.id ?? '', user.cookie)
    for await (const chunk of mine.body ?? [])
      expect(new TextDecoder().decode(chunk)).not.toContain('event: sessions')
    const reader = foreign.body?.getReader()
    await publish(world.context.sql, { name: 'balance', userIds: [eve.id] })
    let heard = ''
    while (!heard.includes('event: balance')) {
      const { done, value } = required(await reader?.read(), 'the stream was opened')
      expect(done, `the other stream ended after: ${heard}`).toBe(false)
      heard += new TextDecoder().decode(value)
    }
    await reader?.cancel()
  })
})

describe('changing the password', () => {
  const next = 'a new long password'

  test('requires the current one', async () => {
    const user = await world.user()
    const answer = await changePassword(user.cookie, {
      currentPassword: 'not the password',
      newPassword: next,
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { code: 'wrong-password', field: 'currentPassword' },
    ])
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await signIn(user.username)).toMatch(/^sid=/)
  })

  test('this device gets a new session, and all previous ones end', async () => {
    const user = await world.user()
    const there = await signIn(user.username)
    const answer = await changePassword(user.cookie, {
      currentPassword: PASSWORD,
      newPassword: next,
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, {}])
    const rotated = cookieOf(answer.headers['set-cookie'])
    expect([await whoIs(rotated), await whoIs(user.cookie), await whoIs(there)]).toEqual([
      200, 401, 401,
    ])
    expect((await sessionsOf(rotated)).length).toBe(1)
    expect(await signIn(user.username)).toBe('401')
    expect(await signIn(user.username, { password: next })).toMatch(/^sid=/)
  })

  test.each([
    ['short', { status: 400, field: 'newPassword' }],
    ['x'.repeat(101), { status: 400, field: 'newPassword' }],
    ['letmein', { status: 422, field: 'newPassword' }],
    [PASSWORD, { status: 400, field: 'newPassword' }],
  ])(
    'refuses %j, with the rules of sign-up; the new password must also differ',
    async (newPassword, { status, field }) => {
      const user = await world.user()
      const answer = await changePassword(user.cookie, { currentPassword: PASSWORD, newPassword })
      expect([answer.statusCode, answer.json<{ field: string }>().field]).toEqual([status, field])
      expect(await whoIs(user.cookie)).toBe(200)
    },
  )

  test("refuses the user's own name", async () => {
    const user = await world.user('Grace.Hopper')
    expect(
      (
        await changePassword(user.cookie, {
          currentPassword: PASSWORD,
          newPassword: 'grace.hopper',
        })
      ).statusCode,
    ).toBe(422)
  })

  test('counts wrong guesses per account, and then refuses the right password too', async () => {
    const user = await world.user()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push(
        (
          await changePassword(user.cookie, {
            currentPassword: `wrong guess ${attempt}`,
            newPassword: next,
          })
        ).statusCode,
      )
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect(
      (await changePassword(user.cookie, { currentPassword: PASSWORD, newPassword: next }))
        .statusCode,
    ).toBe(429)
  })

  test('succeeds once if sent twice; sign-ins with the old password end', async () => {
    const user = await world.user()
    const change = (newPassword: string) =>
      changePassword(user.cookie, { currentPassword: PASSWORD, newPassword })
    const [answers, cookies] = await Promise.all([
      Promise.all([change('the first of two'), change('the second of two')]),
      Promise.all(Array.from({ length: 3 }, () => signIn(user.username))),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(1)
    expect(
      await Promise.all(cookies.map((cookie) => (cookie.startsWith('sid=') ? whoIs(cookie) : 401))),
    ).toEqual([401, 401, 401])
  })

  test('refuses a concurrent sign-in with the old password', async () => {
    const user = await world.user()
    const { sql } = world.context
    const waits = async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'`
      ).length
    let answer: Promise<string> | undefined
    await sql.begin('', async (change) => {
      await change`update users set password = password || ' changed' where id = ${user.id}`
      const asked = signIn(user.username)
      answer = asked
      const isThrough = asked.then(() => 1)
      await expect.poll(() => Promise.race([isThrough, waits()])).toBe(1)
    })
    expect(await answer).toBe('401')
  })

  test('leaves an audit event without a secret', async () => {
    const user = await world.user()
    await changePassword(user.cookie, { currentPassword: PASSWORD, newPassword: next })
    const rows = await world.context
      .sql`select actor, action, subject, details from audit_events where subject = ${user.id}`
    const changes = rows
      .filter(({ action }) => action === 'password.change')
      .map((row) => ({ ...row }))
    expect(changes).toEqual([
      { actor: `user:${user.id}`, action: 'password.change', subject: user.id, details: {} },
    ])
    expect(
      rows.filter((row) => [PASSWORD, next].some((secret) => JSON.stringify(row).includes(secret))),
    ).toEqual([])
  })
})

describe("a user's name", () => {
  const rename = (user: TestUser, body: object) => user.ask('updateUser', { body })

  test('only its owner changes a name; the audit event does not contain the names', async () => {
    const user = await world.user()
    const { status, body } = await rename(user, { firstName: ' Zoe\u0308 ', lastName: "O'Brien" })
    expect([status, body]).toMatchObject([
      200,
      { firstName: 'Zo\u00eb', lastName: "O'Brien", username: user.username },
    ])
    expect(await user.call('getUser')).toMatchObject({ firstName: 'Zo\u00eb', lastName: "O'Brien" })
    const [event] = await world.context.sql<
      { details: object }[]
    >`select details from audit_events where action = 'user.rename' and subject = ${user.id}`
    expect(event?.details).toEqual({})
  })

  test.each([
    [{ firstName: '', lastName: 'B' }, 'firstName'],
    [{ firstName: 'A', lastName: ' ' }, 'lastName'],
    [{ firstName: 'A'.repeat(51), lastName: 'B' }, 'firstName'],
    [{ firstName: 'A' }, 'lastName'],
  ])('%j is refused and names the field', async (body, field) =>
    expect(await rename(await world.user(), body)).toMatchObject({ status: 400, body: { field } }),
  )

  test('a name is changed only with a sign-in, and by no other site', async () => {
    const body = { firstName: 'A', lastName: 'B' }
    expect((await rename(world.stranger(), body)).status).toBe(401)
    const answer = await world.app.inject({
      method: 'PATCH',
      url: routes.updateUser.path,
      payload: body,
      headers: { cookie: ada.cookie, 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.statusCode).toBe(403)
  })
})

describe('a session that is not used', () => {
  test('ends after fourteen days without a call, and is deleted by the job', async () => {
    const user = await world.user()
    const other = await signIn(user.username)
    const idle = (days: number) =>
      world.context.sql`update sessions set last_seen_at = now() - ${days} * interval '1 day'
          where user_id = ${user.id} and id <> ${here?.id ?? ''}`
    const [here] = await sessionsOf(other)
    await idle(13.9)
    expect(await whoIs(user.cookie), 'and is used again').toBe(200)
    await idle(14.1)
    expect([await whoIs(user.cookie), (await sessionsOf(other)).map(({ id }) => id)]).toEqual([
      401,
      [here?.id],
    ])
    await deleteExpiredSessions(world.context)
    const [row] = await world.context.sql<
      { count: number }[]
    >`select count(*)::integer as count from sessions where user_id = ${user.id}`
    expect(row?.count).toBe(1)
  })

  test('ends at the twenty-first sign-in if it is the least recently used', async () => {
    const user = await world.user()
    const cookies = [user.cookie]
    for (let count = 1; count < 20; count += 1) cookies.push(await signIn(user.username))
    await world.context
      .sql`update sessions set last_seen_at = now() - interval '1 hour' where user_id = ${user.id}
        and id = ${(await sessionsOf(cookies[7] ?? ''))[0]?.id ?? ''}`
    const last = await signIn(user.username)
    expect(await Promise.all(cookies.map(whoIs))).toEqual(
      cookies.map((_cookie, index) => (index === 7 ? 401 : 200)),
    )
    expect(await sessionsOf(last)).toHaveLength(20)
  })
})

describe('the sign-in history', () => {
  const historyOf = (user: TestUser) => user.call('listSignIns')

  test('shows sign-ins and refused attempts, newest first, without addresses', async () => {
    const user = await world.user()
    expect(await historyOf(user), 'signing up signs in').toHaveLength(1)
    await signIn(user.username, { userAgent: IPHONE })
    expect(await signIn(user.username.toUpperCase(), { password: 'not the password' })).toBe('401')
    expect(await historyOf(user)).toHaveLength(3)
    const [refused, done] = await historyOf(user)
    expect([refused, done]).toMatchObject([
      { outcome: 'refused', device: 'Unknown device' },
      { outcome: 'signed-in', device: 'Safari on iPhone' },
    ])
    const rows = await world.context.sql<
      { actor: string; details: Record<string, string> }[]
    >`select actor, details from audit_events where subject = ${user.id} order by created_at`
    expect(rows.map(({ actor }) => actor)).toEqual([
      ...Array.from({ length: 3 }, () => `user:${user.id}`),
      'stranger',
    ])
    expect(JSON.stringify(rows)).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  })

  test("lists only the user's own", async () => {
    const [user, other] = [await world.user(), await world.user()]
    await signIn(user.username)
    expect([
      (await historyOf(user)).length,
      (await historyOf(other)).length,
      (await world.stranger().ask('listSignIns')).status,
    ]).toEqual([2, 1, 401])
  })

  test('an unknown name is not stored and has no row in the history', async () => {
    expect(await signIn('nobody-of-that-name')).toBe('401')
    const rows = await world.context.sql<
      { row: string }[]
    >`select to_jsonb(e)::text as row from audit_events e where action = 'sign-in.refused'
      and subject = 'nobody'`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ row }) => row).join()).not.toContain('nobody-of-that-name')
  })
})
