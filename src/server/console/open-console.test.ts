import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/problem.ts'
import { openConsole } from './open-console.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import {
  codeOf,
  OPERATOR_PASSWORD,
  signInAs,
  type TestOperator,
} from '../../../test/world/operators.ts'
import { resetThrottles } from '../../../test/world/reset-throttles.ts'
import { cookieOf, createWorld, type TestUser, type World } from '../../../test/world/world.ts'

const TOKEN = 'a-token-of-thirty-two-characters'

let world: World
let pages: FastifyInstance
let nowMs: number
let paula: TestOperator
let linus: TestOperator
let sue: TestOperator
let audrey: TestOperator
let ada: TestUser

beforeAll(async () => {
  nowMs = Date.now()
  world = await createWorld({
    config: { PAYOUTS: 'bank-file', LOGIN_ATTEMPTS: 5, MONITOR_TOKEN: TOKEN },
    context: { now: () => new Date(nowMs) },
  })
  pages = await openConsole(world.context, world.app)
  paula = await signInAs(world.context, { name: 'Paula', roles: ['payouts'] })
  linus = await signInAs(world.context, { name: 'Linus', roles: ['payouts'] })
  sue = await signInAs(world.context, { name: 'Sue', roles: ['support'] })
  audrey = await signInAs(world.context, { name: 'Audrey', roles: ['auditor'] })
  ada = await world.user('bada')
  await ada.deposit('5000')
  await ada.addBankAccount()
})
beforeEach(() => {
  nowMs += 120_000
})
afterAll(async () => {
  await pages.close()
  await world.close()
})

type Sent = { fields?: Record<string, string>; headers?: Record<string, string> }

const get = (url: string, cookie = '') => pages.inject({ url, headers: { cookie } })
const post = (url: string, { fields = {}, headers = {} }: Sent = {}) =>
  pages.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  })

async function enter({ name, secret }: TestOperator, changes: Record<string, string> = {}) {
  return post('/sign-in', {
    fields: {
      name,
      password: OPERATOR_PASSWORD,
      code: codeOf(secret, { at: world.context.now() }),
      ...changes,
    },
  })
}

/** A browser that is signed in, and the token of its forms. */
async function browse(who: TestOperator): Promise<{ cookie: string; token: string }> {
  const answer = await enter(who)
  const cookie = cookieOf(answer.headers['set-cookie'])
  const page = await pages.inject({ url: answer.headers.location ?? '/', headers: { cookie } })
  const { body } = page.statusCode === 303 ? await get(page.headers.location ?? '/', cookie) : page
  return { cookie, token: /name="token" value="([\w-]+)"/.exec(body)?.[1] ?? '' }
}
const act = (
  { cookie, token }: { cookie: string; token: string },
  url: string,
  fields: Record<string, string> = {},
) => post(url, { fields: { token, ...fields }, headers: { cookie } })
const request = async (amount: string) =>
  (await ada.call('requestWithdrawal', { body: { amount } })).id
const stateOf = async (id: string) =>
  (
    await world.context.sql<
      { state: string }[]
    >`select state from withdrawal_requests where id = ${id}`
  )[0]?.state

test('without a session every page leads to the sign-in, and every action is refused', async () => {
  for (const url of ['/', '/withdrawals', '/users?name=ada', '/audit'])
    expect([(await get(url)).statusCode, (await get(url)).headers.location]).toEqual([
      303,
      '/sign-in',
    ])
  const id = await request('20')
  for (const url of [
    `/withdrawals/${id}/approve`,
    `/withdrawals/${id}/reject`,
    `/users/${ada.username}/freeze`,
    `/users/${ada.username}/end-sessions`,
  ]) {
    expect([url, (await post(url)).statusCode]).toEqual([url, 401])
  }
  expect(await stateOf(id)).toBe('pending')
})

