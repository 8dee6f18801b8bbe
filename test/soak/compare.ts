import { reconcile } from '#server/ledger/reconcile.ts'
import type { Units } from '#core/money/amount.ts'
import { Difference } from './follow.ts'
import { planPair, returnable, unsynced } from './model/engine.ts'
import type { Model, ModelPool, Sleeve } from './model/model.ts'
import type { World } from './world.ts'

/** Compares everything that the product stores with the model, to the unit. */
export async function compare(world: World): Promise<void> {
  const differences = await reconcile(world.context)
  if (differences.length > 0)
    throw new Difference(`reconcile finds ${JSON.stringify(differences.slice(0, 3))}`)
  await compareInterest(world)
  await compareLedger(world)
  await comparePools(world)
  await compareBots(world)
  await compareSleeves(world)
}

/** Checks that interest was paid once at each midnight that the clock has passed. */
async function compareInterest({ sql }: World): Promise<void> {
  const [row] = await sql<{ paid: number; passed: number }[]>`
    select (select count(*) from cash_yields)::integer as paid,
           floor(extract(epoch from market_time) / 86400)::integer - floor(extract(epoch
           from start_time) / 86400)::integer as passed
      from market_clock`
  if (row?.paid !== row?.passed)
    throw new Difference(
      `interest was paid at ${row?.paid} midnights, and the clock has passed ${row?.passed}`,
    )
}

/** Compares every balance: cash, hold and debt of each user, and all accounts of the house. */
async function compareLedger({ sql, model }: World): Promise<void> {
  const rows = await sql<{ key: string; balance: Units }[]>`
    select user_id || ' ' || code || ' ' || asset || ' ' || coalesce(pool::text, '') as key, balance
      from ledger_accounts where balance <> 0`
  const expected = [...model.ledger]
    .filter(([, balance]) => balance !== 0n)
    .map(([key, balance]) => `${key} holds ${balance}`)
  sameSets(
    'an account',
    rows.map(({ key, balance }) => `${key} holds ${balance}`),
    expected,
  )
}

async function comparePools({ sql, model }: World): Promise<void> {
  const rows = await sql<
    { line: string }[]
  >`select concat_ws(' ', id, strategy, pair, cash, base, units, applied_bps, changes) as line
    from pools`
  const lineOf = ({
    id,
    strategy,
    pair,
    holds: { cash, base, units, appliedBps },
    changes,
  }: ModelPool) => [id, strategy, pair, cash, base, units, appliedBps, changes].join(' ')
  sameSets(
    'a pool',
    rows.map(({ line }) => line),
    [...model.pools.values()].map(lineOf),
  )
}

async function compareBots({ sql, model }: World): Promise<void> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', id, user_id, invested, pending, status, coalesce(taking_bps::text, '-'),
           coalesce(engine_status, '-'), coalesce(engine_taking_bps::text, '-'), strategy,
           array_to_string(trading_pairs, ','), coalesce(changing::text, '-'),
           coalesce(engine_changing::text, '-')) as line from trading_bots`
  const expected = [...model.bots.values()].map(
    ({
      id,
      userId,
      invested,
      pending,
      status,
      takingBps,
      engineStatus,
      engineTakingBps,
      strategy,
      pairs,
      changing,
      engineChanging,
    }) =>
      [
        id,
        userId,
        invested,
        pending,
        status,
        takingBps ?? '-',
        engineStatus ?? '-',
        engineTakingBps ?? '-',
        strategy,
        pairs,
        changing ?? '-',
        engineChanging ?? '-',
      ].join(' '),
  )
  sameSets(
    'a bot',
    rows.map(({ line }) => line),
    expected,
  )
}

/** Only sleeves of open bots: those of closed bots hold nothing. */
async function compareSleeves({ sql, model }: World): Promise<void> {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', s.bot_id, s.pool, s.status, s.cash, s.base, s.units, s.leaving, s.taken,
           s.joined, s.offered, s.paid, s.paid_base) as line
      from sleeves s join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
     where b.status <> 'closed'`
  const lineOf = ({
    bot,
    pool,
    status,
    cash,
    base,
    units,
    leaving,
    taken,
    joined,
    offered,
    paid,
    paidBase,
  }: Sleeve) =>
    [
      bot.id,
      pool.id,
      status,
      cash,
      base,
      units,
      leaving,
      taken,
      joined,
      offered,
      paid,
      paidBase,
    ].join(' ')
  sameSets(
    'a sleeve',
    rows.map(({ line }) => line),
    [...model.pools.values()].flatMap(({ sleeves }) => [...sleeves].map(lineOf)),
  )
}

