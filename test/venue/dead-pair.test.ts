import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { plainRoutes } from '#contract/plain-routes.ts'
import { AssertionFailed, required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits as units, unitsToDecimal } from '#core/money/decimal.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import type { WaitReason } from '#core/trading/wait.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { venueCommand } from '#server/ops/orders-command.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { OrderRejected } from '#server/exchange/exchange-account.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import type { Venue } from '#server/ports/venue.ts'
import { paperVenue } from '#server/trading/venue-paper.ts'
import { signInAs } from '../world/operators.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { World } from '../world/world.ts'
import { COSTS, expectAgreement, invest, openFloor, type Floor } from '../world/floor.ts'

const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT']
const INVESTED = units('2000')

type Status = 'online' | 'cancel_only'

/** Advances the clock, because the client reloads its markets after ten minutes. */
function setMarket({ exchange }: Floor, status: Status): void {
  required(exchange.markets.get('XXBTZUSD'), 'the market of BTC').status = status
  exchange.clock.jumpBy(700_000)
}

async function pass({ hour }: Floor, hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += 1) await hour()
}

type Invested = Awaited<ReturnType<typeof invest>>
type Trading = Floor & Invested

/** Three bots that hold coins of two pairs, of which the exchange stops trading one. */
async function openDeadPair(): Promise<Trading> {
  const floor = await openFloor()
  const invested = await invest(floor, { amount: '2000', pairs: PAIRS })
  await pass(floor, 100)
  setMarket(floor, 'cancel_only')
  return { ...floor, ...invested }
}

type Paid = { out: bigint; fee: bigint; principal: bigint }

/** Money that left a bot so far, with its fees and its part of the investment. */
async function paidBy(
  { world }: Pick<Floor, 'world'>,
  id: string,
): Promise<Paid & { times: number }> {
  const [paid] = await world.context.sql<(Paid & { times: number })[]>`
    select count(*)::integer as times, coalesce(-sum(e.amount), 0)::bigint as out,
           (select coalesce(sum(fee_amount), 0)::bigint from platform_fees where bot_id = ${id})
             as fee,
           coalesce(sum((x.metadata ->> 'investedPart')::bigint), 0)::bigint as principal
      from transactions x
      join ledger_transfers t on t.id = x.transfer_id and t.kind = 'bot-returned'
      join ledger_entries e on e.transfer_id = t.id
      join ledger_accounts a on a.id = e.account_id and a.code = 'bots'
     where x.bot_id = ${id}`
  return required(paid, 'a sum')
}

const feeOf = (invested: bigint, out: bigint) =>
  closingFee({ invested, out, feeBps: PERFORMANCE_FEE_BPS }).fee

async function statesOf({ user }: Invested) {
  return (await user.call('listBots')).map(({ status, doing, waitingPairs, ...bot }) => ({
    id: bot.id,
    status,
    sells: doing?.startsWith('Waiting to sell BTC/USDT.') === true,
    pairs: waitingPairs.map(({ pair, reason }) => `${pair} ${reason}`),
  }))
}

async function noticesOf({ user }: Invested, kind: string) {
  return (await user.call('listNotices')).items
    .filter((notice) => notice.kind === kind)
    .map(({ details }) => `${details['bot']} ${details['pair']}`)
    .toSorted()
}

