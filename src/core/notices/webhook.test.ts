import { expect, test } from 'vitest'
import { NOTICE_KINDS, type NoticeKind } from './notice.ts'
import { webhookDetails, webhookRetryMs, webhookType } from './webhook.ts'

test('a webhook is tried eight times, by the schedule of the specification', () => {
  const waits = Array.from({ length: 9 }, (_, index) => webhookRetryMs(index + 1, 0))
  expect(waits).toEqual([
    5_000,
    300_000,
    1_800_000,
    7_200_000,
    18_000_000,
    36_000_000,
    50_400_000,
    undefined,
    undefined,
  ])
})

test('jitter lengthens a wait by at most a fifth, and never shortens it', () => {
  expect(webhookRetryMs(2, 0.5)).toBe(330_000)
  expect(webhookRetryMs(2, 1)).toBe(360_000)
})

test('types have the characters that the specification allows, and differ by kind', () => {
  const types = (Object.keys(NOTICE_KINDS) as NoticeKind[]).map(webhookType)
  expect(types).toContain('withdrawals.withdrawal_paid')
  for (const type of types) expect(type).toMatch(/^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+$/)
  expect(new Set(types).size).toBe(types.length)
})

test('figures and ids are sent; banks, addresses, devices and unknown details are not', () => {
  expect(
    webhookDetails({
      amount: '10.00',
      transactionId: 'x',
      account: 'First Bank ••1234',
      address: 'ada@bots.example',
      device: 'Firefox',
      host: 'hooks.bots.example',
      username: 'ada',
      other: 'x',
    }),
  ).toEqual({ amount: '10.00', transactionId: 'x' })
})