function sameSets(what: string, seen: readonly string[], expected: readonly string[]): void {
  const [has, wants] = [new Set(seen), new Set(expected)]
  const more = seen.filter((line) => !wants.has(line)).toSorted()
  const less = expected.filter((line) => !has.has(line)).toSorted()
  if (more.length === 0 && less.length === 0) return
  throw new Difference(
    `${what}: ${more.length + less.length} lines differ; the product has ` +
      `${more[0] ?? 'nothing'}, the model ${less[0] ?? 'nothing'}`,
  )
}

/**
 * Checks that after a run of the engine without faults every bot is adopted, and money that left
 * bots is returned.
 */
export function nobodyWaits({ model }: World): void {
  const waiting = [...unsynced(model), ...returnable(model)]
  if (waiting.length > 0)
    throw new Difference(
      `bot ${waiting[0]?.id} waits for the engine, and ${waiting.length - 1} more`,
    )
}

/**
 * When the engine has reached a market time, whatever faults it met, each pool has its strategy's
 * target exposure, unless the venue has recently refused an order of its pair or filled one only in
 * part.
 */
export async function nothingIsLeft(world: World): Promise<void> {
  const { model, market, sql, venue } = world
  const [clock] = await sql<
    { at: Date; halted: boolean }[]
  >`select market_time as at, halted_at is not null as halted from market_clock`
  if (!clock || clock.halted) return
  const atMs = clock.at.getTime()
  for (const pair of new Set([...model.pools.values()].map((pool) => pool.pair))) {
    const price = market.price(pair, atMs)
    if (
      price === undefined ||
      venue.refused.has(pair) ||
      (await wasLeft(world, { pair, sinceMs: atMs - 2 * 3_600_000 }))
    )
      continue
    const { sell, buy, served } = planPair(model, {
      pair,
      phase: 'trade',
      price,
      exposureBps: ({ strategy }) => market.exposureBps(pair, strategy, atMs),
    })
    const isTaken = (side: 'buy' | 'sell', parties: typeof sell) => {
      const quantity = parties.reduce((sum, { orderQuantity }) => sum + orderQuantity, 0n)
      return quantity > 0n && venue.judge({ pair, side, quantity, price }) === 'yes'
    }
    if (served.length === 0 && !isTaken('sell', sell) && !isTaken('buy', buy)) continue
    // Orders of lots wait for the next call of `serve`, which may be hours later here, so
    // `nobodyWaits` checks them.
    if (![...sell, ...buy].some(({ as }) => as === 'strategy')) continue
    const left = [...sell, ...buy].map(
      ({ pool, as, orderQuantity }) => `${as} ${orderQuantity} of pool ${pool}`,
    )
    throw new Difference(`${pair} still has orders to place: ${left.join(', ')}`)
  }
}

/** Whether the engine skips a pair for a while, after an order that was not fully filled. */
async function wasLeft(
  { sql }: World,
  { pair, sinceMs }: { pair: string; sinceMs: number },
): Promise<boolean> {
  const rows =
    await sql`select from engine_blocks where pair = ${pair} and market_time >= ${new Date(sinceMs)}
      and fill_quantity < order_quantity limit 1`
  return rows.length > 0
}

/**
 * Checks that no pool fully trades its strategy's order twice in one hour, whichever process leads.
 */
export async function noHourTwice({ sql }: World): Promise<void> {
  const rows = await sql<{ pool: number; at: Date }[]>`
    select c.pool, c.market_time as at from pool_changes c join engine_blocks k on k.id = c.block_id
     where c.kind = 'trade' and k.fill_quantity = k.order_quantity group by 1, 2 having count(*) > 1
     limit 1`
  if (rows.length > 0)
    throw new Difference(`pool ${rows[0]?.pool} traded twice at ${rows[0]?.at.toISOString()}`)
}

export function openSleeves(model: Model): number {
  return [...model.pools.values()].reduce((sum, { sleeves }) => sum + sleeves.size, 0)
}
