import { expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Execution, ExchangeAccount } from '#server/exchange/exchange-account.ts'
import type { ExchangeName } from '#server/exchange/open-exchange.ts'
import { examineDatabase } from '#server/ops/doctor/examine-database.ts'
import { venueCommand } from '#server/ops/orders-command.ts'
import type { OrderSide } from '../emulators/exchange-orders.ts'
import { countUnsettled, expectAgreement, invest, openFloor, type Floor } from '../world/floor.ts'
import { lengthOf } from '../world/length.ts'
import { signInAs } from '../world/operators.ts'
import { randomFrom, SEED } from '../world/random.ts'
import type { TestUser } from '../world/world.ts'

const BTC = 'BTC/USDT'
const ETH = 'ETH/USDT'
const NAMES = ['kraken', 'binance', 'coinbase'] as const

/** The fate of the order whose answer was lost: executed, or never received. */
const ENDS = ['lose-reply', 'drop-before'] as const

type Dark = Floor & {
  /**
   * Hides the outcome of the next order of BTC and of every look-up. `end`: the fate of the order.
   */
  darken: (end: (typeof ENDS)[number]) => void
  lighten: () => void
  /** Number of sent orders of a pair. */
  sent: (pair: Pair) => number
}

async function openDark(name: ExchangeName): Promise<Dark> {
  const sent = new Map<Pair, number>()
  let end: (typeof ENDS)[number] | undefined
  let isDark = false
  const hard: { orders?: OrderSide } = {}
  const wrap = (account: ExchangeAccount): ExchangeAccount => ({
    ...account,
    send: async (order) => {
      sent.set(order.pair, (sent.get(order.pair) ?? 0) + 1)
      if (order.pair === BTC && end) {
        hard.orders?.meet(end)
        end = undefined
      }
      await account.send(order)
    },
    find: async (order) => {
      if (isDark && order.pair === BTC) throw new Error('no answer')
      return account.find(order)
    },
  })
  const floor = await openFloor({ name, wrap })
  hard.orders = floor.orders
  return {
    ...floor,
    darken: (next) => {
      end = next
      isDark = true
    },
    lighten: () => {
      isDark = false
      floor.exchange.clock.jumpBy(floor.account.horizonMs)
    },
    sent: (pair) => sent.get(pair) ?? 0,
  }
}

async function pass({ hour }: Floor, hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += 1) await hour()
}

async function newBot(user: TestUser, tradingPairs: Pair[], amount = '500'): Promise<string> {
  const body = { name: tradingPairs.join(' '), strategy: 'hold', tradingPairs }
  const { id } = await user.call('createBot', { body: { ...body, investmentAmount: amount } })
  return id
}

const cashOf = async (user: TestUser) =>
  decimalToUnits((await user.call('getUser')).availableBalance)
const totalOf = async (user: TestUser) => decimalToUnits((await user.call('getUser')).totalBalance)
const botOf = async (user: TestUser, id: string) =>
  (await user.call('listBots')).find((bot) => bot.id === id)

const CASES = NAMES.flatMap((name) => ENDS.map((end) => [name, end] as const))

/** Owners of a bot: one on both pairs, one only on the other pair, one only on the pair. */
async function openScene(...[name, end]: (typeof CASES)[number]) {
  const floor = await openDark(name)
  const { user, bots } = await invest(floor, { amount: '2000', pairs: [BTC, ETH] })
  const [closed, taking, topped] = bots.map(({ id }) => id) as [string, string, string]
  const [ada, bob] = [await floor.world.user(), await floor.world.user()]
  for (const each of [ada, bob]) await each.deposit('1500')
  await ada.addBankAccount()
  const adas = await newBot(ada, [ETH])
  await pass(floor, 100)
  floor.darken(end)
  await newBot(bob, [BTC])
  await floor.hour()
  expect(await countUnsettled(floor)).toBe(1)
  return { floor, user, closed, taking, topped, ada, adas, bob }
}

const CENT = decimalToUnits('0.01')

