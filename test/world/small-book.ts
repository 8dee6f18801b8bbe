import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { settleDeposit } from '#server/deposits/settle-deposit.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { makeBatch } from '#server/withdrawals/payout-batches.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import { createWorld, feedOf, type TestUser, type World, type WorldOptions } from './world.ts'

const BEGIN_MS = Date.UTC(2024, 2, 1)
const PAST_HOURS = 2_200
const COMING_HOURS = 1_600

/**
 * A market that rises or falls an eighth of a percent an hour, with a little noise: every bot
 * enters and leaves with a profit, or stays in cash.
 */
function steadyCandles(start: number, direction: 1 | -1): Candle[] {
  let price = BigInt(start) * ONE
  return Array.from({ length: PAST_HOURS + COMING_HOURS }, (_, hour): Candle => {
    const open = price
    const close =
      (open * BigInt(100_000 + direction * 125 + (hour % 2 === 0 ? 90 : -90))) / 100_000n
    price = close
    const [low, high] = open < close ? [open, close] : [close, open]
    return { openTimeMs: BEGIN_MS + (hour - PAST_HOURS) * HOUR_MS, open, high, low, close }
  })
}

const RISING: readonly [Pair, number][] = [
  ['BTC/USDT', 20_000],
  ['XRP/USDT', 1],
]
const FALLING: readonly [Pair, number][] = [
  ['BTC/USDT', 90_000],
  ['XRP/USDT', 90],
]

/** A world on a market that only rises. */
export async function createRisingWorld(
  context: WorldOptions['context'] = {},
  config: WorldOptions['config'] = {},
): Promise<World> {
  return createSteadyWorld(
    new Map(RISING.map(([pair, start]) => [pair, seriesOf(steadyCandles(start, 1))])),
    { context, config },
  )
}

/** A world on a market that only falls. */
export async function createFallingWorld(config: WorldOptions['config'] = {}): Promise<World> {
  return createSteadyWorld(
    new Map(FALLING.map(([pair, start]) => [pair, seriesOf(steadyCandles(start, -1))])),
    { config },
  )
}

function createSteadyWorld(
  series: ReadonlyMap<Pair, CandleSeries>,
  options: WorldOptions,
): Promise<World> {
  const feed = feedOf(series, {
    beginMs: () => BEGIN_MS,
    endMs: BEGIN_MS + COMING_HOURS * HOUR_MS,
    candles: ({ pair, fromMs, toMs }) =>
      candlesBetween(series.get(pair) ?? seriesOf([]), { fromMs, toMs }),
  })
  return createWorld({ ...options, feed })
}

/** Settings of a bot of $200 that trades both coins of a steady market. */
export const STEADY_BOT = {
  name: 'Steady',
  riskLevel: 'moderate',
  tradingPairs: RISING.map(([pair]) => pair),
  investmentAmount: '200',
}

/** A user who deposited `dollars`, with the bot `STEADY_BOT` or one that differs in `settings`. */
export async function createBotOwner(
  world: World,
  dollars: string,
  settings: object = {},
): Promise<{ user: TestUser; id: string }> {
  const user = await world.user()
  await user.deposit(dollars)
  const { id } = await user.call('createBot', { body: { ...STEADY_BOT, ...settings } })
  return { user, id }
}

/** A user with the bot Steady, and the sales of a second bot, Bold, that was closed. */
export async function createSeller(world: World, username: string): Promise<TestUser> {
  const user = await world.user(username)
  await user.deposit('1000')
  const bot = { ...STEADY_BOT, riskLevel: 'aggressive' }
  await user.call('createBot', { body: bot })
  const { id } = await user.call('createBot', { body: { ...bot, name: 'Bold' } })
  await world.hours(48)
  await user.call('deleteBot', { params: { id } })
  await world.hours(2)
  return user
}

/**
 * Fills a book with rows of every kind: deposits, bots in every state and size, trades, fees,
 * withdrawals in every state.
 */