test('an operator signs in with password and code; the cookie is strict and HttpOnly', async () => {
  expect((await enter(sue, { password: 'wrong' })).statusCode).toBe(401)
  const answer = await enter(sue)
  expect(answer.headers['set-cookie']).toMatch(
    /^operator=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  expect((await get('/sign-in')).headers['content-security-policy']).toBe(
    "default-src 'none';style-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  )
  const proxied = await createWorld({ config: { TRUST_PROXY: 1 } })
  const behindProxy = await openConsole(proxied.context, proxied.app)
  const { secret } = await signInAs(proxied.context, { name: 'Sue', roles: ['support'] })
  const tls = await behindProxy.inject({
    method: 'POST',
    url: '/sign-in',
    payload: new URLSearchParams({
      name: 'Sue',
      password: OPERATOR_PASSWORD,
      code: codeOf(secret, { periods: 1 }),
    }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-proto': 'https',
    },
  })
  expect(tls.headers['set-cookie']).toMatch(
    /^__Host-operator=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  await behindProxy.close()
  await proxied.close()
})

test('wrong attempts are counted, and the refusal states the time to wait', async () => {
  for (let times = 0; times < 5; times += 1) await enter(audrey, { code: '000000' })
  const refused = await enter(audrey)
  expect([refused.statusCode, refused.body]).toEqual([
    429,
    expect.stringContaining('Too many attempts. Please try again in '),
  ])
  await resetThrottles(world.context.sql)
})

test('above the limit two people must approve; below it one approves or rejects', async () => {
  const [big, small, wrong] = [await request('2000'), await request('30'), await request('40')]
  const first = await browse(paula)
  const second = await browse(linus)
  expect((await get('/withdrawals', first.cookie)).body).toContain('$2,000.00 to bada')
  expect(
    (await act(first, `/withdrawals/${big}/approve`, { note: 'called the user' })).headers.location,
  ).toBe('/withdrawals?done=first-approval')
  expect((await act(first, `/withdrawals/${big}/approve`)).headers.location).toBe(
    '/withdrawals?done=first-approval',
  )
  expect(await stateOf(big)).toBe('in_review')
  expect((await act(second, `/withdrawals/${big}/approve`)).headers.location).toBe(
    '/withdrawals?done=approved',
  )
  expect((await act(first, `/withdrawals/${small}/approve`)).headers.location).toBe(
    '/withdrawals?done=approved',
  )
  expect((await act(second, `/withdrawals/${wrong}/reject`)).headers.location).toBe(
    '/withdrawals?done=rejected',
  )
  expect(await Promise.all([big, small, wrong].map(stateOf))).toEqual([
    'approved',
    'approved',
    'rejected',
  ])
  expect((await get('/withdrawals?done=first-approval', first.cookie)).body).toContain(
    'A second person must approve this withdrawal too.',
  )
  expect((await get('/withdrawals?done=Call+me', first.cookie)).body).not.toContain('Call me')
  const events = await world.context.sql<
    { actor: string; action: string }[]
  >`select actor, action from audit_events where subject = ${big} and actor like 'operator:%'
    order by created_at, id`
  expect(events[0]).toEqual({ actor: 'operator:Paula', action: 'withdrawal.first-approval' })
  expect(events.at(-1)).toEqual({ actor: 'operator:Linus', action: 'withdrawal.approve' })
})

test('a form of another site, or without our token, changes nothing', async () => {
  const id = await request('50')
  const visit = await browse(paula)
  const other = await browse(linus)
  expect(
    (
      await post(`/withdrawals/${id}/approve`, {
        fields: { token: visit.token },
        headers: { cookie: visit.cookie, 'sec-fetch-site': 'cross-site' },
      })
    ).statusCode,
  ).toBe(403)
  for (const token of ['', 'x', other.token])
    expect((await act({ ...visit, token }, `/withdrawals/${id}/approve`)).statusCode).toBe(403)
  expect(await stateOf(id)).toBe('pending')
  expect((await act(visit, `/withdrawals/${id}/reject`)).statusCode).toBe(303)
})

test('support finds, freezes, unfreezes and signs out a user', async () => {
  const visit = await browse(sue)
  const page = await get(`/users?name=${ada.username}`, visit.cookie)
  expect(page.body).toContain(ada.id)
  expect(
    (await act(visit, `/users/${ada.username}/freeze`, { reason: '<script>alert(1)</script>' }))
      .headers.location,
  ).toBe(`/users?name=${ada.username}&done=frozen`)
  const frozen = await get(`/users?name=${ada.username}&done=frozen`, visit.cookie)
  expect(frozen.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(frozen.body).not.toContain('<script')
  expect((await ada.ask('createBot', { body: {} })).status).toBe(403)
  await act(visit, `/users/${ada.username}/unfreeze`)
  expect((await ada.ask('createBot', { body: {} })).status).toBe(400)
  expect((await act(visit, `/users/${ada.username}/freeze`)).statusCode).toBe(400)
  expect((await get('/users?name=nobody', visit.cookie)).statusCode).toBe(404)
})

test('pages and actions follow the roles', async () => {
  const [support, auditor] = [await browse(sue), await browse(audrey)]
  const id = await request('60')
  expect((await get('/withdrawals', support.cookie)).body).not.toContain('/approve')
  expect((await act(support, `/withdrawals/${id}/approve`)).statusCode).toBe(403)
  expect((await get('/audit', support.cookie)).statusCode).toBe(403)
  expect((await get('/audit', auditor.cookie)).body).toContain('operator.refuse')
  expect((await get(`/users?name=${ada.username}`, auditor.cookie)).body).not.toContain('/freeze')
  expect((await act(auditor, `/users/${ada.username}/freeze`, { reason: 'why' })).statusCode).toBe(
    403,
  )
  expect(await stateOf(id)).toBe('pending')
})

test('NUL in any field or part of an address is refused, and breaks nothing', async () => {
  const visit = await browse(paula)
  const id = await request('30')
  const attempts = [
    ...[{ name: 'Sue\0' }, { password: 'x\0' }, { code: '\0' }].map((fields) => enter(sue, fields)),
    act(visit, `/withdrawals/${id}/approve`, { note: 'a\0b' }),
    act(visit, `/withdrawals/${id}/reject`, { note: '\0' }),
    act(visit, '/withdrawals/%00/approve'),
    act(visit, `/users/${ada.username}/freeze`, { reason: 'a\0' }),
    act(visit, '/users/a%00/freeze', { reason: 'a' }),
    act(visit, `/users/${ada.username}/release-holds`, { reason: 'a\0' }),
    act(visit, '/users/%00/end-sessions'),
    ...[
      '/users?name=%00',
      '/users?name=a%00b',
      '/audit?subject=%00',
      '/withdrawals?done=%00',
      '/users?%00=a',
      '/%00',
      '/users/%00',
      '/users?name=%ff',
      '/users?name=%ed%a0%80',
    ].map((url) => get(url, visit.cookie)),
  ]
  const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(await stateOf(id)).toBe('pending')
})

test('a waiting withdrawal shows until when and why; no approval counts meanwhile', async () => {
  const id = await request('2000')
  await world.context.sql`insert into withdrawal_holds (user_id, id, reason, until)
      values (${ada.id}, gen_random_uuid(), 'password-changed', now() + interval '1 day')`
  const [visit, second] = [await browse(paula), await browse(linus)]
  const page = (await get('/withdrawals', visit.cookie)).body
  expect(page).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d UTC: the password was changed/)
  expect(
    (await withdrawalsCommand(paula.context, ['list'])).lines.find((line) => line.startsWith(id)),
  ).toMatch(/waits: until .* UTC: the password was changed/)
  for (const one of [visit, second])
    expect((await act(one, `/withdrawals/${id}/approve`)).statusCode).toBe(409)
  await expect(withdrawalsCommand(paula.context, ['approve', id])).rejects.toThrow(
    'withdrawals-waiting',
  )
  expect(
    await world.context.sql`select from withdrawal_approvals where withdrawal_id = ${id}`,
  ).toEqual([])
  await world.context.sql`insert into withdrawal_holds (user_id, id, reason)
      values (${ada.id}, gen_random_uuid(), 'disowned')`
  expect((await get('/withdrawals', visit.cookie)).body).toMatch(
    /until the owner sets a new password by mail/,
  )
  await world.context.sql`update withdrawal_holds set lifted_at = now() where user_id = ${ada.id}`
  expect((await get('/withdrawals', visit.cookie)).body).not.toContain('the password was changed')
  expect((await act(visit, `/withdrawals/${id}/approve`)).headers.location).toBe(
    '/withdrawals?done=first-approval',
  )
  expect((await act(second, `/withdrawals/${id}/approve`)).headers.location).toBe(
    '/withdrawals?done=approved',
  )
})

test('two operators for payouts release the holds of a user, support cannot', async () => {
  await world.context.sql`insert into withdrawal_holds (user_id, id, reason, until)
      values (${ada.id}, gen_random_uuid(), 'password-changed', now() + interval '1 day')`
  const [support, visit] = [await browse(sue), await browse(paula)]
  const page = `/users?name=${ada.username}`
  expect((await get(page, support.cookie)).body).toMatch(
    /Withdrawals wait.*until .*password-changed/s,
  )
  expect((await get(page, support.cookie)).body).not.toContain('/release-holds')
  expect(
    (await act(support, `/users/${ada.username}/release-holds`, { reason: 'why' })).statusCode,
  ).toBe(403)
  expect((await get(page, visit.cookie)).body).toContain(`/users/${ada.username}/release-holds`)
  expect((await act(visit, `/users/${ada.username}/release-holds`)).statusCode).toBe(400)
  expect(
    (await act(visit, `/users/${ada.username}/release-holds`, { reason: 'called back' })).headers
      .location,
  ).toBe(`/users?name=${ada.username}&done=first-release`)
  expect((await get(page, visit.cookie)).body).toContain('Withdrawals wait')
  const second = await browse(linus)
  expect(
    (await act(second, `/users/${ada.username}/release-holds`, { reason: 'called back' })).headers
      .location,
  ).toBe(`/users?name=${ada.username}&done=holds-released`)
  expect((await get(page, visit.cookie)).body).not.toContain('Withdrawals wait')
})

test('refusals are in the audit trail too', async () => {
  const visit = await browse(paula)
  const id = await request('70')
  await act(visit, `/withdrawals/${id}/reject`)
  expect((await act(visit, `/withdrawals/${id}/approve`)).statusCode).toBe(409)
  const [event] = await world.context
    .sql`select actor, details from audit_events where action = 'page.refused'
      order by created_at desc limit 1`
  expect(event).toEqual({
    actor: 'operator:Paula',
    details: {
      page: 'POST /withdrawals/:id/approve',
      id,
      reason: PROBLEMS['withdrawal-state'].message,
    },
  })
})

test("metrics and the API's description are served only on localhost or by token", async () => {
  expect((await get('/health')).json()).toMatchObject({
    alive: true,
    database: 'ok',
    book: 'paper',
  })
  expect((await get('/metrics')).body).toContain('http_request_duration_seconds')
  expect((await get('/api/docs')).json()).toHaveProperty('openapi')
  const elsewhere = (url: string, headers = {}) =>
    pages.inject({ url, remoteAddress: '10.1.2.3', headers })
  expect(Object.keys((await elsewhere('/health')).json<object>())).toEqual(['alive', 'database'])
  expect([
    (await elsewhere('/metrics')).statusCode,
    (await elsewhere('/metrics', { authorization: 'Bearer wrong' })).statusCode,
  ]).toEqual([404, 404])
  const passedOn = await pages.inject({
    url: '/metrics',
    headers: { 'x-forwarded-for': '10.1.2.3' },
  })
  expect(passedOn.statusCode).toBe(404)
  expect((await elsewhere('/metrics', { authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200)
})

test('after signing out the session is invalid', async () => {
  const visit = await browse(sue)
  expect((await get('/withdrawals', visit.cookie)).statusCode).toBe(200)
  expect((await act(visit, '/sign-out')).headers.location).toBe('/sign-in')
  expect((await get('/withdrawals', visit.cookie)).statusCode).toBe(303)
})

test('an unknown path, another kind of body and a long one are refused with a page', async () => {
  const visit = await browse(sue)
  expect((await get('/nowhere', visit.cookie)).statusCode).toBe(404)
  expect(
    (
      await pages.inject({
        method: 'POST',
        url: '/sign-in',
        payload: { name: 'Sue' },
        headers: { 'sec-fetch-site': 'same-origin' },
      })
    ).statusCode,
  ).toBe(400)
  expect((await post('/sign-in', { fields: { name: 'x'.repeat(9_000) } })).statusCode).toBe(400)
})
