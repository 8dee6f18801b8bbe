import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverNotices } from '#server/notices/deliver.ts'
import { startPushService, type PushService } from '../emulators/push-service.ts'
import type { TestUser } from '../world/world.ts'
import { createMailWorld, type MailWorld } from './mail-world.ts'

let world: MailWorld
let service: PushService
beforeAll(async () => {
  service = await startPushService()
  const addressOf = (address: string) => address
  world = await createMailWorld({
    context: { push: { publicKey: 'key', addressOf }, webhook: { addressOf } },
  })
})
afterAll(async () => {
  await world.close()
  await service.close()
})

/** Users with one address in a channel. */
const REACHED = {
  mail: () => world.verified('ada@example.com'),
  push: async () => {
    const user = await world.user()
    const { end: _end, ...browser } = service.browser()
    await user.call('addPushDevice', { body: browser })
    return user
  },
  webhook: async () => {
    const user = await world.user()
    await user.call('addWebhook', {
      body: { address: 'https://program.example', topics: ['deposits'] },
    })
    return user
  },
} satisfies Record<string, () => Promise<TestUser>>

/** A database whose first renewal of a lease is late, and the moment when that one begins. */
function lateRenewal() {
  const begun = new AbortController()
  const sql = new Proxy(world.context.sql, {
    apply: async (target, self, [strings, ...values]: [TemplateStringsArray, ...unknown[]]) => {
      if (strings.join('?').includes("state = 'waiting' and attempts = ?")) {
        begun.abort()
        await delay(300)
      }
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  return { sql, begun: begun.signal }
}

test.each(['mail', 'push', 'webhook'] as const)(
  'a renewal of the lease under way at a failure does not change the next attempt by %s',
  async (channel) => {
    const ada = await REACHED[channel]()
    await ada.deposit('20')
    const { sql, begun } = lateRenewal()
    const send = async () => {
      if (!begun.aborted) await once(begun, 'abort')
      throw new Error('no answer')
    }
    const context = { ...world.context, sql, [channel]: { ...world.context[channel], send } }
    const next = () => world.context.sql`
      select attempts, due_at from deliveries where user_id = ${ada.id}
         and channel = ${channel} and state = 'waiting'`
    await deliverNotices(context, channel, { leaseMs: 400 })
    const planned = await next()
    expect(planned).toMatchObject([{ attempts: 1 }])
    await delay(600)
    expect(await next()).toEqual(planned)
  },
)
