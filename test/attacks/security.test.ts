import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type RouteName } from '#contract/routes.ts'
import { sealAccount } from '#server/security/account-seal.ts'
import { openServer } from '#server/server.ts'
import { BANK_ACCOUNT, cookieOf, createWorld, type TestUser, type World } from '../world/world.ts'

const PASSWORD = 'correct horse battery'
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

let world: World
let ada: TestUser
beforeAll(async () => {
  world = await createWorld({ config: { TRUST_PROXY: 1 } })
  ada = await world.user('Ada')
})
afterAll(() => world.close())

let addresses = 0
/** A new IP address for each caller by default, because throttles count by address. */
const freshAddress = (): string => `10.0.${(addresses += 1) >> 8}.${addresses & 255}`

type Login = {
  username?: string
  password?: string
  headers?: Record<string, string>
  address?: string
}

async function login({
  username = 'ada',
  password = PASSWORD,
  headers = {},
  address = freshAddress(),
}: Login = {}) {
  const payload = { username, password }
  return world.app.inject({
    method: 'POST',
    url: routes.login.path,
    payload,
    headers: { ...SAME_ORIGIN, 'x-forwarded-for': address, ...headers },
  })
}

async function whoIs(cookie: string): Promise<number> {
  return (await world.app.inject({ url: routes.getUser.path, headers: { cookie } })).statusCode
}

async function signup(body: Record<string, unknown>) {
  const payload = { password: PASSWORD, firstName: 'A', lastName: 'B', ...body }
  const headers = { ...SAME_ORIGIN, 'x-forwarded-for': freshAddress() }
  return world.app.inject({ method: 'POST', url: routes.signup.path, payload, headers })
}

const hashOfSession = ({ userId, secret }: { userId: string; secret: string }): Buffer =>
  createHmac('sha256', world.context.config.SESSION_SECRET)
    .update(`session ${userId} ${secret}`)
    .digest()

function sidOf(cookie: string): { userId: string; secret: string } {
  const [userId = '', secret = ''] = cookie.slice('sid='.length).split('.')
  return { userId, secret }
}

