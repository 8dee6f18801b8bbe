import { afterAll, beforeAll, expect, test } from 'vitest'
import { atomically } from '#server/db/atomically.ts'
import { haltOrders, resumeOrders } from '#server/trading/halt.ts'
import { createWorld, type World } from '../../../test/world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const health = async () => {
  const answer = await world.app.inject('/health')
  return {
    status: answer.statusCode,
    ...answer.json<{ ordersHalted: boolean; haltedAt?: string }>(),
  }
}
const gauge = async () =>
  /^orders_halted (\d)$/m.exec((await world.app.inject('/metrics')).body)?.[1]

test('a halt of orders is on the health page and a gauge, without its reason', async () => {
  expect(await health()).toMatchObject({ status: 200, ordersHalted: false })
  expect(await gauge()).toBe('0')
  await atomically(world.context.sql, (tx) => haltOrders(tx, 'the exchange is being moved'))
  expect(await health()).toMatchObject({
    status: 200,
    ordersHalted: true,
    haltedAt: expect.stringMatching(/^\d{4}-/) as unknown,
  })
  expect(await gauge()).toBe('1')
  expect((await world.app.inject('/health')).body).not.toContain('moved')
  await atomically(world.context.sql, resumeOrders)
  const after = await health()
  expect([after.ordersHalted, after.haltedAt]).toEqual([false, undefined])
  expect(await gauge()).toBe('0')
})
