import { setTimeout as delay } from 'node:timers/promises'
import { assert } from '#core/assert.ts'
import { PAIRS } from '#core/market/pair.ts'
import { freePort, startServer } from '../test/process/running-server.ts'
import { observe } from './observer.ts'
import { milliseconds, percentile, report } from './report.ts'

/**
 * Five accounts, each from its own address, flood the server with 110 backtests and 10 sign-ins at
 * once. Another user's calls and the landing page must stay fast meanwhile. That user's calls are
 * sent and timed by a separate thread, which the flood's callbacks cannot delay.
 */

const FLOODERS = 5
const BACKTESTS_AT_ONCE = 110
const LOGINS_AT_ONCE = 10
const FLOOD_MS = 20_000
const TARGET_MS = 150
const PASSWORD = 'correct horse battery'
const BACKTEST = {
  riskLevel: 'moderate',
  tradingPairs: PAIRS,
  investmentAmount: '1000',
  days: 1_095,
}

type Caller = { origin: string; address: string; cookie: string }
type Counts = Map<string, number>

export async function run(): Promise<void> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = await startServer({
    port,
    env: { PUBLIC_URL: origin, TRUST_PROXY: '1', SIGNUPS_PER_HOUR: '1000' },
  })
  try {
    const observer = await signUp(origin, 'observer', '10.0.0.1')
    const idle = await observeFor(observer, FLOOD_MS / 4)
    const each = Array.from({ length: FLOODERS }, (_none, index) => index)
    const flooders = await Promise.all(
      each.map((index) => signUp(origin, `flooder${index}`, `10.0.1.${index}`)),
    )
    // Signing in repeatedly ends a user's oldest sessions, so separate users do it.
    await Promise.all(each.map((index) => signUp(origin, `visitor${index}`, `10.0.1.${index}`)))
    const over = AbortSignal.timeout(FLOOD_MS)
    const counts: Counts = new Map()
    const [times] = await Promise.all([
      observeFor(observer, FLOOD_MS),
      ...flooders.map((flooder, index) =>
        flood(flooder, { username: `visitor${index}`, over, counts }),
      ),
    ])
    const p99 = percentile(times, 0.99)
    const answered = [...counts]
      .toSorted()
      .map(([what, count]) => `${count.toLocaleString('en')} × ${what}`)
    report({
      name:
        `abuse, everybody else's calls while ${FLOODERS} accounts flood, p99 of ` + times.length,
      measured: `${milliseconds(p99)}, at most ${milliseconds(Math.max(...times))}`,
      ratio:
        `${milliseconds(percentile(idle, 0.99))} without them; the flood was answered ` +
        answered.join(', '),
      target: { text: `≤ ${TARGET_MS} ms`, met: p99 <= TARGET_MS },
    })
  } finally {
    await server.stop()
  }
}

const headersOf = ({ origin, address, cookie }: Caller) => ({
  origin,
  'x-forwarded-for': address,
  cookie,
  'content-type': 'application/json',
})

async function signUp(origin: string, username: string, address: string): Promise<Caller> {
  const caller = { origin, address, cookie: '' }
  const body = JSON.stringify({ username, password: PASSWORD, firstName: 'Ben', lastName: 'Ch' })
  const answer = await fetch(`${origin}/api/auth/signup`, {
    method: 'POST',
    headers: headersOf(caller),
    body,
  })
  assert(answer.ok, `signing up answers ${answer.status}`)
  return { ...caller, cookie: (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' }
}

const observeFor = (caller: Caller, forMs: number): Promise<number[]> =>
  observe({ origin: caller.origin, headers: headersOf(caller) }, delay(forMs))

async function flood(
  caller: Caller,
  { username, over, counts }: { username: string; over: AbortSignal; counts: Counts },
): Promise<void> {
  const post = async (who: Caller, path: string, body: object) => {
    const answer = await fetch(who.origin + path, {
      method: 'POST',
      headers: headersOf(who),
      body: JSON.stringify(body),
    })
    await answer.arrayBuffer()
    const what = `${answer.status} to ${path.split('/').at(-1)}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  // Without a cookie, because signing in ends the session whose cookie is sent.
  const stranger = { ...caller, cookie: '' }
  const each = (count: number, act: () => Promise<void>) => Array.from({ length: count }, act)
  while (!over.aborted) {
    await Promise.all([
      ...each(BACKTESTS_AT_ONCE, () => post(caller, '/api/backtests', BACKTEST)),
      ...each(LOGINS_AT_ONCE, () =>
        post(stranger, '/api/auth/login', { username, password: PASSWORD }),
      ),
    ])
  }
}