describe('a session', () => {
  test('a session is in a cookie that scripts cannot read and other sites cannot use', async () => {
    const [plain] = [(await login()).headers['set-cookie']].flat()
    expect(plain).toMatch(/^sid=[0-9a-f-]{36}\.[\w-]{43}; /)
    expect(plain?.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ])
    const forged = [
      (await login({ headers: { 'x-forwarded-proto': 'https' } })).headers['set-cookie'],
    ].flat()
    expect(forged[0], 'a header changes nothing').toBe(forged[0]?.replace('; Secure', ''))
  })

  test('over TLS, the session cookie is Secure and has the `__Host-` prefix', async () => {
    const app = await openServer(
      { ...world.context, config: { ...world.context.config, PUBLIC_URL: 'https://bots.example' } },
      { pages: '/nonexistent' },
    )
    const headers = { ...SAME_ORIGIN, host: 'bots.example', 'x-forwarded-for': freshAddress() }
    const answer = await app.inject({
      method: 'POST',
      url: routes.login.path,
      payload: { username: 'ada', password: PASSWORD },
      headers,
    })
    const cookies = [answer.headers['set-cookie']].flat().map(String)
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-sid',
      '__Host-kept',
      '__Host-device',
    ])
    const attributes = (cookie = '') => cookie.split('; ').slice(1).toSorted()
    for (const cookie of [cookies[0], cookies[2]])
      expect(attributes(cookie)).toEqual([
        'HttpOnly',
        expect.stringMatching(/^Max-Age=/),
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ])
    expect(attributes(cookies[1]), 'scripts read the key').toEqual([
      expect.stringMatching(/^Max-Age=/),
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ])
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    const cookie = cookieOf(answer.headers['set-cookie'])
    const asked = (given: string) =>
      app.inject({ url: routes.getUser.path, headers: { host: 'bots.example', cookie: given } })
    expect([
      (await asked(cookie)).statusCode,
      (await asked(cookie.replace('__Host-', ''))).statusCode,
    ]).toEqual([200, 401])
    await app.close()
  })

  test('a session is stored only as a hash: its secret is in no table', async () => {
    const { userId, secret } = sidOf(cookieOf((await login()).headers['set-cookie']))
    const rows = await world.context.sql<
      { hash: string }[]
    >`select encode(sid_hash, 'hex') as hash from sessions where user_id = ${userId}`
    expect(rows.map(({ hash }) => hash)).toContain(
      hashOfSession({ userId, secret }).toString('hex'),
    )
    expect(
      rows.map(({ hash }) => hash),
      'a plain hash could be written by anybody',
    ).not.toContain(createHash('sha256').update(secret).digest('hex'))
    expect(await columnsWith(secret)).toEqual([])
  })

  test('a changed session signs nobody in: another user id or any altered part', async () => {
    const cookie = cookieOf((await login()).headers['set-cookie'])
    const { userId, secret } = sidOf(cookie)
    const other = sidOf(
      cookieOf((await signup({ username: 'session-other' })).headers['set-cookie']),
    )
    const changed = `${secret.slice(0, -2)}${secret.endsWith('AA') ? 'BA' : 'AA'}`
    const forged = [
      `${other.userId}.${secret}`,
      `${userId}.${other.secret}`,
      `${userId}.${changed}`,
      `${userId}.${randomBytes(32).toString('base64url')}`,
      `${userId}.`,
      userId,
      `.${secret}`,
      secret,
      `${userId}.${secret}.`,
      `${userId}.${secret}.${secret}`,
      `${userId.toUpperCase()}.${secret}`,
      `${userId}.${secret}x`,
      `${userId}%00.${secret}`,
      `00000000-0000-0000-0000-000000000000.${secret}`,
      `${userId}.${createHash('sha256').update(secret).digest('base64url')}`,
    ]
    expect(await Promise.all(forged.map((text) => whoIs(`sid=${text}`)))).toEqual(
      forged.map(() => 401),
    )
    expect(await whoIs(cookie)).toBe(200)
  })

  test('gets a new id at every sign-in, and the previous one becomes invalid', async () => {
    const first = cookieOf((await login()).headers['set-cookie'])
    const second = cookieOf((await login({ headers: { cookie: first } })).headers['set-cookie'])
    expect(second).not.toBe(first)
    expect([await whoIs(first), await whoIs(second)]).toEqual([401, 200])
    const planted = cookieOf(
      (await login({ headers: { cookie: 'sid=planted' } })).headers['set-cookie'],
    )
    expect(planted).not.toBe('sid=planted')
  })

  test("signing out invalidates the session, while the user's others stay valid", async () => {
    const [one, other] = [
      cookieOf((await login()).headers['set-cookie']),
      cookieOf((await login()).headers['set-cookie']),
    ]
    const gone = await world.app.inject({
      method: 'POST',
      url: routes.logout.path,
      headers: { ...SAME_ORIGIN, cookie: one },
    })
    expect(gone.statusCode).toBe(200)
    const [sid, kept] = [gone.headers['set-cookie']].flat()
    expect(sid).toMatch(/^sid=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/)
    expect(kept, 'the key of what the browser keeps').toMatch(
      /^kept=; .*(Max-Age=0|Expires=Thu, 01 Jan 1970)/,
    )
    expect(gone.headers['clear-site-data']).toBe('"cache"')
    expect([await whoIs(one), await whoIs(other)]).toEqual([401, 200])
  })

  test('a session is invalid once it has expired', async () => {
    const cookie = cookieOf((await login()).headers['set-cookie'])
    const hash = hashOfSession(sidOf(cookie))
    expect(await whoIs(cookie)).toBe(200)
    await world.context
      .sql`update sessions set expires_at = now() - interval '1 second' where sid_hash = ${hash}`
    expect(await whoIs(cookie)).toBe(401)
  })
})

