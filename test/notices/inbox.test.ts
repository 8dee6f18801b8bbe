import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { atomically } from '#server/db/atomically.ts'
import { notify } from '#server/notices/notify.ts'
import { reportFirstTrades } from '#server/trading/report-first-trades.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser, World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createRisingWorld()
})
afterAll(() => world.close())

const inboxOf = async (user: TestUser): Promise<Notice[]> => (await user.call('listNotices')).items
const kindsOf = async (user: TestUser): Promise<string[]> =>
  (await inboxOf(user)).map(({ kind }) => kind).toReversed()
const unreadOf = async (user: TestUser): Promise<number> =>
  (await user.call('getUser')).unreadNotices

describe('the inbox', () => {
  test('lists a deposit, a bank account, and each state of a withdrawal in order', async () => {
    const ada = await world.user()
    await ada.deposit('500')
    const account = await ada.addBankAccount()
    const { id } = await ada.call('requestWithdrawal', { body: { amount: '20' } })
    await world.payOut()
    await world.payOut()
    await ada.call('removeBankAccount', { params: { id: account } })
    expect(await kindsOf(ada)).toEqual([
      'deposit',
      'bank-account-added',
      'withdrawal-pending',
      'withdrawal-approved',
      'withdrawal-submitted',
      'withdrawal-paid',
      'bank-account-removed',
    ])
    const [, paid] = await inboxOf(ada)
    expect(paid?.details).toEqual({
      amount: '20.00',
      account: 'First Bank ••6789',
      withdrawalId: id,
    })
  })

  test('lists a deposit once, with its row of the history', async () => {
    const ada = await world.user()
    await ada.deposit('500')
    const [row] = (await ada.call('listTransactions')).items
    const [deposit] = await inboxOf(ada)
    expect(deposit?.details).toEqual({ amount: '500.00', transactionId: row?.id })
    expect(await kindsOf(ada)).toEqual(['deposit'])
  })

  test('lists a sign-in from a new browser', async () => {
    const ada = await world.user()
    const login = (cookie?: string) =>
      world.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username: ada.username, password: 'correct horse battery' },
        headers: {
          'sec-fetch-site': 'same-origin',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
          ...(cookie && { cookie }),
        },
      })
    const first = await login()
    expect(await kindsOf(ada)).toEqual(['sign-in'])
    expect((await inboxOf(ada))[0]?.details['device']).toContain('Firefox')
    const device = [first.headers['set-cookie']]
      .flat()
      .find((cookie) => cookie?.startsWith('device='))
      ?.split(';')[0]
    await login(device)
    expect(await kindsOf(ada)).toEqual(['sign-in'])
  })

  test('lists a changed password', async () => {
    const ada = await world.user()
    await ada.call('changePassword', {
      body: { currentPassword: 'correct horse battery', newPassword: 'another long password' },
    })
    const kinds = await world.context.sql<
      { kind: string }[]
    >`select kind from notices where user_id = ${ada.id}`
    expect(kinds.map(({ kind }) => kind)).toEqual(['password-changed'])
  })

  test('lists a bot’s first trade once, and its closing with the returned money', async () => {
    const ada = await world.user()
    await ada.deposit('500')
    const bot = await ada.call('createBot', {
      body: {
        name: 'Steady',
        riskLevel: 'aggressive',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '100',
      },
    })
    await reportFirstTrades(world.context)
    expect(await kindsOf(ada), 'nothing was bought so far').toEqual(['deposit'])
    await world.hours(2)
    await reportFirstTrades(world.context)
    await reportFirstTrades(world.context)
    expect(await kindsOf(ada)).toEqual(['deposit', 'first-trade'])
    const [first] = await inboxOf(ada)
    const { bot: now } = await ada.call('getBotPerformance', { params: { id: bot.id } })
    const bought = (await ada.call('listBotTrades', { params: { id: bot.id } })).items.at(-1)
    expect(first?.details).toEqual({
      bot: 'Steady',
      botId: bot.id,
      worth: now.equity,
      result: now.totalProfit,
      why: bought?.reason,
    })
    expect(first?.details['why']).toMatch(/ of the money for this coin is invested\.$/)
    await ada.call('deleteBot', { params: { id: bot.id } })
    await world.hours(1)
    await world.serve()
    expect(await kindsOf(ada)).toEqual(['deposit', 'first-trade', 'bot-stopped'])
    const [stopped] = await inboxOf(ada)
    const returned = (await ada.call('listTransactions', { query: { type: 'transfer' } })).items[0]
    const amount = returned?.amount ?? ''
    const result = unitsToDecimal(decimalToUnits(amount) - decimalToUnits('100'), 2)
    expect(stopped?.details).toEqual({ bot: 'Steady', botId: bot.id, amount, result })
  })

  test('counts unread notices, and marks one or all as read', async () => {
    const ada = await world.user()
    await ada.deposit('500')
    await ada.addBankAccount()
    expect(await unreadOf(ada)).toBe(2)
    const [newest] = await inboxOf(ada)
    expect(await ada.call('readNotices', { body: { id: newest?.id } })).toEqual({ read: 1 })
    expect(await ada.call('readNotices', { body: { id: newest?.id } })).toEqual({ read: 0 })
    expect((await inboxOf(ada)).map(({ isRead }) => isRead)).toEqual([true, false])
    expect(await unreadOf(ada)).toBe(1)
    expect(await ada.call('readNotices', { body: {} })).toEqual({ read: 1 })
    expect(await unreadOf(ada)).toBe(0)
  })

  test('the inbox can be read and marked only by its own user', async () => {
    const [ada, eve] = [await world.user(), await world.user()]
    await ada.deposit('500')
    expect(await inboxOf(eve)).toEqual([])
    const [notice] = await inboxOf(ada)
    expect(await eve.call('readNotices', { body: { id: notice?.id } })).toEqual({ read: 0 })
    expect(await unreadOf(ada)).toBe(1)
  })

  test('the inbox has pages, and each notice is on exactly one', async () => {
    const ada = await world.user()
    const events = Array.from({ length: 120 }, (_, number) => ({
      userId: ada.id,
      kind: 'deposit' as const,
      event: `test:${number}`,
      details: { amount: `${number}.00` },
    }))
    await atomically(world.context.sql, (tx) => notify(tx, ...events))
    const found: string[] = []
    for (let cursor: string | undefined, pages = 0; pages < 3; pages += 1) {
      const page = await ada.call('listNotices', { query: cursor === undefined ? {} : { cursor } })
      found.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    }
    expect(new Set(found).size).toBe(120)
    expect((await ada.ask('listNotices', { query: { cursor: 'no-cursor' } })).body.code).toBe(
      'cursor-invalid',
    )
  })
})

describe('a notice', () => {
  const deposit = (userId: string) => ({
    userId,
    kind: 'deposit' as const,
    event: 'transaction:1',
    details: { amount: '1.00' },
  })

  test('a notice is stored once, however often and concurrently its event is written', async () => {
    const ada = await world.user()
    await Promise.all(
      Array.from({ length: 20 }, () =>
        atomically(world.context.sql, (tx) => notify(tx, deposit(ada.id))),
      ),
    )
    expect(await kindsOf(ada)).toEqual(['deposit'])
  })

  test('a notice is rolled back with its transaction', async () => {
    const ada = await world.user()
    const failed = atomically(world.context.sql, async (tx) => {
      await notify(tx, deposit(ada.id))
      throw new Error('the action fails afterwards')
    })
    await expect(failed).rejects.toThrow('the action fails afterwards')
    expect(await kindsOf(ada)).toEqual([])
  })
})
