import { createHash } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { atomically } from '#server/db/atomically.ts'
import { repayDebts } from '#server/deposits/repay-debts.ts'
import { haltOrders, resumeOrders } from '#server/trading/halt.ts'
import { payOut } from '#server/withdrawals/pay-out.ts'
import { randomFrom } from '../world/random.ts'
import { compare, nobodyWaits, noHourTwice, nothingIsLeft } from './compare.ts'
import { advanceTo, serve, serveCalmly } from './drive-engine.ts'
import { BEGIN_MS } from './market.ts'
import * as people from './model/people.ts'
import type { Code } from './model/people.ts'
import { createBot, deposit, OPERATIONS, operateOnce, type Operation } from './operations.ts'
import { createWorld, signUp, type World } from './world.ts'

export type SoakOptions = {
  seed: number
  days: number
  users: number
  bots: number
  until: number
  postgresUrl: string
  tell?: (line: string) => void
}

export type SoakReport = {
  operations: Record<string, { done: number; refused: number }>
  world: World
  days: number
  seconds: number
  sha256: string
  timesMs: Record<string, number>
}

/**
 * Runs the product and the model through a year determined by `seed`. Throws the first difference,
 * with its day.
 */
export async function soak({
  seed,
  days,
  users,
  bots,
  until,
  postgresUrl,
  tell,
}: SoakOptions): Promise<SoakReport> {
  const began = performance.now()
  const world = await createWorld({ seed, days, postgresUrl })
  const year: Year = { world, days, users, bots, operations: {}, timesMs: {} }
  let day = 0
  try {
    for (day = 1; day <= Math.min(days, until); day += 1) {
      world.random = randomFrom(seed * 1_000 + day)
      await liveDay(year, day)
      if (day % 30 === 0)
        tell?.(
          `day ${day}: ${world.model.bots.size} bots, ` +
            `${Math.round((performance.now() - began) / 1_000)} s`,
        )
    }
    await timed(year, 'no hour twice', () => noHourTwice(world))
    const sha256 = await fingerprint(world)
    return {
      operations: year.operations,
      world,
      days: day - 1,
      seconds: (performance.now() - began) / 1_000,
      sha256,
      timesMs: year.timesMs,
    }
  } catch (error) {
    throw new Error(
      `seed ${seed}, day ${day}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  } finally {
    await world.close()
  }
}

type Year = {
  world: World
  days: number
  users: number
  bots: number
  operations: SoakReport['operations']
  timesMs: Record<string, number>
}

async function timed<Result>(
  { timesMs }: Year,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now()
  const result = await work()
  timesMs[name] = (timesMs[name] ?? 0) + performance.now() - began
  return result
}

/**
 * Users sign up and act at some moments of the day, and the engine serves them. At the end,
 * everything is compared.
 */
async function liveDay(year: Year, day: number): Promise<void> {
  const { world } = year
  const { random } = world
  const startMs = BEGIN_MS + (day - 1) * DAY_MS
  const moments = Array.from(
    { length: 1 + random.below(3) },
    () => 1 + random.below(DAY_MS - 1),
  ).toSorted((a, b) => a - b)
  await growTo(year, day)
  for (const moment of moments) {
    await passTo(year, startMs + moment)
    await timed(year, 'operations', () =>
      operateSome(year, Math.ceil((year.bots * 4) / year.days / moments.length)),
    )
    await timed(year, 'serving', () => serve(world, () => operateSome(year, 1 + random.below(3))))
  }
  await passTo(year, startMs + DAY_MS)
  await timed(year, 'serving', () => serveCalmly(world))
  nobodyWaits(world)
  await timed(year, 'jobs', () => runJobs(year))
  await timed(year, 'comparing', () => compare(world))
}

/**
 * Advances the market. If that ends an hour, checks that the strategies' orders of that hour were
 * traded.
 */
async function passTo(year: Year, ms: number): Promise<void> {
  const { world } = year
  const endsHour = ms >= world.model.settledMs + HOUR_MS
  if (endsHour) world.venue.refused.clear()
  await timed(year, 'hours', () =>
    advanceTo(world, { ms, meanwhile: () => operateSome(year, 1 + world.random.below(3)) }),
  )
  if (endsHour) await timed(year, 'comparing', () => nothingIsLeft(world))
}

/** Adds users and bots, most of them in the first half of the year. */
async function growTo(year: Year, day: number): Promise<void> {
  const { world, days, users, bots } = year
  const share = Math.min(1, (day + 2) / (days * 0.6))
  const newcomers = Math.ceil(users * share) - world.people.length
  for (let left = newcomers; left > 0; left -= 1) {
    const person = await timed(year, 'sign-ups', () => signUp(world))
    count(year, 'sign up', undefined)
    count(
      year,
      'deposit',
      await deposit({ world, person, process: world.open(), key: world.context.newId() }),
    )
  }
  const wanted = Math.ceil(bots * Math.min(1, (day + 1) / (days * 0.9)))
  const create: Operation = { name: 'create a bot', weight: 1, run: createBot }
  for (
    let left = 3 * (wanted - world.model.bots.size);
    left > 0 && world.model.bots.size < wanted;
    left -= 1
  ) {
    await timed(year, 'operations', () =>
      operateOnce(world, create, (name, code) => count(year, name, code)),
    )
  }
}

function count({ operations }: Year, name: string, code: Code): void {
  const counted = (operations[name] ??= { done: 0, refused: 0 })
  counted[code === undefined ? 'done' : 'refused'] += 1
}

const ALL_WEIGHT = OPERATIONS.reduce((sum, { weight }) => sum + weight, 0)

async function operateSome(year: Year, many: number): Promise<void> {
  const { world } = year
  for (let left = many; left > 0; left -= 1) {
    let at = (world.random.below(1_000_000) / 1_000_000) * ALL_WEIGHT
    const operation = OPERATIONS.find(({ weight }) => (at -= weight) < 0)
    if (operation) await operateOnce(world, operation, (name, code) => count(year, name, code))
  }
}

/** The background jobs, and an operator who now and then halts orders for some days. */
async function runJobs(year: Year): Promise<void> {
  const { world } = year
  const { context, model, random } = world
  if (random.chance(0.15)) {
    await payOut(context)
    people.payOut(model)
    count(year, 'pay out', undefined)
  }
  await repayDebts(context)
  people.repayDebts(
    model,
    world.people.map(({ id }) => id),
  )
  if (random.chance(0.04)) {
    await atomically(context.sql, (tx) => haltOrders(tx, 'the operator wants it'))
    model.isHalted = true
    count(year, 'halt orders', undefined)
  } else if (random.chance(0.6)) {
    await atomically(context.sql, (tx) => resumeOrders(tx))
    model.isHalted = false
  }
}

/** A hash of all changes of pools. */
async function fingerprint({ sql }: World): Promise<string> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', pool, number, kind, block_id, side, quantity, price, total, fee, weight,
           members, cash_after, base_after, units_after, market_time at time zone 'UTC') as line
      from pool_changes order by pool, number`
  const hash = createHash('sha256')
  for (const { line } of rows) hash.update(`${line}\n`)
  return hash.digest('hex')
}