describe('signing in', () => {
  test('answers an unknown name and a wrong password alike', async () => {
    const wrong = await login({ password: 'not the password' })
    const unknown = await login({ username: 'nobody-here', password: 'not the password' })
    expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body])
    expect(unknown.statusCode).toBe(401)
    expect(Object.keys(wrong.headers).sort()).toEqual(Object.keys(unknown.headers).sort())
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })
})

describe('a password', () => {
  test.each(['password', 'PASSWORD', '123456', 'qwerty123', 'letmein'])(
    '%s is too common to sign up with',
    async (password) => {
      const answer = await signup({ username: 'common', password })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { code: 'common-password', field: 'password' },
      ])
    },
  )

  test.each(['starwars77', 'Summer2010', 'coffee42'])(
    '%s is known from breaches',
    async (password) => {
      const answer = await signup({ username: 'breached', password })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        422,
        { code: 'breached-password', field: 'password' },
      ])
    },
  )

  test.each([
    ['Dragon', 'common-password'],
    ['Starwars77', 'breached-password'],
  ])('a password cannot be changed to %s', async (newPassword, code) => {
    const changed = await ada.ask('changePassword', {
      body: { currentPassword: PASSWORD, newPassword },
    })
    expect(changed).toMatchObject({ status: 422, body: { code, field: 'newPassword' } })
  })

  test("may not be the user's own name", async () => {
    expect((await signup({ username: 'Grace.Hopper', password: 'grace.hopper' })).statusCode).toBe(
      422,
    )
  })

  test('passwords are hashed with argon2id; neither they nor hashes leave the server', async () => {
    const [row] = await world.context.sql<
      { password: string }[]
    >`select password from users where id = ${ada.id}`
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await columnsWith(PASSWORD)).toEqual([])
    const answers = [
      await login(),
      await signup({ username: 'leaky' }),
      await world.app.inject({ url: routes.getUser.path, headers: { cookie: ada.cookie } }),
    ]
    for (const { body } of answers) {
      expect(body).not.toMatch(/argon2|password|sid_hash/i)
      expect(body).not.toContain(PASSWORD)
    }
  })
})

test('a hash with older parameters is replaced at the next sign-in', async () => {
  const user = await world.user()
  const stored = async () =>
    (
      await world.context.sql<
        { password: string }[]
      >`select password from users where id = ${user.id}`
    )[0]?.password ?? ''
  const former = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await world.context.sql`update users set password = ${former} where id = ${user.id}`
  await sealAccount(world.context, user.id)
  expect((await login({ username: user.username, password: 'not the password' })).statusCode).toBe(
    401,
  )
  expect(await stored()).toBe(former)
  const cookie = cookieOf((await login({ username: user.username })).headers['set-cookie'])
  const renewed = await stored()
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect([await whoIs(cookie), (await login({ username: user.username })).statusCode]).toEqual([
    200, 200,
  ])
  expect(await stored(), 'once').toBe(renewed)
})

describe('a username', () => {
  test('belongs to one user, in any spelling, even if many sign up concurrently', async () => {
    const names = ['Racer', 'racer', 'RACER', 'ＲＡＣＥＲ', 'rAcEr', 'Racer', 'racer', 'RACER']
    const answers = await Promise.all(names.map((username) => signup({ username })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      201,
      ...names.slice(1).map(() => 409),
    ])
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect(new Set(refused.map(({ body }) => body)).size).toBe(1)
    const [row] = await world.context.sql<{ users: bigint; accounts: bigint }[]>`
      select count(distinct u.id) as users, count(a.id) as accounts 
        from usernames n join users u on u.id = n.user_id left join ledger_accounts a
             on a.user_id = u.id where n.username_key = 'racer'`
    expect(row).toEqual({ users: 1n, accounts: 3n })
  })

  test.each(['аda', 'a da', 'ada\u200b', 'ada\u0000', '<b>ada</b>', '../ada', 'ada@home'])(
    '%j, which could imitate another name, is refused',
    async (username) => {
      const answer = await signup({ username })
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { field: 'username' }])
    },
  )
})

