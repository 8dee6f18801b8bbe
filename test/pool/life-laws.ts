import { assert } from '#core/assert.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { NOTHING, plus, sum, type Change, type Sleeve, type World } from './life.ts'
import { claimOf, join, leave, worthOf, type Assets, type Pool } from '#core/pool/pool.ts'

const BOTH = ['cash', 'base'] as const

/**
 * Checks the world after a change against every law of a pool. Throws `AssertionFailed` for the
 * first that is broken.
 */
export function judge(before: World, change: Change): void {
  const { world } = change
  nothingIsNegative(world)
  assert(
    sum(world.sleeves.map(({ units }) => units)) === world.pool.units,
    'members hold all units of their pool',
  )
  const isEmpty = world.pool.cash === 0n && world.pool.base === 0n && world.pool.appliedBps === 0
  assert(world.pool.units > 0n || isEmpty, 'a pool without units holds nothing')
  assert(
    world.pool.units === 0n || world.pool.cash > 0n,
    'a pool with units holds cash, so that units are never worthless',
  )
  const { cash, base } = [world.pool, world.venue, world.rounding, ...world.sleeves].reduce<Assets>(
    plus,
    NOTHING,
  )
  assert(cash === world.invested && base === 0n, 'no money or coins are created or lost')
  for (const asset of BOTH) {
    const kept = world.rounding[asset] - before.rounding[asset] - change.dust[asset]
    const isWhole = change.kind === 'leave' && before.pool.base === 0n && asset === 'cash'
    const most = BigInt(Math.max(1, change.members))
    assert(
      isWhole ? kept <= 0n && -kept <= most : kept >= 0n && kept < most,
      'rounding keeps less than one unit per member of a lot, or adds it to cash that never ' +
        'bought a coin',
    )
  }
  if (change.kind === 'trade')
    assert(world.pool.units === before.pool.units, 'a trade issues no units')
  if (change.kind === 'join' || change.kind === 'leave') nobodyInsideLoses(before.pool, change)
  claimsAreCovered(world)
  roundTrip(world.pool, world.sleeves[0] ?? NOTHING)
}

function nothingIsNegative({ pool, sleeves }: World): void {
  for (const { cash, base, units } of [pool, ...sleeves])
    assert(cash >= 0n && base >= 0n && units >= 0n, 'nothing is ever negative')
}

/**
 * Cash per unit and coins per unit never fall. For each joiner or leaver, the other members
 * together gain less than one pool unit's part and two units of the asset.
 */
function nobodyInsideLoses(
  before: Pool,
  { kind, world: { pool: after }, members, dust }: Change,
): void {
  if (before.units === 0n) return
  const most = BigInt(members)
  for (const asset of BOTH) {
    const [held, has] = [before[asset], after[asset]]
    assert(
      has * before.units >= held * after.units,
      `joins and leaves never lower the ${asset} per unit`,
    )
    const kept = before.units * (has + dust[asset]) - held * after.units
    const [gained, bound] =
      kind === 'join' ? [before.units * kept, after.units * most] : [kept, most]
    assert(
      gained < bound * (held + 2n * before.units),
      `for each joiner or leaver, others gain less ${asset} than one pool unit and two units ` +
        'of the asset',
    )
  }
}

/**
 * All claims together are within the pool; values, floored once, sum to no more than the pool and
 * are never below their claims.
 */
function claimsAreCovered({ pool, sleeves, price }: World): void {
  const claims = sleeves.map(({ units }) => claimOf(pool, units))
  for (const asset of BOTH) {
    const claimed = sum(claims.map((claim) => claim[asset]))
    assert(
      claimed <= pool[asset] && pool[asset] - claimed < BigInt(sleeves.length),
      `claims never exceed the ${asset} of a pool`,
    )
  }
  const worths = sleeves.map(({ units }) => worthOf(pool, { units, price }))
  assert(
    sum(worths) <= pool.cash + valueFloor({ quantity: pool.base, price }),
    'members never see more than the value of their pool',
  )
  worths.forEach((worth, at) => {
    const { cash, base } = claims[at] ?? NOTHING
    assert(
      worth >= cash + valueFloor({ quantity: base, price }),
      'a value floored once is not below that of the claim',
    )
  })
  sleeves.forEach((sleeve, at) => derivedCoinsAre(sleeve, (claims[at] ?? NOTHING).base))
}

function derivedCoinsAre({ stay }: Sleeve, claimed: bigint): void {
  if (!stay) return
  const dust = claimed - stay.coins
  assert(
    dust >= -stay.below && dust <= stay.above,
    'derived trades add up to the coins of a sleeve, except for dust',
  )
}

/**
 * Joining in kind and leaving at once never gains, and loses at most one unit of each asset; of a
 * pool without coins, nothing.
 */
function roundTrip(pool: Pool, offered: Assets): void {
  if (pool.units === 0n || (pool.cash === 0n && pool.base === 0n)) return
  const joined = join(pool, offered)
  const { taken } = leave(joined.pool, joined.units)
  for (const asset of BOTH) {
    const lost = joined.paid[asset] - taken[asset]
    assert(joined.paid[asset] <= offered[asset], 'a joiner pays no more than it offered')
    assert(
      lost === 0n || (lost === 1n && pool.base > 0n),
      'a round trip in kind costs at most one unit of each asset and gains none',
    )
  }
}