test.each(CASES)(
  '%s (%s): an order of unknown outcome blocks only its own pair',
  async (...given) => {
    const scene = await openScene(...given)
    const { floor, user, closed, taking, topped, ada, bob } = scene
    const { world, sent } = floor
    const before = { btc: sent(BTC), eth: sent(ETH), total: await totalOf(user) }
    await user.call('deleteBot', { params: { id: closed } })
    await user.call('takeOutOfBot', { params: { id: taking }, body: { percent: 50 } })
    await user.call('topUpBot', { params: { id: topped }, body: { amount: '100' } })
    const untouched = await newBot(bob, [BTC], '300')
    await floor.hour()
    const bobs = await cashOf(bob)
    await bob.call('deleteBot', { params: { id: untouched } })
    const second = await newBot(ada, [ETH], '300')
    await floor.hour()
    await world.restartEngine()
    await floor.hour()
    expect(await countUnsettled(floor)).toBe(1)
    expect(sent(BTC), 'nothing is sent for the pair').toBe(before.btc)
    expect(sent(ETH), 'the other pair trades').toBeGreaterThan(before.eth)
    expect(Number((await botOf(ada, second))?.coins)).toBeGreaterThan(0)
    expect(await cashOf(bob), 'money that is in no order returns').toBe(bobs + 30_000n * CENT)
    expect(await totalOf(user), 'coins keep their worth').toBeGreaterThan((before.total * 9n) / 10n)
    await expectPayout(scene)
    await expectTold(scene)
    floor.lighten()
    await pass(floor, 4)
    await expectAgreement(floor)
    await expectCaughtUp(scene)
  },
)

type Scene = Awaited<ReturnType<typeof openScene>>

/** Closes the bot on the other pair, whose money is returned. */
async function expectPayout({ floor, ada, adas }: Scene): Promise<void> {
  await ada.call('deleteBot', { params: { id: adas } })
  // If fees are charged in coins, less than a step of a coin is left; the house buys it the next
  // time.
  await pass(floor, 3)
  const { availableBalance: amount } = await ada.call('getUser')
  expect(decimalToUnits(amount)).toBeGreaterThan(decimalToUnits('1000'))
  await ada.call('requestWithdrawal', { body: { amount } })
  await floor.world.payOut()
  expect((await ada.call('listWithdrawals'))[0]?.status).toBe('completed')
}

async function expectCaughtUp({ floor, user, taking, topped }: Scene): Promise<void> {
  expect((await user.call('listBots')).map(({ id, waitingPairs }) => [id, waitingPairs])).toEqual([
    [topped, []],
    [taking, []],
  ])
  expect((await botOf(user, taking))?.takingOutPercent).toBeNull()
  expect(await receiptsOf(user)).toHaveLength(4)
  const behind = await floor.world.context.sql`
    select from sleeves s join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
     where s.behind_bps is not null or not b.is_synced`
  expect(behind).toHaveLength(0)
  expect(await noticesOf(user, 'sale-over')).toEqual([`conservative ${BTC}`, `moderate ${BTC}`])
}

const receiptsOf = async (user: TestUser) =>
  (await user.call('listTransactions', { query: { type: 'transfer' } })).items
    .map(({ description }) => description)
    .filter((text) => /part|returned|taken out/i.test(text))

const noticesOf = async (user: TestUser, kind: string) =>
  (await user.call('listNotices')).items
    .filter((notice) => notice.kind === kind)
    .map(({ details }) => `${details['bot']} ${details['pair']}`)
    .toSorted()

/**
 * Checks that owners see the wait on the bot and in a notice, the operator in a metric, and that
 * nobody can buy the coins meanwhile.
 */
async function expectTold({ floor: { world }, user, closed, taking }: Scene): Promise<void> {
  for (const id of [closed, taking])
    expect((await botOf(user, id))?.waitingPairs).toEqual([
      { pair: BTC, reason: 'unknown', since: expect.any(String) },
    ])
  expect(await noticesOf(user, 'sale-waits')).toEqual([`conservative ${BTC}`, `moderate ${BTC}`])
  expect((await receiptsOf(user)).toSorted()).toEqual([
    'First part returned from bot conservative',
    'First part taken out of bot moderate',
  ])
  expect((await world.app.inject('/metrics')).body).toContain(
    `waiting_sales{pair="${BTC}",reason="unknown"} 2`,
  )
  const { context } = await signInAs(world.context, { name: 'Ada', roles: ['payouts'] })
  await context.sql`update engine_blocks set planned_at = planned_at - interval '2 minutes'
    where state <> 'settled'`
  const { config: settings, sql, now } = context
  const found = await examineDatabase({
    settings,
    sql,
    now,
    backupFile: undefined,
    mayAskExchange: false,
  })
  expect(found.find(({ about }) => about === 'orders')?.message).toMatch(
    /^the outcome is unknown: [-\da-f]{36} of BTC\/USDT since /,
  )
  await expect(venueCommand(context, ['settle', BTC, 'last', 'gone'])).rejects.toThrow(
    'No coins of',
  )
}