export async function fillSmallBook(world: World): Promise<{ ada: TestUser; bob: TestUser }> {
  const [ada, bob] = [await world.user(), await world.user()]
  await payByBankFile(world, await world.user())
  for (const user of [ada, bob]) {
    for (const amount of ['1000', '500.5']) await user.deposit(amount)
    await user.call('createPaymentIntent', { body: { amount: '77' } })
    await user.addBankAccount()
    const tradingPairs = RISING.map(([pair]) => pair)
    for (const [name, riskLevel] of [
      ['kept', 'moderate'],
      ['closed', 'aggressive'],
      ['paused', 'conservative'],
    ]) {
      await user.call('createBot', {
        body: { name, riskLevel, tradingPairs, investmentAmount: '200' },
      })
    }
  }
  await world.hours(48)
  for (const user of [ada, bob]) {
    const bots = await user.call('listBots')
    const idOf = (name: string) => bots.find((bot) => bot.name === name)?.id
    await user.call('deleteBot', { params: { id: idOf('closed') } })
    await user.call('updateBot', { params: { id: idOf('paused') }, body: { isActive: false } })
    await user.call('takeOutOfBot', { params: { id: idOf('kept') }, body: { percent: 25 } })
    await world.serve()
    await user.call('topUpBot', { params: { id: idOf('kept') }, body: { amount: '20' } })
    for (const actions of LIVES_OF_WITHDRAWALS) await liveThrough(world, user, actions)
  }
  await world.hours(24)
  await reverseDeposits(world, await world.user())
  return { ada, bob }
}

/** Makes a batch of two payouts for the bank, one of them already paid. */
async function payByBankFile({ context }: World, fay: TestUser): Promise<void> {
  await fay.deposit('100')
  await fay.addBankAccount()
  const ids = [
    (await fay.call('requestWithdrawal', { body: { amount: '12' } })).id,
    (await fay.call('requestWithdrawal', { body: { amount: '13' } })).id,
  ]
  for (const id of ids)
    await approveWithdrawal(context, { id, operator: { id: context.newId(), name: 'Grace' } })
  await makeBatch(context, 'operator:grace')
  await actOnWithdrawal(context, { id: ids[0] ?? '', action: 'mark-paid', actor: 'operator:grace' })
}

/**
 * Makes a refund covered by cash, a dispute that cash does not cover, and a deposit that repays
 * part of the debt.
 */
async function reverseDeposits({ context }: World, eve: TestUser): Promise<void> {
  for (const amount of ['100', '50']) await eve.deposit(amount)
  await eve.call('createBot', {
    body: {
      name: 'spent',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '120',
    },
  })
  const { sql } = context
  const payments = await sql<
    { id: string }[]
  >`select id from payment_intents where user_id = ${eve.id} order by amount`
  const [small = '', large = ''] = payments.map(({ id }) => id)
  await sql`update sandbox_payments set refunded = ${20n * ONE} where id = ${small}`
  await sql`update sandbox_payments set disputed = amount where id = ${large}`
  for (const id of [small, large]) await settleDeposit(context, id)
  await eve.deposit('30')
}

const LIVES_OF_WITHDRAWALS: readonly (readonly WithdrawalAction[])[] = [
  [],
  ['review'],
  ['approve'],
  ['approve', 'submit'],
  ['approve', 'submit', 'mark-paid'],
  ['approve', 'submit', 'mark-failed'],
  ['approve', 'submit', 'mark-paid', 'mark-returned'],
  ['cancel'],
  ['review', 'reject'],
]

async function liveThrough(
  { context }: World,
  user: TestUser,
  actions: readonly WithdrawalAction[],
): Promise<void> {
  const { id } = await user.call('requestWithdrawal', { body: { amount: '11.11' } })
  for (const action of actions)
    await actOnWithdrawal(context, { id, action, actor: 'operator:test' })
}
