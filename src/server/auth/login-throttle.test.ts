import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

const PASSWORD = 'correct horse battery'
const ATTEMPTS = 3
/** The daily limit of guesses at one account, and the five-minute limit of one address. */
const CAP = ATTEMPTS * 10

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { LOGIN_ATTEMPTS: ATTEMPTS, TRUST_PROXY: 1 } })
})
afterAll(() => world.close())

let addresses = 0
const freshAddress = (): string => `10.1.${(addresses += 1) >> 8}.${addresses & 255}`

type Login = { username: string; password?: string; address?: string; cookie?: string }

async function login({
  username,
  password = PASSWORD,
  address = freshAddress(),
  cookie = '',
}: Login) {
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address, cookie }
  return world.app.inject({
    method: 'POST',
    url: routes.login.path,
    payload: { username, password },
    headers,
  })
}

const guess = async (attempt: Omit<Login, 'password'>) =>
  (await login({ ...attempt, password: 'wrong password' })).statusCode

async function guesses(
  count: number,
  attempt: (index: number) => Omit<Login, 'password'>,
): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push(await guess(attempt(index)))
  return statuses
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status)

/** The cookie by which this browser is known once it has signed in. */
async function signInOnDevice(username: string, before = ''): Promise<string> {
  const answer = await login({ username, cookie: before })
  const device =
    [answer.headers['set-cookie']].flat().find((cookie = '') => cookie.startsWith('device=')) ?? ''
  expect([answer.statusCode, device]).toEqual([
    200,
    expect.stringMatching(/^device=[\w.~-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  return device.split(';')[0] ?? ''
}

const newUser = async (name: string) => (await world.user(name)).username

describe('wrong passwords are counted', () => {
  test('guesses count by account and address, for unknown names and any spelling too', async () => {
    const address = freshAddress()
    for (const username of [await newUser('Counted'), 'no-such-user']) {
      expect(
        await guesses(ATTEMPTS + 2, (index) => ({
          username: index % 2 === 0 ? username : username.toUpperCase(),
          address,
        })),
      ).toEqual([...times(ATTEMPTS, 401), 429, 429])
    }
    expect(
      (await login({ username: 'counted', address })).statusCode,
      'the right password is not tried either',
    ).toBe(429)
  })

  test('so that a stranger at one address locks nobody out elsewhere', async () => {
    const username = await newUser('Targeted')
    const address = freshAddress()
    expect(
      (await guesses(CAP * 2, () => ({ username, address }))).filter((status) => status === 401),
    ).toHaveLength(ATTEMPTS)
    expect((await login({ username })).statusCode, 'from another address, on a new device').toBe(
      200,
    )
  })

  test('an account has a daily limit of guesses, from any number of addresses', async () => {
    const username = await newUser('Widely')
    expect(await guesses(CAP + 1, () => ({ username }))).toEqual([...times(CAP, 401), 429])
    expect((await login({ username })).statusCode).toBe(429)
  })

  test('an address is one count, for any name', async () => {
    const address = freshAddress()
    expect(await guesses(CAP + 1, (index) => ({ username: `name-${index}`, address }))).toEqual([
      ...times(CAP, 401),
      429,
    ])
  })

  test('the count starts from zero after a correct password, which is not counted', async () => {
    const username = await newUser('Forgiven')
    const address = freshAddress()
    for (let round = 0; round < CAP + 2; round += 1)
      expect((await login({ username, address })).statusCode).toBe(200)
    for (let round = 0; round < 2; round += 1) {
      expect(await guesses(ATTEMPTS - 1, () => ({ username, address }))).toEqual(
        times(ATTEMPTS - 1, 401),
      )
      expect((await login({ username: 'FORGIVEN', address })).statusCode).toBe(200)
    }
  })
})

describe('a browser that signed in before', () => {
  test("strangers' guesses do not lock the browser out, not even at its own address", async () => {
    const username = await newUser('Owner')
    const address = freshAddress()
    const cookie = await signInOnDevice(username)
    await guesses(CAP + 1, () => ({ username }))
    await guesses(ATTEMPTS + 1, () => ({ username, address }))
    expect((await login({ username, address })).statusCode).toBe(429)
    expect((await login({ username, address, cookie })).statusCode).toBe(200)
  })

  test('a stolen cookie allows no more guesses than an address', async () => {
    const username = await newUser('Robbed')
    const cookie = await signInOnDevice(username)
    expect(await guesses(ATTEMPTS + 1, () => ({ username, cookie }))).toEqual([
      ...times(ATTEMPTS, 401),
      429,
    ])
    expect((await login({ username })).statusCode, 'the owner elsewhere').toBe(200)
  })

  test('the browser is known for its own account only, with an unchanged cookie', async () => {
    const [owner, other] = [await newUser('Known'), await newUser('Unknown')]
    const cookie = await signInOnDevice(owner)
    const changed = cookie.replace(/.{3}$/, 'AAA')
    for (const [username, given] of [
      [other, cookie],
      [owner, changed],
      [owner, 'device=~.~'],
      [owner, 'device=%00'],
    ] as const) {
      const address = freshAddress()
      await guesses(ATTEMPTS, () => ({ username, address }))
      const { statusCode } = await login({ username, address, cookie: given })
      expect(statusCode, `with ${given}`).toBe(429)
    }
  })

  test('the browser keeps the marks of all people who share it', async () => {
    const [first, second] = [await newUser('First'), await newUser('Second')]
    const cookie = await signInOnDevice(second, await signInOnDevice(first))
    for (const username of [first, second]) {
      const address = freshAddress()
      await guesses(ATTEMPTS, () => ({ username, address }))
      expect((await login({ username, address, cookie })).statusCode).toBe(200)
    }
  })

  test('the browser is forgotten when the password changes', async () => {
    const user = await world.user('Changed')
    const cookie = await signInOnDevice(user.username)
    await user.call('changePassword', {
      body: { currentPassword: PASSWORD, newPassword: 'another long password' },
    })
    const address = freshAddress()
    await guesses(ATTEMPTS, () => ({ username: user.username, address }))
    expect(
      (await login({ username: user.username, address, cookie, password: 'another long password' }))
        .statusCode,
    ).toBe(429)
  })
})

describe('a refused attempt', () => {
  const waitOf = async (attempt: Login) => {
    const { statusCode, headers, ...answer } = await login(attempt)
    return {
      statusCode,
      seconds: Number(headers['retry-after']),
      message: answer.json<{ message: string }>().message,
    }
  }

  // The process's own clock, which moves with the database's below.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('states the true waiting time, in its sentence and in Retry-After', async () => {
    const username = await newUser('Waiting')
    const address = freshAddress()
    await guesses(ATTEMPTS, () => ({ username, address }))
    await world.context.sql`update throttles set window_start = now() - interval '220 seconds'
        where key = ${`login:account:waiting:${address}`}`
    const { statusCode, seconds, message } = await waitOf({ username, address })
    expect(statusCode).toBe(429)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(80)
    expect(message).toBe(
      `Too many attempts. Please try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    )
    await world.context
      .sql`update throttles set window_start = window_start - ${seconds} * interval '1 second'
        where key = ${`login:account:waiting:${address}`}`
    vi.advanceTimersByTime(seconds * 1_000)
    expect((await login({ username, address })).statusCode, 'after that time').toBe(200)
  })

  test('states the longest wait if several limits are used up', async () => {
    const username = await newUser('Patient')
    const address = freshAddress()
    await guesses(CAP - ATTEMPTS, () => ({ username }))
    await guesses(ATTEMPTS, () => ({ username, address }))
    const { seconds, message } = await waitOf({ username, address })
    expect(seconds).toBeGreaterThan(86_000)
    expect(message).toBe('Too many attempts. Please try again in 24 hours.')
  })
})