describe('a page', () => {
  test('pages have a strict content policy, no frames, and no markup from a name', async () => {
    const pages = await mkdtemp(join(tmpdir(), 'pages-'))
    await writeFile(join(pages, 'index.html'), '<!doctype html><body><div id="root"></div></body>')
    const app = await openServer(world.context, { pages })
    const joined = await signup({
      username: 'markup',
      firstName: '</script><script>alert(1)</script>',
    })
    const page = await app.inject({
      url: '/',
      headers: { cookie: cookieOf(joined.headers['set-cookie']), accept: 'text/html' },
    })
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toContain('<script>alert')
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(page.headers['x-powered-by']).toBeUndefined()
    const policy = new Map(
      String(page.headers['content-security-policy'])
        .split(';')
        .map((rule) => [rule.trim().split(' ')[0], rule.trim()]),
    )
    expect(policy.get('script-src')).toBe("script-src 'self'")
    expect(policy.get('default-src')).toBe("default-src 'self'")
    for (const name of ['object-src', 'base-uri', 'frame-ancestors'])
      expect(policy.get(name)).toBe(`${name} 'none'`)
    await app.close()
    await rm(pages, { recursive: true })
  })

  test("a page with a user's data is not cached", async () => {
    for (const url of [
      routes.getUser.path,
      routes.listBots.path,
      routes.listTransactions.path,
      plainRoutes.statement,
      plainRoutes.trades,
    ]) {
      const answer = await world.app.inject({ url, headers: { cookie: ada.cookie } })
      expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([
        url,
        200,
        'no-store',
      ])
    }
  })
})

/**
 * Threat: formula injection. Today every description begins with our own words, but the statement
 * must not rely on that.
 */
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=1,"2"', '=HYPERLINK("http://evil")'])(
  'the description %j cannot become a formula in the statement',
  async (name) => {
    const user = await world.user()
    await user.deposit('100')
    await user.call('createBot', {
      body: { name, riskLevel: 'moderate', tradingPairs: ['BTC/USDT'], investmentAmount: '50' },
    })
    await world.context.sql`update transactions
       set description = jsonb_build_object('code', 'decided', 'values',
           jsonb_build_object('close', ${name}::text))
     where user_id = ${user.id} and type = 'deposit'`
    const { body } = await world.app.inject({
      url: plainRoutes.statement,
      headers: { cookie: user.cookie },
    })
    const lines = body.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines.slice(1)) {
      const cells =
        line
          .match(/("([^"]|"")*"|[^,]*)(,|$)/g)
          ?.map((cell) => cell.replace(/,$/, '').replace(/^"/, '')) ?? []
      const texts = cells.filter((_cell, index) => ![4, 5, 7].includes(index))
      expect(texts.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    }
  },
)

test('an account number never leaves the server and is in no table in plain text', async () => {
  const user = await world.user()
  const accountNumber = '00098765432101'
  const added = await user.call('addBankAccount', { body: { ...BANK_ACCOUNT, accountNumber } })
  expect(added.accountNumber).toBe('2101')
  await user.deposit('100')
  await user.call('requestWithdrawal', { body: { amount: '20' } })
  const asked: RouteName[] = ['listBankAccounts', 'listWithdrawals', 'listTransactions', 'getUser']
  for (const name of asked)
    expect(JSON.stringify(await user.call(name))).not.toContain(accountNumber.slice(0, -4))
  const statement = await world.app.inject({
    url: plainRoutes.statement,
    headers: { cookie: user.cookie },
  })
  expect(statement.body).not.toContain(accountNumber.slice(0, -4))
  expect(await columnsWith(accountNumber.slice(2))).toEqual([])
  expect(await columnsWith('2101')).toContain('bank_accounts.account_number_last4')
})

/** All columns of all tables in which a value contains `needle`. */
async function columnsWith(needle: string): Promise<string[]> {
  const { sql } = world.context
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' order by 1, 2`
  const found: string[] = []
  for (const { table, column } of columns) {
    const rows =
      await sql`select from ${sql(table)} where position(${needle} in ${sql(column)}::text) > 0
        limit 1`
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
