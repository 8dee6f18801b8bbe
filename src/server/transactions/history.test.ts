import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRANSACTION_TYPES, type Transaction } from '#contract/transactions.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { valueCurve } from '#core/bots/value-curve.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { flowsOfBots, pastOfPools } from '#server/bots/bot-flows.ts'
import { closingNow } from '#server/bots/show-bot.ts'
import { atomically } from '#server/db/atomically.ts'
import { findBotMoney, findBots } from '#server/bots/store.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { findChanges, findMarks, findStays } from '#server/holdings/stays.ts'
import { timeOfId } from '#server/kernel/ids.ts'
import { portfolioOf } from '../../../test/world/balance-curve.ts'
import { createRisingWorld, fillSmallBook } from '../../../test/world/small-book.ts'
import { type TestUser, type World } from '../../../test/world/world.ts'

let world: World
let ada: TestUser

beforeAll(async () => {
  world = await createRisingWorld()
  ada = (await fillSmallBook(world)).ada
  await moveBots()
  for (let more = 0; more < 40; more += 1) await ada.deposit('10')
})
afterAll(() => world.close())

/** One bot is topped up and partly taken out; another is paused, resumed and paused again. */
async function moveBots(): Promise<void> {
  const idOf = async (name: string) =>
    (await ada.call('listBots')).find((bot) => bot.name === name)?.id
  const [kept, paused] = [await idOf('kept'), await idOf('paused')]
  await ada.call('topUpBot', { params: { id: kept }, body: { amount: '50' } })
  await ada.call('updateBot', { params: { id: paused }, body: { isActive: true } })
  await world.hours(3)
  await ada.call('takeOutOfBot', { params: { id: kept }, body: { percent: 25 } })
  await world.hours(3)
  await ada.call('updateBot', { params: { id: paused }, body: { isActive: false } })
  await world.hours(3)
}

