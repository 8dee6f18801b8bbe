import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { movement } from '#core/ledger/transfer.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { post } from '#server/ledger/post.ts'
import { reportDifferences } from '#server/notices/report-differences.ts'
import { reportLosses } from '#server/notices/report-losses.ts'
import { sendDigests } from '#server/notices/send-digests.ts'
import { portfolioOf } from '../world/balance-curve.ts'
import { createRisingWorld } from '../world/small-book.ts'
import type { TestUser, World } from '../world/world.ts'

let world: World
let clock = new Date('2026-11-20T12:00:00Z')
beforeAll(async () => {
  world = await createRisingWorld()
  world.context.now = () => clock
})
afterAll(() => world.close())

const units = (text: string | undefined) => parseDecimal(text ?? '') ?? 0n
const ofKind = async (user: TestUser, kind: string): Promise<Notice[]> =>
  (await user.call('listNotices')).items.filter((notice) => notice.kind === kind)
const joinedOn = (user: TestUser, day: string) =>
  world.context.sql`update users set created_at = ${new Date(day)} where id = ${user.id}`

/** The amounts of the history, by type, without rows that failed. */
async function history(user: TestUser): Promise<Record<string, bigint>> {
  const { items } = await user.call('listTransactions')
  const sums: Record<string, bigint> = {}
  for (const { type, amount, status } of items)
    if (status !== 'failed') sums[type] = (sums[type] ?? 0n) + units(amount)
  return sums
}

test("each weekly figure equals the ledger's, and the weeks add up to the balance", async () => {
  const ada = await world.user()
  await joinedOn(ada, '2026-11-01T00:00:00Z')
  await ada.deposit('1000')
  await ada.addBankAccount()
  const bot = await ada.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '600',
    },
  })
  await world.hours(30)
  clock = new Date('2026-11-23T08:00:00Z')
  await sendDigests(world.context)
  const [first] = await ofKind(ada, 'digest')
  const before = await portfolioOf(ada)
  expect(first?.details).toEqual({
    week: '2026-W48',
    from: '2026-11-01',
    to: '2026-11-23',
    balance: before.totalBalance,
    result: before.change.amount,
    deposited: '1000.00',
    withdrawn: '0.00',
    fees: '0.00',
  })
  await ada.deposit('200')
  await ada.call('requestWithdrawal', { body: { amount: '50' } })
  await world.payOut()
  await world.payOut()
  await world.hours(200)
  await ada.call('deleteBot', { params: { id: bot.id } })
  await world.hours(1)
  await world.serve()
  clock = new Date('2026-11-30T09:00:00Z')
  await sendDigests(world.context)
  const [second] = await ofKind(ada, 'digest')
  const user = await ada.call('getUser')
  const rows = await history(ada)
  const [fee] = await world.context.sql<
    { amount: bigint }[]
  >`select coalesce(sum(fee_amount), 0)::bigint as amount from platform_fees
    where user_id = ${ada.id}`
  expect(second?.details).toMatchObject({
    week: '2026-W49',
    from: '2026-11-23',
    to: '2026-11-30',
    balance: user.totalBalance,
    deposited: '200.00',
    withdrawn: '50.00',
  })
  expect(units(second?.details['fees'])).toBe(((fee?.amount ?? 0n) / 1_000_000n) * 1_000_000n)
  expect(fee?.amount ?? 0n, 'the market rose: there is a fee to compare').toBeGreaterThan(0n)
  expect(rows['deposit']).toBe(units('1200'))
  const whole = units(first?.details['result']) + units(second?.details['result'])
  expect(whole).toBe(units(user.totalBalance) - units('1200') + units('50'))
})