/** Acts of owners while the outcome is unknown. */
const ACTS = ['close', 'take', 'pause', 'resume', 'add', 'create', 'change', 'wait'] as const

async function act(
  user: TestUser,
  kind: (typeof ACTS)[number],
  random: ReturnType<typeof randomFrom>,
) {
  const bots = await user.call('listBots')
  if (kind === 'create')
    return user.ask('createBot', {
      body: {
        name: `bot ${random.below(1_000_000)}`,
        riskLevel: random.pick(['conservative', 'moderate', 'aggressive']),
        tradingPairs: random.pick([[BTC], [ETH], [BTC, ETH]]),
        investmentAmount: String(50 + random.below(400)),
      },
    })
  const id = bots.length > 0 ? random.pick(bots).id : undefined
  if (id === undefined || kind === 'wait') return undefined
  const params = { id }
  if (kind === 'close') return user.ask('deleteBot', { params })
  if (kind === 'take')
    return user.ask('takeOutOfBot', { params, body: { percent: 1 + random.below(99) } })
  if (kind === 'add')
    return user.ask('topUpBot', { params, body: { amount: String(10 + random.below(90)) } })
  const tradingPairs = random.pick([[BTC], [ETH], [BTC, ETH]])
  const body = kind === 'change' ? { tradingPairs } : { isActive: kind === 'resume' }
  return user.ask('updateBot', { params, body })
}

const TURNS = lengthOf({ usual: 6, full: 200 })

test.each(NAMES)(
  `%s: whatever owners do meanwhile, the books reconcile (seed ${SEED})`,
  async (name) => {
    const random = randomFrom(SEED + NAMES.indexOf(name))
    const floor = await openDark(name)
    const { world, sent } = floor
    // With a yield, midnights change pools whose joining lot was sized before.
    Object.assign(world.context.config, { CASH_YIELD_BPS: 2_000, CASH_YIELD_SOURCE: 'a test' })
    const users: TestUser[] = []
    for (let count = 0; count < 3; count += 1) {
      const user = await world.user()
      await user.deposit('9000')
      users.push(user)
      for (const kind of ['create', 'create', 'create'] as const) await act(user, kind, random)
    }
    await pass(floor, 3)
    let darkHours = 0
    for (let turn = 0; turn < TURNS; turn += 1) {
      floor.darken(random.pick(ENDS))
      for (let hour = 0; hour < 8; hour += 1) {
        const before = (await countUnsettled(floor)) > 0 ? sent(BTC) : undefined
        for (const user of users) await act(user, random.pick(ACTS), random)
        await floor.hour()
        if (before !== undefined) {
          darkHours += 1
          expect(sent(BTC)).toBe(before)
        }
        if (random.chance(0.2)) await world.restartEngine()
      }
      floor.lighten()
      await pass(floor, 2)
      await expectAgreement(floor)
    }
    for (const user of users) await user.call('stopAll')
    await pass(floor, 4)
    await expectAgreement(floor)
    for (const user of users) expect(await user.call('listBots')).toEqual([])
    expect(required(darkHours, 'hours')).toBeGreaterThan(TURNS)
  },
)

test.each([
  ['more than was ordered', ({ quantity }: Execution) => ({ quantity: quantity * 2n })],
  [
    'a fee of all coins',
    ({ quantity }: Execution) => ({ fees: new Map([[baseOf(BTC), quantity]]) }),
  ],
])('an answer of %s is no outcome: the order waits for a true one', async (_of, lie) => {
  let isLying = true
  const floor = await openFloor({
    wrap: (account) => ({
      ...account,
      find: async (order) => {
        const found = await account.find(order)
        return found && isLying && order.pair === BTC ? { ...found, ...lie(found) } : found
      },
    }),
  })
  await invest(floor, { amount: '2000', pairs: [BTC, ETH] })
  await pass(floor, 30)
  expect(await countUnsettled(floor)).toBe(1)
  expect(floor.orders.received(), 'the other pair trades').toBeGreaterThan(1)
  isLying = false
  await pass(floor, 2)
  await expectAgreement(floor)
})