async function history(
  type?: Transaction['type'],
): Promise<{ rows: Transaction[]; pages: number }> {
  const rows: Transaction[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const page = await ada.call('listTransactions', {
      query: { ...(type && { type }), ...(cursor && { cursor }) },
    })
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return { rows, pages }
}

const CENT = decimalToUnits('0.01')
const sum = (amounts: string[]) =>
  amounts.reduce((total, amount) => total + decimalToUnits(amount), 0n)

test('pages hold every row once, newest first', async () => {
  const { rows, pages } = await history()
  expect(pages).toBeGreaterThan(1)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  const times = rows.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('every row of every history has the time of its id, by which rows are sorted', async () => {
  const rows = await world.context.sql<
    { id: string; createdAt: Date }[]
  >`select id, created_at from transactions union all select id, created_at from pool_changes`
  expect(rows.length).toBeGreaterThan(100)
  expect(
    rows.filter(({ id, createdAt }) => timeOfId(id).getTime() !== createdAt.getTime()),
  ).toEqual([])
})

test("a purchase booked during its bot's top-up is sorted by the time shown", async () => {
  const user = await world.user()
  await user.deposit('1000')
  const { id } = await user.call('createBot', {
    body: {
      name: 'quick',
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '200',
    },
  })
  const { sql, venue } = world.context
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  const { execute } = venue
  let isHeld: Promise<void> | undefined
  venue.execute = async (order, lead) => {
    // From here on the purchase is blocked: it has its id and waits for the lock on its bot.
    await (isHeld ??= new Promise(
      (resolve) =>
        void atomically(sql, async (tx) => {
          await tx`select from sleeves where bot_id = ${id} for update`
          resolve()
          await released
        }),
    ))
    return execute.call(venue, order, lead)
  }
  const served = world.serve()
  await expect
    .poll(
      () =>
        sql`select from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'`,
    )
    .toHaveLength(1)
  await user.call('topUpBot', { params: { id }, body: { amount: '50' } })
  release()
  await served
  venue.execute = execute
  const { items } = await user.call('listTransactions')
  expect(items.map(({ type }) => type)).toEqual(expect.arrayContaining(['trade', 'transfer']))
  const times = items.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('rows that are neither trades nor failed add up to the balance, at every page', async () => {
  const { rows } = await history()
  const cash = rows.filter(({ type, status }) => type !== 'trade' && status !== 'failed')
  const { availableBalance } = await ada.call('getUser')
  expect(unitsToDecimal(sum(cash.map(({ amount }) => amount)), 2)).toBe(availableBalance)
  expect((await ada.call('listTransactions')).cash).toBe(availableBalance)
  const floored = (
    await world.context.sql<
      { amount: bigint }[]
    >`select amount from transactions where user_id = ${ada.id} and status <> 'failed'`
  ).reduce((total, row) => total + decimalToUnits(unitsToDecimal(row.amount, 2)), 0n)
  expect(unitsToDecimal(floored, 2), 'rounding each row by itself would lose cents').not.toBe(
    availableBalance,
  )
})

test('a trade has the amount and the fee that its bot shows', async () => {
  const rows = new Map((await history('trade')).rows.map((row) => [row.id, row]))
  for (const { id, name } of await ada.call('listBots')) {
    const { items } = await ada.call('listBotTrades', { params: { id } })
    expect(items.length).toBeGreaterThan(0)
    for (const { id: tradeId, amount, venueFee, side, marketTime } of items) {
      expect(rows.get(tradeId)).toMatchObject({
        amount: side === 'buy' ? `-${amount}` : amount,
        venueFee,
        marketTime,
        bot: { id, name },
      })
    }
  }
})

test('every row of the history matches exactly one filter', async () => {
  const all = (await history()).rows
  const parts = await Promise.all(
    TRANSACTION_TYPES.map(async (type) => ({ type, rows: (await history(type)).rows })),
  )
  for (const { type, rows } of parts) expect(rows).toEqual(all.filter((row) => row.type === type))
  expect(parts.flatMap(({ rows }) => rows)).toHaveLength(all.length)
  expect(parts.filter(({ rows }) => rows.length > 0).map(({ type }) => type)).toEqual([
    'deposit',
    'withdrawal',
    'trade',
    'transfer',
  ])
})

test("the statement starts at zero, adds up and ends at the ledger's balance", async () => {
  const answer = await world.app.inject({
    url: plainRoutes.statement,
    headers: { cookie: ada.cookie },
  })
  const [head] = answer.body.split('\n', 1)
  expect(head).toBe(
    'date,type,description,status,amount,balance,currency,fee,fee currency,reference',
  )
  const lines = rowsOf(answer.body)
  let balance = 0n
  let fees = 0n
  for (const { amount = '', balance: after = '', fee = '', ...row } of lines) {
    balance += decimalToUnits(amount)
    fees += decimalToUnits(fee)
    expect(decimalToUnits(after)).toBe(balance)
    expect([row['currency'], row['fee currency']]).toEqual(['USD', 'USD'])
  }
  const [paid] = await world.context.sql<{ fees: bigint }[]>`
    select coalesce(sum(fee_amount), 0)::bigint as fees from platform_fees
     where user_id = ${ada.id}`
  expect(fees).toBe(paid?.fees)
  expect(fees).toBeGreaterThan(0n)
  expect(balance).toBe((await readBalances(world.context.sql, ada.id)).cash)
  const cash = (await history()).rows.filter(({ type }) => type !== 'trade')
  expect(lines).toHaveLength(cash.length)
})

test('every row has a receipt with its ledger entries, whose dollars match', async () => {
  for (const { id, type, amount } of (await history()).rows) {
    const receipt = await ada.call('getTransaction', { params: { id } })
    expect(receipt.transaction).toMatchObject({ id, amount })
    expect(receipt.lines.length).toBeGreaterThan(1)
    if (type === 'trade') {
      const { amount: onBot, side: way } = receipt.trade ?? {}
      expect(amount).toBe(way === 'buy' ? `-${onBot}` : onBot)
      const [money, coins] = receipt.lines
      const { price = '', quantity = '', venueFee = '', side } = receipt.trade ?? {}
      const beforeFee = decimalToUnits(money?.amount ?? '') + decimalToUnits(venueFee ?? '')
      expect(unitsToDecimal(beforeFee, 2), 'rounded down, whichever way the money goes').toBe(
        amount,
      )
      expect(coins?.amount).toBe(side === 'buy' ? quantity : `-${quantity}`)
      const cost = (decimalToUnits(quantity) * decimalToUnits(price)) / 100_000_000n
      const signed =
        side === 'buy' ? -cost - decimalToUnits(venueFee) : cost - decimalToUnits(venueFee)
      const gap = signed - decimalToUnits(money?.amount ?? '')
      const most = decimalToUnits(price) / 100_000_000n + 3n
      expect(
        gap > -most && gap < most,
        'the money is quantity × price and the fee, to one unit of the coin',
      ).toBe(true)
      const { weight = '0', whole = '1', quantity: all = '0' } = receipt.part ?? {}
      const part = BigInt(weight) * decimalToUnits(all)
      expect(
        side === 'buy' ? part / BigInt(whole) : (part + BigInt(whole) - 1n) / BigInt(whole),
      ).toBe(decimalToUnits(quantity))
    } else {
      expect(receipt.trade).toBeNull()
      expect(
        sum(receipt.lines.filter(({ asset }) => asset === 'USD').map((line) => line.amount)),
      ).toBe(0n)
      const gaps = receipt.lines.map((line) => decimalToUnits(line.amount) - decimalToUnits(amount))
      expect(
        gaps.some((gap) => gap > -CENT && gap < CENT),
        'an amount is the change of the shown balance: less than a cent from the ledger',
      ).toBe(true)
      expect(receipt.paymentIntentId !== null).toBe(type === 'deposit')
    }
  }
})

test('the receipt of a trade has the price around it and the broken level', async () => {
  for (const { id } of (await history()).rows) {
    const { trade, picture } = await ada.call('getTransaction', { params: { id } })
    if (!trade) {
      expect(picture).toBeNull()
      continue
    }
    const { prices = [], bought = null, level = null } = picture ?? {}
    expect(prices.length).toBeGreaterThan(10)
    expect(prices.length).toBeLessThan(160)
    const times = prices.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
    expect(times.some((at) => at >= trade.marketTime)).toBe(true)
    expect(times[0] && times[0] < (bought?.at ?? trade.marketTime)).toBe(true)
    expect(bought === null).toBe(trade.side === 'buy')
    expect(level === null).toBe(!/high \(|trend \(/.test(trade.reason))
  }
})

test('the receipt of money returned from a bot shows the platform fee', async () => {
  const { sql } = world.context
  const fees = await sql<
    { userProfit: bigint; feeAmount: bigint }[]
  >`select user_profit, fee_amount from platform_fees where user_id = ${ada.id}`
  const left = (await history('transfer')).rows.filter(({ description }) =>
    /^(Returned from|Taken out of) bot/.test(description),
  )
  expect(left.length).toBeGreaterThan(1)
  const kept = await Promise.all(
    left.map(async ({ id }) => {
      const { lines } = await ada.call('getTransaction', { params: { id } })
      expect(lines.map(({ account }) => account).toSorted()).toEqual([
        'bots',
        'customer:cash',
        'fees:income',
      ])
      return decimalToUnits(lines.find(({ account }) => account === 'fees:income')?.amount ?? '')
    }),
  )
  expect(kept.toSorted()).toEqual(fees.map(({ feeAmount }) => feeAmount).toSorted())
  for (const { userProfit, feeAmount } of fees) expect(feeAmount).toBe((userProfit * 15n) / 100n)
})

type Row = Record<string, string>

/** Reads rows by the names in the first line, as a program would that does not know the product. */
const rowsOf = (body: string, delimiter = ','): Row[] =>
  parse(body, { bom: true, columns: true, delimiter })

test("the trade export has every trade once, oldest first, with sales' results", async () => {
  const answer = await world.app.inject({
    url: plainRoutes.trades,
    headers: { cookie: ada.cookie },
  })
  const [head] = answer.body.split('\n', 1)
  expect(head).toBe(
    'market time,recorded,bot,pair,side,quantity,coin,price,amount,currency,fee,fee currency,' +
      'cost basis,realized result,reference,reason',
  )
  const lines = rowsOf(answer.body)
  const trades = (await history('trade')).rows
  expect(lines.map(({ reference }) => reference ?? '').toSorted()).toEqual(
    trades.map(({ id }) => id).toSorted(),
  )
  const { path } = await ada.call('exportData')
  const copy = await world.app.inject({ url: path, headers: { cookie: ada.cookie } })
  expect(copy.json<{ trades: Row[] }>().trades.map(({ id, reason }) => [id, reason])).toEqual(
    lines.map(({ reference, reason }) => [reference, reason]),
  )
  const times = lines.map(({ recorded }) => recorded ?? '')
  expect(times).toEqual(times.toSorted())
  for (const { pair, side, quantity, price, amount = '', fee = '', reference, ...row } of lines) {
    const { trade } = await ada.call('getTransaction', { params: { id: reference } })
    const [cost = '', result = ''] = [row['cost basis'], row['realized result']]
    expect(trade).toMatchObject({
      tradingPair: pair,
      side,
      quantity,
      price,
      venueFee: fee,
      profit: result === '' ? null : result,
      reason: row['reason'],
    })
    expect([row['coin'], row['currency'], row['fee currency']]).toEqual([
      pair?.split('/')[0],
      'USD',
      'USD',
    ])
    const total = decimalToUnits(amount) + (side === 'buy' ? 1n : -1n) * decimalToUnits(fee)
    expect(
      side === 'buy' ? decimalToUnits(cost) : decimalToUnits(cost) + decimalToUnits(result),
    ).toBe(total)
  }
})

test.each(['trades', 'statement'] as const)(
  'a German spreadsheet reads the file %s: its mark, semicolons and decimal commas',
  async (name) => {
    const read = async (language: string) =>
      (
        await world.app.inject({
          url: plainRoutes[name],
          headers: { cookie: ada.cookie, 'accept-language': language },
        })
      ).rawPayload
    const [english, german] = [await read('en-US'), await read('de-DE,de;q=0.9,en;q=0.8')]
    expect(german.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(english.subarray(0, 3)).not.toEqual(german.subarray(0, 3))
    const rows = rowsOf(german.toString('utf8'), ';')
    expect(rows.length).toBeGreaterThan(1)
    const inEnglish = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, cell]) => [
          key,
          /^-?\d+,\d{8}$/.test(cell) ? cell.replace(',', '.') : cell,
        ]),
      ),
    )
    expect(inEnglish).toEqual(rowsOf(english.toString('utf8')))
    expect(german.toString('utf8')).not.toMatch(/;-?\d+\.\d+;/)
  },
)

test('the export of one bot has only its trades, the same as on its page', async () => {
  const [bot] = await ada.call('listBots')
  const answer = await world.app.inject({
    url: `${plainRoutes.trades}?bot=${bot?.id}`,
    headers: { cookie: ada.cookie },
  })
  const page = await ada.call('listBotTrades', { params: { id: bot?.id } })
  expect(page.items.length).toBeGreaterThan(0)
  expect(
    rowsOf(answer.body)
      .map(({ reference }) => reference)
      .toReversed(),
  ).toEqual(page.items.map(({ id }) => id))
})

test('holdings replayed from stays and transfers equal the current holdings', async () => {
  const { sql } = world.context
  const marks = await findChanges(sql, { userId: ada.id })
  const [stays, money] = [
    await findStays(sql, { userId: ada.id }),
    await findBotMoney(sql, { userId: ada.id }),
  ]
  const flows = flowsOfBots({ stays, marks, money }).flatMap(({ flows: own }) => own)
  const held = { cash: 0n, base: 0n, units: 0n, invested: 0n }
  for (const { cash, base = 0n, units = 0n, invested = 0n } of flows) {
    held.cash += cash
    held.base += base
    held.units += units
    held.invested += invested
  }
  const [own] = await sql<{ cash: bigint; base: bigint; units: string }[]>`
    select (sum(s.cash + s.taken) + (select sum(pending) from trading_bots b
           where b.user_id = ${ada.id}))::bigint as cash, sum(s.base)::bigint as base,
           sum(s.units)::text as units
      from sleeves s where s.user_id = ${ada.id}`
  const [bots] = await sql<
    { invested: bigint }[]
  >`select sum(invested)::bigint as invested from trading_bots where user_id = ${ada.id}`
  expect({ ...held, units: held.units.toString() }).toEqual({ ...own, invested: bots?.invested })
  expect(held.units).toBeGreaterThan(0n)
  expect(held.base).toBeGreaterThan(0n)
})

/**
 * Each hour of this market opens where the last one closed, so the curve and the balance use the
 * same prices.
 */
test('the curve ends at the current balance, to the unit', async () => {
  const { sql, market, candles } = world.context
  const nowMs = market.now().getTime()
  const marks = await findMarks(sql, { userId: ada.id }, market.now())
  const [stays, money] = [
    await findStays(sql, { userId: ada.id }),
    await findBotMoney(sql, { userId: ada.id }),
  ]
  const owners = flowsOfBots({ stays, marks, money })
  const input = {
    owners,
    pools: pastOfPools(marks),
    timesMs: [nowMs],
    seriesOf: (pair: Pair) => candles.until(pair, nowMs),
  }
  const [now] = valueCurve(input)
  const bots = await findBots(sql, ada.id)
  expect(now?.equity).toBe(bots.reduce((total, bot) => total + closingNow(bot).equity, 0n))
})

test("a bot's equity is its value minus the closing fee, and both curves end there", async () => {
  const bots = await ada.call('listBots')
  for (const { id } of bots) {
    const { bot, holdings, equityCurve } = await ada.call('getBotPerformance', { params: { id } })
    const worth = sum(holdings.flatMap(({ cash, value }) => [cash, value]))
    const shown = sum([bot.equity, bot.closingFee])
    const gap = shown - worth
    expect(
      gap <= CENT * BigInt(2 * holdings.length) && gap >= -2n * CENT,
      'shown amounts are rounded down to cents',
    ).toBe(true)
    expect(equityCurve.at(-1)?.value).toBe(bot.equity)
  }
  const { investedBalance, totalBalance, curve } = await portfolioOf(ada)
  expect(decimalToUnits(investedBalance)).toBe(sum(bots.map(({ equity }) => equity)))
  expect(curve.at(-1)?.value).toBe(totalBalance)
})

test('a page may end inside a pool change in which several bots of a user traded', async () => {
  const user = await world.user()
  await user.deposit('500')
  const bot = { riskLevel: 'aggressive', tradingPairs: ['BTC/USDT'], investmentAmount: '2' }
  const ids: string[] = []
  for (let index = 0; index < 60; index += 1)
    ids.push((await user.call('createBot', { body: { ...bot, name: `bot ${index}` } })).id)
  await world.serve()
  const first = await user.call('listTransactions', { query: { type: 'trade' } })
  const second = await user.call('listTransactions', {
    query: { type: 'trade', cursor: first.nextCursor ?? '' },
  })
  const rows = [...first.items, ...second.items]
  expect([first.items.length, second.items.length, second.nextCursor]).toEqual([50, 10, null])
  expect(new Set(rows.map(({ id }) => id.split('.')[0])).size).toBe(1)
  expect(rows.map(({ id }) => id.split('.')[1])).toEqual(ids.toSorted().toReversed())
})

test('the name of a bot cannot become a formula in the trade export', async () => {
  const user = await world.user()
  await user.deposit('500')
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '=1,"2"']
  const bot = { riskLevel: 'aggressive', tradingPairs: ['BTC/USDT'], investmentAmount: '50' }
  for (const name of names) await user.call('createBot', { body: { ...bot, name } })
  await world.hours(2)
  const { body } = await world.app.inject({
    url: plainRoutes.trades,
    headers: { cookie: user.cookie },
  })
  const cells = rowsOf(body).map(({ bot: name }) => name)
  expect([...new Set(cells)].toSorted()).toEqual(
    ["'=1+1", "'+1", "'-1", "'@SUM(A1)", `'=1,"2"`].toSorted(),
  )
})