test('a dead pair blocks only its own coins; owners are notified, the rest is sold', async () => {
  const floor = await openDeadPair()
  const { user, bots, world } = floor
  const [closed, taking, changing] = bots.map(({ id }) => id) as [string, string, string]
  await user.call('deleteBot', { params: { id: closed } })
  await user.call('takeOutOfBot', { params: { id: taking }, body: { percent: 50 } })
  await user.call('updateBot', { params: { id: changing }, body: { riskLevel: 'moderate' } })
  await pass(floor, 48)
  const waits = { sells: true, pairs: ['BTC/USDT closed'] }
  expect(await statesOf(floor)).toEqual([
    { id: changing, status: 'active', ...waits },
    { id: taking, status: 'active', ...waits },
    { id: closed, status: 'closing', ...waits },
  ])
  const names = ['aggressive', 'conservative', 'moderate'].map((name) => `${name} BTC/USDT`)
  expect(await noticesOf(floor, 'sale-waits')).toEqual(names)
  expect(await noticesOf(floor, 'sale-over')).toEqual([])
  const early = await paidBy(floor, closed)
  const earlyPart = await paidBy(floor, taking)
  expect(early.out).toBeGreaterThan(units('1000'))
  expect(earlyPart.out).toBeGreaterThan(units('500'))
  const [idle] = await world.context.sql<{ cash: bigint; held: number }[]>`
    select coalesce(sum(s.cash + s.taken) filter (where s.status = 'out'), 0)::bigint as cash,
           (count(*) filter (where s.units > 0 and s.status = 'in'))::integer as held
      from sleeves s where s.bot_id = ${changing}`
  expect(idle?.cash).toBe(0n)
  expect(idle?.held).toBe(2)
  await expectReceipt(floor)
  expect((await world.app.inject('/metrics')).body).toContain(
    'waiting_sales{pair="BTC/USDT",reason="closed"} 3',
  )
  await expectAgreement(floor)

  setMarket(floor, 'online')
  await pass(floor, 3)
  const late = await paidBy(floor, closed)
  const latePart = await paidBy(floor, taking)
  expect(late.fee).toBe(feeOf(INVESTED, late.out))
  const stopped = (await user.call('listNotices')).items.find(({ kind }) => kind === 'bot-stopped')
  expect(stopped?.details['result'], 'of both payments together').toBe(
    unitsToDecimal(late.out - late.fee - INVESTED, 2),
  )
  expect(latePart.fee).toBe(feeOf(partOf(INVESTED, 5_000), latePart.out))
  expect(latePart.principal).toBe(partOf(INVESTED, 5_000))
  expect([late.times, latePart.times]).toEqual([2, 2])
  expect(await statesOf(floor)).toEqual([
    { id: changing, status: 'active', sells: false, pairs: [] },
    { id: taking, status: 'active', sells: false, pairs: [] },
  ])
  expect((await user.call('listBots')).map(({ isChanging }) => isChanging)).toEqual([false, false])
  expect(await noticesOf(floor, 'sale-over')).toEqual(names)
  expect(await noticesOf(floor, 'sale-waits')).toEqual(names)
  await expectAgreement(floor)
})

/** The receipt of the first part lists the pairs not sold yet. */
async function expectReceipt({ user }: Trading): Promise<void> {
  const rows = (await user.call('listTransactions', { query: { type: 'transfer' } })).items
  const parts = rows.filter(({ description }) => description.startsWith('First part'))
  expect(parts.map(({ description }) => description).toSorted()).toEqual([
    'First part returned from bot conservative',
    'First part taken out of bot moderate',
  ])
  for (const { id } of parts) {
    const { waitingPairs } = await user.call('getTransaction', { params: { id } })
    expect(waitingPairs).toEqual([
      { pair: 'BTC/USDT', reason: 'closed', since: expect.any(String) },
    ])
  }
}

type Failure = Pick<Venue, 'accepts' | 'execute'>

/** Ways in which a venue fails to sell the coins of one pair. */
const FAILURES: [WaitReason, string, Partial<Failure>][] = [
  ['closed', 'says that its market is closed', { accepts: async () => 'closed' }],
  [
    'closed',
    'does not know it',
    { accepts: () => Promise.reject(new OrderRejected('Kraken does not trade BTC/USDT')) },
  ],
  [
    'closed',
    'cannot size its orders',
    { accepts: () => Promise.reject(new AssertionFailed('Kraken charges 80 basis points')) },
  ],
  [
    'unfilled',
    'finds no buyer',
    {
      execute: async ({ side, price }) => ({
        side,
        price,
        quantity: 0n,
        notional: 0n,
        fee: 0n,
        isFullyFilled: false,
      }),
    },
  ],
]

