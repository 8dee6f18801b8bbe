import { assert } from '#core/assert.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { NOTHING, plus, sum, type Change, type Sleeve, type World } from './life.ts'
import { claimOf, join, leave, worthOf, type Assets, type Pool } from '#core/pool/pool.ts'

const BOTH = ['cash', 'base'] as const

/** Holds what a change made of a world to every law of a pool. */
export function judge(before: World, change: Change): void {
  const { world } = change
  nothingIsNegative(world)
  assert(sum(world.sleeves.map(({ units }) => units)) === world.pool.units, 'members hold all units of their pool')
  const isEmpty = world.pool.cash === 0n && world.pool.base === 0n && world.pool.appliedBps === 0
  assert(world.pool.units > 0n || isEmpty, 'a pool without units holds nothing')
  assert(world.pool.units === 0n || world.pool.cash > 0n, 'a pool with units holds cash, so that they are never units of nothing')
  const { cash, base } = [world.pool, world.venue, world.rounding, ...world.sleeves].reduce<Assets>(plus, NOTHING)
  assert(cash === world.invested && base === 0n, 'no money and no coins come from nowhere or are lost')
  for (const asset of BOTH) {
    const kept = world.rounding[asset] - before.rounding[asset] - change.dust[asset]
    assert(kept >= 0n && kept < Math.max(1, change.members), 'what rounding keeps of a lot is less than one unit for each of its members')
  }
  if (change.kind === 'trade') assert(world.pool.units === before.pool.units, 'a trade issues no units')
  if (change.kind === 'join' || change.kind === 'leave') nobodyInsideLoses(before.pool, change)
  claimsAreCovered(world)
  roundTrip(world.pool, world.sleeves[0] ?? NOTHING)
}

function nothingIsNegative({ pool, sleeves }: World): void {
  for (const { cash, base, units } of [pool, ...sleeves]) assert(cash >= 0n && base >= 0n && units >= 0n, 'nothing is ever negative')
}

/** Of cash and of coins each: what a unit holds never falls, and all inside gain less than a unit's part and two more for each who moved. */
function nobodyInsideLoses(before: Pool, { kind, world: { pool: after }, members, dust }: Change): void {
  if (before.units === 0n) return
  const most = BigInt(members)
  for (const asset of BOTH) {
    const [held, has] = [before[asset], after[asset]]
    assert(has * before.units >= held * after.units, `no unit ever holds less ${asset} by who comes or goes`)
    const kept = before.units * (has + dust[asset]) - held * after.units
    const [gained, bound] = kind === 'join' ? [before.units * kept, after.units * most] : [kept, most]
    assert(gained < bound * (held + 2n * before.units), `others gain less ${asset} than one unit of the pool and two of the asset for each who comes or goes`)
  }
}

/** Claims of all together are within the pool, and one floor shows no more and hardly less than them. */
function claimsAreCovered({ pool, sleeves, price }: World): void {
  const claims = sleeves.map(({ units }) => claimOf(pool, units))
  for (const asset of BOTH) {
    const claimed = sum(claims.map((claim) => claim[asset]))
    assert(claimed <= pool[asset] && pool[asset] - claimed < BigInt(sleeves.length), `claims never exceed the ${asset} of a pool`)
  }
  const worths = sleeves.map(({ units }) => worthOf(pool, { units, price }))
  assert(sum(worths) <= pool.cash + valueFloor({ quantity: pool.base, price }), 'members never see more than their pool is worth')
  worths.forEach((worth, at) => {
    const { cash, base } = claims[at] ?? NOTHING
    assert(worth >= cash + valueFloor({ quantity: base, price }), 'a worth of one floor is not below that of the claim')
  })
  sleeves.forEach((sleeve, at) => derivedCoinsAre(sleeve, (claims[at] ?? NOTHING).base))
}

function derivedCoinsAre({ stay }: Sleeve, claimed: bigint): void {
  if (!stay) return
  const dust = claimed - stay.coins
  assert(dust >= -stay.below && dust <= stay.above, 'derived trades make the coins that a sleeve holds, up to dust')
}

/** Who comes in kind and leaves at once never gains, and loses one unit of each asset at most. */
function roundTrip(pool: Pool, offered: Assets): void {
  if (pool.units === 0n || (pool.cash === 0n && pool.base === 0n)) return
  const joined = join(pool, offered)
  const { taken } = leave(joined.pool, joined.units)
  for (const asset of BOTH) {
    const lost = joined.paid[asset] - taken[asset]
    assert(joined.paid[asset] <= offered[asset], 'nobody pays more than was offered')
    assert(lost === 0n || lost === 1n, 'a round trip in kind costs one unit of each asset at most and gains none')
  }
}