test('a digest is written once a week, from Monday on, for users who joined before', async () => {
  const [ada, newcomer, idle] = [await world.user(), await world.user(), await world.user()]
  for (const user of [ada, newcomer]) await user.deposit('100')
  await joinedOn(ada, '2026-12-01T00:00:00Z')
  await joinedOn(idle, '2026-12-01T00:00:00Z')
  await joinedOn(newcomer, '2026-12-07T09:00:00Z')
  const detailsOf = async (user: TestUser) =>
    (await ofKind(user, 'digest')).map(({ details }) => details).toReversed()
  const weeks = async (user: TestUser) => (await detailsOf(user)).map(({ week }) => week)
  for (const moment of [
    '2026-12-07T07:59:00Z',
    '2026-12-07T08:00:00Z',
    '2026-12-07T10:00:00Z',
    '2026-12-13T23:00:00Z',
    '2026-12-14T08:10:00Z',
    '2027-01-04T12:00:00Z',
  ]) {
    clock = new Date(moment)
    await Promise.all([sendDigests(world.context), sendDigests(world.context)])
  }
  expect(await weeks(ada)).toEqual(['2026-W50', '2026-W51', '2027-W01'])
  expect(await weeks(newcomer)).toEqual(['2026-W51', '2027-W01'])
  expect(await weeks(idle)).toEqual([])
  expect(
    (await detailsOf(ada)).map(({ from, to }) => [from, to]),
    'each begins where the one before ended, also after a gap',
  ).toEqual([
    ['2026-12-01', '2026-12-07'],
    ['2026-12-07', '2026-12-14'],
    ['2026-12-14', '2027-01-04'],
  ])
})

test('a loss beyond the user’s limit is reported once, and again after a recovery', async () => {
  const ada = await world.user()
  await ada.deposit('1000')
  expect(await ada.call('updateNoticeSettings', { body: { lossLimit: '30' } })).toMatchObject({
    lossLimit: '30.00',
  })
  // A fee counts as a loss, because the user had the money before.
  const lose = (text: string) =>
    world.context.atomically((tx) => {
      const [userId, amount, id] = [ada.id, units(text), world.context.newId()]
      const entries = [
        { account: { code: 'customer:cash', asset: 'USD', owner: userId }, amount: -amount },
        { account: { code: 'fees:income', asset: 'USD', owner: userId }, amount },
      ] as const
      return post(tx, {
        id,
        dedupKey: id,
        movement: movement('lost', [...entries]),
        userId,
        eventTime: clock,
      })
    })
  await reportLosses(world.context)
  expect(await ofKind(ada, 'loss-limit')).toEqual([])
  await lose('29.99')
  await reportLosses(world.context)
  expect(await ofKind(ada, 'loss-limit')).toEqual([])
  await lose('0.01')
  await Promise.all([reportLosses(world.context), reportLosses(world.context)])
  expect((await ofKind(ada, 'loss-limit')).map(({ details }) => details)).toEqual([
    { loss: '30.00', limit: '30.00' },
  ])
  await lose('-2')
  await reportLosses(world.context)
  await lose('2')
  await reportLosses(world.context)
  expect(await ofKind(ada, 'loss-limit'), 'it was never well below').toHaveLength(1)
  await lose('-4')
  await reportLosses(world.context)
  await lose('5')
  await reportLosses(world.context)
  expect((await ofKind(ada, 'loss-limit'))[0]?.details).toEqual({ loss: '31.00', limit: '30.00' })
  await ada.call('updateNoticeSettings', { body: { lossLimit: null } })
  await lose('50')
  await reportLosses(world.context)
  expect(await ofKind(ada, 'loss-limit')).toHaveLength(2)
})

test('a difference in the book is reported once a day, and only to the named user', async () => {
  const [ada, eve] = [await world.user(), await world.user()]
  const differences = [
    { subject: ada.id },
    { subject: 'BTC' },
    { subject: '0197f000-0000-7000-8000-000000000001' },
  ]
  await reportDifferences(world.context, differences)
  await reportDifferences(world.context, differences)
  expect(await ofKind(ada, 'book-differs')).toHaveLength(1)
  expect(await ofKind(eve, 'book-differs')).toEqual([])
})
