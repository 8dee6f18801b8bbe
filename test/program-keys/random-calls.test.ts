import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { KEY_SCOPES, type KeyScope } from '#core/auth/program-key.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED, type Random } from '../world/random.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { BANK_ACCOUNT, createWorld, TEST_CARD, type TestUser, type World } from '../world/world.ts'
import { BOT, BOTS_KEY, READ_KEY } from './ask-with-key.ts'

const CALLS = lengthOf({ usual: 600, full: 10_000 })

let world: World
let ada: TestUser
let ids: string[]
beforeAll(async () => {
  world = await createWorld()
  ada = await world.user()
  await ada.deposit('1000')
  const account = await ada.addBankAccount()
  const bots = [
    await ada.call('createBot', { body: BOT }),
    await ada.call('createBot', { body: BOT }),
  ]
  const { id } = await ada.call('requestWithdrawal', { body: { amount: '20' } })
  const session = (await ada.call('listSessions'))[0]?.id ?? ''
  ids = [account, ...bots.map((bot) => bot.id), id, session, ada.id, world.context.newId()]
})
afterAll(() => world.close())

/** Tables whose rows give access to an account, or name where its money goes. */
const WAYS = [
  'users',
  'sessions',
  'passkeys',
  'authenticators',
  'recovery_codes',
  'verified_emails',
  'emails',
  'proofs',
  'withdrawal_protections',
  'withdrawal_requests',
  'withdrawal_holds',
  'bank_accounts',
  'bank_account_defaults',
  'payment_intents',
  'crypto_wallets',
  'wallet_nonces',
  'push_subscriptions',
  'notice_preferences',
  'notice_settings',
  'bot_plans',
  'bot_guards',
] as const

async function waysOf(): Promise<string[]> {
  const { sql } = world.context
  const keys = await sql<{ keys: string }[]>`
    select coalesce(jsonb_agg(to_jsonb(k) - 'last_used_at' order by id), '[]')::text as keys
      from program_keys k`
  const rows = await sql.unsafe<{ state: string }[]>(
    WAYS.map(
      (table) => `select '${table} ' || coalesce(jsonb_agg(t order by t::text), '[]')::text as state
        from ${table} t`,
    ).join(' union all '),
  )
  return [...rows.map(({ state }) => state).toSorted(), keys[0]?.keys ?? '']
}

const transfers = async () =>
  (
    await world.context.sql<{ kind: string; count: number }[]>`
      select kind, count(*)::integer as count from ledger_transfers group by kind order by kind`
  ).filter(({ kind }) => kind !== 'bot-funded')

const BODIES: readonly object[] = [
  BOT,
  { ...BOT, plan: { amount: '20', every: 'week' } },
  { isActive: false },
  { isActive: true },
  { isActive: true, name: 'Other' },
  { amount: '20' },
  { percent: 50 },
  { amount: '20', every: 'week' },
  READ_KEY,
  BOTS_KEY,
  BANK_ACCOUNT,
  { clientSecret: 'x', ...TEST_CARD },
  { action: 'requestWithdrawal', request: { amount: '20' }, password: 'correct horse battery' },
  { currentPassword: 'correct horse battery', newPassword: 'another long password' },
  { delayHours: 0, allowedOnly: false },
  { username: 'somebody', password: 'correct horse battery' },
  {},
]

const OF_BOTS: readonly RouteName[] = ['createBot', 'updateBot']

function anyCall(random: Random) {
  const names = Object.keys(routes) as RouteName[]
  const plain = random.chance(0.05)
  const { method, path }: Pick<Route, 'method'> & { path: string } = plain
    ? { method: random.pick(['GET', 'POST']), path: random.pick(Object.values(plainRoutes)) }
    : routes[random.pick(random.chance(0.2) ? OF_BOTS : names)]
  return {
    method,
    url: path.replace(/:\w+/, random.pick(ids)),
    ...(method !== 'GET' && { payload: random.pick(BODIES) }),
    headers: {
      ...(random.chance(0.5) && { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' }),
      ...(random.chance(0.2) && { proof: random.pick(ids) }),
    },
  }
}

test.each(KEY_SCOPES)(
  `${CALLS} random calls with a key for %s change no sign-in, and move no money out`,
  async (scope: KeyScope) => {
    const random = randomFrom(SEED + scope.length)
    const { secret } = await ada.call('makeKey', { body: scope === 'read' ? READ_KEY : BOTS_KEY })
    const [ways, moved, bots] = [await waysOf(), await transfers(), await ada.call('listBots')]
    const statuses = new Map<number, number>()
    for (let call = 0; call < CALLS; call += 1) {
      if (call % 100 === 0) await resetThrottles(world.context.sql)
      const { headers, ...request } = anyCall(random)
      const { statusCode } = await world.app.inject({
        ...request,
        headers: { ...headers, authorization: `Bearer ${secret}` },
      })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(await transfers()).toEqual(moved)
    expect(await waysOf()).toEqual(ways)
    const now = await ada.call('listBots')
    const made = now.filter(({ id }) => bots.every((bot) => bot.id !== id))
    expect(made.length).toBe(scope === 'read' ? 0 : BOTS_KEY.mostBots)
    if (scope === 'read') expect(now).toEqual(bots)
    expect(now.every(({ status }) => status === 'active' || status === 'paused')).toBe(true)
    expect(statuses.get(200)).toBeGreaterThan(CALLS / 20)
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  },
)