test.each(FAILURES)('a pair is %s when the venue %s; its bot pays one fee', async (...given) => {
  const [reason, , failure] = given
  let isDead = false
  const paper = paperVenue(COSTS)
  const of = <Name extends keyof Failure>(name: Name, pair: Pair) =>
    (isDead && pair === 'BTC/USDT' && failure[name]) || paper[name]
  const venue: Venue = {
    name: 'Paper',
    accepts: (order) => of('accepts', order.pair)(order),
    execute: (order, lead) => of('execute', order.pair)(order, lead),
  }
  const world = await createRisingWorld({ venue, costs: COSTS })
  onTestFinished(() => world.close())
  const user = await world.user()
  await user.deposit('250')
  const body = { name: 'Steady', riskLevel: 'aggressive', investmentAmount: '200' } as const
  const { id } = await user.call('createBot', {
    body: { ...body, tradingPairs: ['BTC/USDT', 'XRP/USDT'] },
  })
  await world.hours(48)
  isDead = true
  await user.call('deleteBot', { params: { id } })
  await world.hours(2)
  await world.serve()
  const [bot] = await user.call('listBots')
  expect(bot).toMatchObject({ status: 'closing', waitingPairs: [{ pair: 'BTC/USDT', reason }] })
  const early = await paidBy({ world }, id)
  expect(early.out).toBeGreaterThan(units('90'))
  isDead = false
  await world.hours(1)
  await world.serve()
  const all = await paidBy({ world }, id)
  expect(all.fee).toBe(feeOf(units('200'), all.out))
  expect(all.fee).toBeGreaterThan(0n)
  expect(await user.call('listBots')).toEqual([])
  expect(await reconcile(world.context)).toEqual([])
})

/**
 * Signs in two operators. Returns a function by which both request a settlement: PAIR PRICE REASON.
 */
async function openSettling({ context }: Pick<World, 'context'>) {
  const operators: OperatorContext[] = []
  for (const name of ['Ada', 'Linus'])
    operators.push((await signInAs(context, { name, roles: ['payouts'] })).context)
  const settle = async (operator: 0 | 1, words: string) => {
    const by = required(operators[operator], 'an operator')
    return (await venueCommand(by, ['settle', ...words.split(' ')])).lines.join()
  }
  const [ticker] = await context.sql<{ price: bigint }[]>`
    select price from market_tickers where pair = 'BTC/USDT'`
  return { settle, half: unitsToDecimal(required(ticker, 'a price').price / 2n, 2) }
}

/** The reason of each trade in the exported file. */
async function exportedReasons({ world, user }: Trading) {
  const headers = { cookie: user.cookie }
  const { body } = await world.app.inject({ url: plainRoutes.trades, headers })
  const rows: Record<string, string>[] = parse(body, { columns: true })
  return new Map(rows.map(({ reference, reason }) => [reference, reason]))
}

const REFUSED: readonly [words: string, sentence: string][] = [
  ['BTC/EUR last gone', 'venue settle PAIR'],
  ['BTC/USDT last', 'venue settle PAIR'],
  ['ETH/USDT last gone', 'No coins of ETH/USDT'],
  ['BTC/USDT 0 gone', 'Give a price'],
  ['BTC/USDT -5 gone', 'Give a price'],
  ['BTC/USDT NaN gone', 'Give a price'],
  ['BTC/USDT 1e9 gone', 'Give a price'],
  ['BTC/USDT 0.01 gone', 'Give a price'],
  ['BTC/USDT 99999999 gone', 'Give a price'],
]