test.each(ENDS)(
  '%s: a purchase planned with the sale of unknown outcome ends empty',
  async (end) => {
    const floor = await openDark('kraken')
    const { world, sent } = floor
    const [ada, bob] = [await world.user(), await world.user()]
    for (const each of [ada, bob]) await each.deposit('500')
    const id = await newBot(ada, [BTC])
    await pass(floor, 2)
    const before = sent(BTC)
    floor.darken(end)
    await ada.call('deleteBot', { params: { id } })
    const body = { name: 'Balanced', strategy: 'balanced', tradingPairs: [BTC] }
    await bob.call('createBot', { body: { ...body, investmentAmount: '500' } })
    await floor.hour()
    const blocks = await world.context.sql`
    select side, state, fill_quantity from engine_blocks order by id desc limit 2`
    expect(blocks).toEqual([
      { side: 'buy', state: 'settled', fillQuantity: 0n },
      { side: 'sell', state: 'planned', fillQuantity: null },
    ])
    expect(sent(BTC)).toBe(before + 1)
    expect(await bob.call('stopAll')).toEqual({ closing: 1, ordersUnderWay: 0 })
    await pass(floor, 2)
    expect(await cashOf(bob), 'its pool is free').toBe(decimalToUnits('500'))
    floor.lighten()
    await pass(floor, 3)
    await expectAgreement(floor)
    expect(await ada.call('listBots')).toEqual([])
  },
)

const DAYS = 24

test(`after ${DAYS} days of unknown outcome a joining lot can still be settled`, async () => {
  const floor = await openDark('kraken')
  const { context } = floor.world
  // The highest rate, at which a pool earns a hundredth of its cash in 18 days.
  Object.assign(context.config, { CASH_YIELD_BPS: 2_000, CASH_YIELD_SOURCE: 'a test' })
  const body = { name: 'Balanced', strategy: 'balanced', riskLevel: 'conservative' }
  const join = async (user: TestUser) => {
    await user.deposit('5000')
    const given = { ...body, tradingPairs: [BTC], investmentAmount: '5000' }
    await user.call('createBot', { body: given })
  }
  const [ada, bob] = [await floor.world.user(), await floor.world.user()]
  await join(ada)
  await pass(floor, 2)
  floor.darken('lose-reply')
  await join(bob)
  await pass(floor, 24 * DAYS)
  expect(await countUnsettled(floor)).toBe(1)
  floor.lighten()
  await pass(floor, 4)
  await expectAgreement(floor)
  expect((await bob.call('listBots')).map(({ coins }) => Number(coins) > 1_000)).toEqual([true])
  const yields = context.sql`select from pool_changes where kind = 'yield'`
  expect(await yields, 'none above a hundredth').toHaveLength(18)
})

const STOPPED = 'a bot that its guard stops meanwhile keeps its money, and trades with it again'

test.each(ENDS)(`%s: ${STOPPED}`, async (end) => {
  const floor = await openDark('kraken')
  const { sql } = floor.world.context
  const statusOf = async (bot: string) =>
    (await sql<{ status: string }[]>`select status from sleeves where bot_id = ${bot}`).map(
      ({ status }) => status,
    )
  const [bob, user] = [await floor.world.user(), await floor.world.user()]
  for (const each of [bob, user]) await each.deposit('500')
  const paused = await newBot(bob, [BTC])
  await pass(floor, 2)
  floor.darken(end)
  const body = { name: 'Guarded', strategy: 'hold', tradingPairs: [BTC, ETH] }
  const guards = { stopLossPercent: 1, takeProfitPercent: 1 }
  const { id } = await user.call('createBot', {
    body: { ...body, guards, investmentAmount: '500' },
  })
  const isStopped = async () => (await botOf(user, id))?.status === 'stopped'
  for (let hour = 0; hour < 300 && !(await isStopped()); hour += 1) await floor.hour()
  await bob.call('updateBot', { params: { id: paused }, body: { isActive: false } })
  await pass(floor, 1)
  // As if a full lot had kept Bob's paused bot in the pool when the order was planned.
  await sql`update sleeves set status = 'pausing' where bot_id = ${paused}`
  await pass(floor, 1)
  expect(await countUnsettled(floor)).toBe(1)
  expect(await statusOf(paused)).toEqual(['pausing'])
  const again = { params: { id }, body: { isActive: true } }
  expect(await user.ask('updateBot', again)).toMatchObject({ body: { code: 'bot-busy' } })
  floor.lighten()
  await pass(floor, 2)
  await user.call('updateBot', again)
  await pass(floor, 3)
  await expectAgreement(floor)
  expect(await statusOf(paused)).toEqual(['paused'])
  const sleeves = await sql`
    select units > 0 as has_joined, taken from sleeves where bot_id = ${id}`
  const traded = { hasJoined: true, taken: 0n }
  expect(sleeves).toEqual([traded, traded])
})
