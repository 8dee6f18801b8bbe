import { afterAll, beforeAll, expect, test } from 'vitest'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { approveWithdrawal } from './approve-withdrawal.ts'
import { actingAs } from '../../../test/world/operators.ts'
import { pastRules } from '../../../test/world/past-rules.ts'
import { createWorld, type TestUser, type World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({
    config: {
      WITHDRAWAL_REVIEW_AMOUNT: 500,
      WITHDRAWAL_REVIEW_COUNT: 3,
      WITHDRAWAL_REVIEW_YOUNG: 300,
    },
  })
})
afterAll(() => world.close())

async function saver({ depositHours }: { depositHours: number }): Promise<TestUser> {
  const user = await world.user()
  await user.deposit('1000')
  await user.addBankAccount()
  await pastRules(
    world.context.sql,
    (tx) =>
      tx`update payment_intents set credited_at = credited_at - ${depositHours}::integer *
        interval '1 hour' where user_id = ${user.id}`,
  )
  return user
}

const request = async (user: TestUser, amount: string) =>
  user.call('requestWithdrawal', { body: { amount } })
const lineOf = async (id: string) =>
  (await withdrawalsCommand(actingAs(world.context, 'Grace'), ['list'])).lines.find((line) =>
    line.startsWith(id),
  )

test('a withdrawal above the daily review limit waits until an operator approves', async () => {
  const user = await saver({ depositHours: 73 })
  expect((await request(user, '400')).state).toBe('pending')
  const { id, state, cancelable } = await request(user, '101')
  expect([state, cancelable]).toEqual(['in_review', true])
  expect(await lineOf(id)).toMatch(
    /in_review +\$101\.00 .*above WITHDRAWAL_REVIEW_AMOUNT within 24 hours$/,
  )
  const stateOf = async () =>
    (await user.call('listWithdrawals')).find((withdrawal) => withdrawal.id === id)?.state
  await world.payOut()
  await world.payOut()
  expect(await stateOf()).toBe('in_review')
  await approveWithdrawal(world.context, {
    id,
    operator: actingAs(world.context, 'Grace').operator,
  })
  await world.payOut()
  await world.payOut()
  expect(await stateOf()).toBe('paid')
})

test('more withdrawals in a day than usual wait for an operator', async () => {
  const user = await saver({ depositHours: 73 })
  for (let number = 0; number < 5; number += 1)
    await user.call('cancelWithdrawal', { params: { id: (await request(user, '10')).id } })
  const states: string[] = []
  for (let number = 0; number < 4; number += 1) states.push((await request(user, '10')).state)
  expect(states).toEqual(['pending', 'pending', 'pending', 'in_review'])
  await pastRules(
    world.context.sql,
    (tx) =>
      tx`update withdrawal_requests set created_at = created_at - interval '24 hours'
        where user_id = ${user.id}`,
  )
  expect((await request(user, '10')).state).toBe('pending')
})

test('a withdrawal paid for by young card deposits waits for an operator', async () => {
  const [young, old] = [await saver({ depositHours: 71 }), await saver({ depositHours: 73 })]
  expect((await request(young, '300')).state).toBe('pending')
  const reviewed = await request(young, '301')
  expect(reviewed.state).toBe('in_review')
  expect(await lineOf(reviewed.id)).toContain(
    'above WITHDRAWAL_REVIEW_YOUNG from card deposits of the last 72 hours',
  )
  expect((await request(old, '301')).state).toBe('pending')
})

test('the owner gets the usual message, and sees that the withdrawal is in review', async () => {
  const user = await saver({ depositHours: 73 })
  const { id } = await request(user, '600')
  const rows = await world.context.sql<
    { kind: string }[]
  >`select kind from notices where user_id = ${user.id} and details ->> 'withdrawalId' = ${id}
    order by created_at`
  expect(rows.map(({ kind }) => kind)).toEqual(['withdrawal-pending', 'withdrawal-in_review'])
})
