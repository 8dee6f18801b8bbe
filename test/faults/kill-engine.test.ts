import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import type { EngineNews, EngineOrder, Point } from '../emulators/engine-process.ts'
import { KEYS } from '../emulators/orders/keys.ts'
import { COSTS, expectAgreement, invest, openFloor, quote, type Floor } from '../world/floor.ts'
import { lengthOf } from '../world/length.ts'
import { databaseUrl } from '../process/postgres.ts'
import { randomFrom, SEED } from '../world/random.ts'
import { SETTINGS } from '../world/world.ts'

/** Undefined: at a random point after it took the lead. */
const POINTS: readonly (Point | undefined)[] = ['written down', 'sent', 'filled', undefined]
const ROUNDS = lengthOf({ usual: 2, full: 5 })
const PATIENCE_MS = 30_000

/** The book's state when the process was killed. */
type Left = { open: number; planned: number; filled: number }

test(`kills of an engine around its orders lose and double none (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const floor = await openFloor()
  const { sql } = floor.world.context
  const [database] = await sql<{ name: string }[]>`select current_database() as name`
  const url = databaseUrl(inject('postgresUrl'), database?.name ?? '')
  await invest(floor, { amount: '3000' })
  const met: Record<string, number> = {}
  const left: Left = { open: 0, planned: 0, filled: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const point of POINTS) {
      await killAt(floor, { url, point, after: () => delay(random.below(400)) })
      met[point ?? 'anywhere'] = (met[point ?? 'anywhere'] ?? 0) + 1
      const [seen] = await sql<Left[]>`
        select (select count(*) from venue_orders where state = 'sent')::integer as open,
               (select count(*) from engine_blocks where state = 'planned')::integer as planned,
               (select count(*) from venue_orders o join engine_blocks k on k.id = o.block_id
               where o.state = 'done' and k.state <> 'settled')::integer as filled`
      left.open += seen?.open ?? 0
      left.planned += seen?.planned ?? 0
      left.filled += seen?.filled ?? 0
      // The process is restarted after a while: orders that never arrived may or may not be refused
      // as late by then.
      floor.exchange.clock.jumpBy(random.below(12_000))
    }
  }
  floor.exchange.clock.jumpBy(60_000)
  await floor.world.restartEngine()
  for (let hour = 0; hour < 2; hour += 1) await floor.hour()
  await expectAgreement(floor)
  console.log(
    `seed ${SEED}: killed ${JSON.stringify(met)}; left behind ${JSON.stringify(left)}; ` +
      `${floor.orders.received()} orders received, ${floor.orders.orders().length} accepted`,
  )
  expect(left.open, 'orders with an unknown outcome').toBeGreaterThanOrEqual(ROUNDS)
  expect(left.filled, 'orders that were executed but not allocated').toBeGreaterThanOrEqual(ROUNDS)
})

type Killing = { url: string; point: Point | undefined; after: () => Promise<unknown> }

/** Starts the engine and kills it, with SIGKILL, at `point`, or `after` some time. */
async function killAt(floor: Floor, { url, point, after }: Killing): Promise<void> {
  const { exchange } = floor
  const order: EngineOrder = {
    databaseUrl: url,
    access: {
      name: 'kraken',
      restUrl: exchange.restUrl,
      wsUrl: exchange.wsUrl,
      apiKey: KEYS.kraken.key,
      secret: KEYS.kraken.secret,
      rateLimitMs: 1,
    },
    costs: COSTS,
    environment: SETTINGS,
    offsetMs: exchange.clock.nowMs() - Date.now(),
    ...(point && { point }),
  }
  const child = fork(
    fileURLToPath(new URL('../emulators/engine-process.ts', import.meta.url)),
    [JSON.stringify(order)],
    { stdio: 'inherit' },
  )
  const ended = once(child, 'exit')
  const stands = new Promise<void>((resolve) => {
    child.on('message', (news: EngineNews) => {
      if ('quote' in news) {
        quote(exchange, { ...news.quote, price: BigInt(news.quote.price) })
        child.send('quoted')
      } else if ('stands' in news || point === undefined) resolve()
    })
  })
  const outcome = await Promise.race([
    stands,
    ended.then(() => 'ended'),
    delay(PATIENCE_MS, 'late', { ref: false }),
  ])
  expect(outcome, `${point ?? 'anywhere'}: the process reached this point`).toBeUndefined()
  if (point === undefined) await after()
  child.kill('SIGKILL')
  await ended
}
