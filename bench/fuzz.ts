import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { z } from 'zod'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import type { CallRow } from '#contract/call-row.ts'
import { calls } from '#contract/calls.ts'
import { readConfig } from '#server/settings/config.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { randomFrom, type Random } from '../test/world/random.ts'
import { openWorld, SETTINGS, type TestUser } from '../test/world/world.ts'
import { withDatabase } from './database.ts'
import { report } from './report.ts'

/**
 * Sends hostile input to every call: values in every field of bodies, queries and paths, wrong
 * types, broken JSON. A third of the requests have no session. No answer may be a server error, and
 * the book must reconcile afterwards. `BENCH_SEED` replays a run.
 */

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 24_000)
const SEED = Number(process.env['BENCH_SEED'] ?? 7)
const AT_ONCE = 4

const VALUES: readonly unknown[] = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '10',
  '1e9',
  '1e309',
  'NaN',
  'Infinity',
  '10.001',
  '010',
  '0x10',
  '٠١٠',
  '１０',
  '9'.repeat(400),
  'a',
  'a'.repeat(5_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u200b',
  '\u3164',
  '\u202etxt',
  `a${'\u0301'.repeat(60)}`,
  '\ufdfa'.repeat(100),
  '😀'.repeat(50),
  "' or 1=1--",
  '"; drop table users; --',
  '${7*7}',
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  '%27',
  '<script>',
  '\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'true',
  '__proto__',
  0,
  -1,
  1,
  0.1,
  1e21,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  null,
  [],
  [null],
  ['BTC/USDT', 'BTC/USDT'],
  {},
  { a: { b: [] } },
  '01a1fea7-59b0-753c-ac55-084865e40587',
  '01a1fea7-59b0-753c-ac55-084865e40587.01a1fea7-59b0-753c-ac55-084865e40587',
  '2026-11-22T10:00:00.000Z',
  '9999-12-31T23:59:59Z',
  '0000-00-00T00:00:00Z',
  'BTC/USDT',
  'BTC-USDT',
  'moderate',
  'correct horse battery',
  'ada@bots.example',
  '021000021',
  '4242424242424242',
]
const BROKEN = [
  '{',
  '[',
  '{"a":',
  '"',
  '{"a":1}}',
  '\u0000',
  '{"a":"\\ud800"}',
  '{"__proto__":{"a":1}}',
  '[]',
  '7',
  'null',
  '{"a":1,"a":2}',
]
const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  '',
]

const names = Object.keys(routes) as RouteName[]

export async function run(): Promise<void> {
  await withDatabase(async (book) => {
    const config = {
      ...readConfig({ ...SETTINGS, MARKET_FEED: 'simulated' }),
      LOGIN_ATTEMPTS: 100_000,
    }
    const world = await openWorld(
      openContext({ ...book, config, log: pino({ level: 'fatal' }) }),
      () => Promise.resolve(),
    )
    const [user, spare] = [await world.user('fuzzed'), await world.user('spare')]
    await user.deposit('1000')
    const random = randomFrom(SEED)
    const statuses = new Map<number, number>()
    const failures: string[] = []
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const asked = Array.from({ length: AT_ONCE }, () => requestFrom(random, { user, spare }))
      for (const [index, answer] of (
        await Promise.all(asked.map((request) => world.app.inject(request)))
      ).entries()) {
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
        if (answer.statusCode >= 500)
          failures.push(`${answer.statusCode} ${JSON.stringify(asked[index])}`.slice(0, 500))
      }
    }
    const differences = await reconcile(book)
    for (const failure of failures.slice(0, 10)) console.log(failure)
    report({
      name:
        `fuzz, ${REQUESTS.toLocaleString('en')} requests from seed ${SEED}, failures of the ` +
        'server',
      measured: String(failures.length),
      ratio: `${[...statuses]
        .toSorted(([one], [other]) => one - other)
        .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
        .join(', ')}; ${differences.length} differences in the book`,
      target: { text: '0', met: failures.length === 0 && differences.length === 0 },
    })
    await world.app.close()
  })
}

/**
 * Calls that end the session of the cookie. They run as another user, because otherwise the rest of
 * the run would have no session.
 */
const ENDING: ReadonlySet<RouteName> = new Set(['logout', 'login', 'signup', 'changePassword'])

function requestFrom(
  random: Random,
  { user, spare }: { user: TestUser; spare: TestUser },
): InjectOptions {
  const { pick } = random
  const name = pick(names)
  const { method, path }: Route = routes[name]
  const { body, query }: CallRow = calls[name]
  const text = (value: unknown) =>
    (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300)
  const fields = (schema: z.ZodType | undefined) => [
    ...fieldsOf(schema),
    ...(random.below(20) === 0 ? ['unknown', '__proto__'] : []),
  ]
  const search = fields(query)
    .filter(() => random.below(2) === 0)
    .map((field) => `${encodeURIComponent(field)}=${encoded(text(pick(VALUES)))}`)
  const isPlain = random.below(20) === 0
  const url = isPlain
    ? pick(Object.values(plainRoutes).filter((plain) => plain !== plainRoutes.events))
    : path.replace(':id', encoded(text(pick(VALUES))) || 'x')
  const payload =
    random.below(15) === 0
      ? pick(BROKEN)
      : JSON.stringify(
          Object.fromEntries(
            fields(body)
              .filter(() => random.below(8) > 0)
              .map((field) => [field, pick(VALUES)]),
          ),
        )
  const hasBody = !isPlain && (method !== 'GET' || random.below(20) === 0)
  return {
    method: isPlain ? 'GET' : method,
    url: search.length > 0 ? `${url}?${search.join('&')}` : url,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(random.below(3) > 0 && { cookie: ENDING.has(name) ? spare.cookie : user.cookie }),
      ...(hasBody && { 'content-type': pick(TYPES) }),
      ...(random.below(10) === 0 && { 'idempotency-key': `k${random.below(50)}` }),
    },
    ...(hasBody && { payload }),
  }
}

/** The names of an object's fields. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** Replaces lone surrogates, which cannot be written into an address. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'))