test('two operators buy the coins of a dead pair, and both books still reconcile', async () => {
  const floor = await openDeadPair()
  const { user, bots, world } = floor
  const [closed, taking, kept] = bots.map(({ id }) => id) as [string, string, string]
  await user.call('deleteBot', { params: { id: closed } })
  await user.call('takeOutOfBot', { params: { id: taking }, body: { percent: 50 } })
  const { settle, half } = await openSettling(world)
  await expect(settle(0, 'BTC/USDT last gone')).rejects.toThrow('No coins of BTC/USDT')
  await pass(floor, 3)
  for (const [words, sentence] of REFUSED) await expect(settle(0, words)).rejects.toThrow(sentence)
  expect(await settle(0, `BTC/USDT ${half} It was delisted.`)).toContain('Another operator')
  expect(await settle(0, `BTC/USDT ${half} It was delisted.`)).toContain('Another operator')
  expect(await settle(1, 'BTC/USDT last It was delisted.')).toContain('Another operator')
  await pass(floor, 2)
  expect((await paidBy(floor, closed)).times).toBe(1)
  expect(await settle(1, `BTC/USDT ${half} It was delisted.`)).toContain('Settled')
  await pass(floor, 2)
  const all = await paidBy(floor, closed)
  expect([all.times, all.fee]).toEqual([2, feeOf(INVESTED, all.out)])
  expect(await statesOf(floor)).toEqual([
    { id: kept, status: 'active', sells: false, pairs: [] },
    { id: taking, status: 'active', sells: false, pairs: [] },
  ])
  expect(await noticesOf(floor, 'sale-over')).toEqual([])
  const { items } = await user.call('listTransactions', { query: { type: 'trade' } })
  const receipts = await Promise.all(
    items.map(({ id }) => user.call('getTransaction', { params: { id } })),
  )
  const bought = receipts.flatMap(({ trade }) => trade ?? [])
  const settled = bought.filter(({ reason }) => reason.endsWith('It was delisted.'))
  expect(settled.map(({ price, venueFee }) => [units(price), units(venueFee)])).toEqual([
    [units(half), 0n],
    [units(half), 0n],
  ])
  const reasonOf = await exportedReasons(floor)
  expect(items.map(({ id }) => reasonOf.get(id))).toEqual(bought.map(({ reason }) => reason))
  const booked = await world.context.sql<{ asset: string; isGain: boolean }[]>`
    select a.asset, e.amount > 0 as is_gain
      from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
      join ledger_accounts a on a.id = e.account_id and a.code = 'bank'
     where t.kind = 'pair-settled' order by a.asset`
  expect(booked).toEqual([
    { asset: 'BTC', isGain: true },
    { asset: 'USD', isGain: false },
  ])
  await expectAgreement(floor)
  setMarket(floor, 'online')
  await pass(floor, 3)
  await expect(settle(0, `BTC/USDT ${half} gone`)).rejects.toThrow('No coins of BTC/USDT')
  await expectAgreement(floor)
})

test('coins of a pair without a price are bought, even if it left the feed', async () => {
  const world = await createRisingWorld()
  onTestFinished(() => world.close())
  const { context } = world
  const user = await world.user()
  await user.deposit('250')
  const body = { name: 'Steady', riskLevel: 'aggressive', investmentAmount: '200' } as const
  const { id } = await user.call('createBot', {
    body: { ...body, tradingPairs: ['BTC/USDT', 'XRP/USDT'] },
  })
  await world.hours(48)
  const { candles } = context.feed
  Object.assign(context.feed, {
    candles: (asked: Parameters<typeof candles>[0]) =>
      asked.pair === 'BTC/USDT' ? seriesOf([]) : candles(asked),
  })
  await world.hours(1)
  await user.call('deleteBot', { params: { id } })
  await world.hours(2)
  await world.serve()
  const [bot] = await user.call('listBots')
  expect(bot?.waitingPairs).toMatchObject([{ pair: 'BTC/USDT', reason: 'no-price' }])
  Object.assign(context.feed, { pairs: ['XRP/USDT'] })
  const { settle, half } = await openSettling(world)
  await settle(0, `BTC/USDT ${half} Its last day was Monday.`)
  await settle(1, `BTC/USDT ${half} Its last day was Monday.`)
  await world.hours(1)
  await world.serve()
  expect(await user.call('listBots')).toEqual([])
  const all = await paidBy({ world }, id)
  expect(all.fee).toBe(feeOf(units('200'), all.out))
  expect(await reconcile(context)).toEqual([])
})
