import { required } from '#core/assert.ts'
import { partForAdded, splitFreed } from '#core/bots/change-settings.ts'
import { partOf } from '#core/trading/performance-fee.ts'
import { splitInvestment } from '#core/trading/position.ts'
import type { Units } from '#core/money/amount.ts'
import {
  settleRedemption,
  shareOwnSale,
  shareRedemption,
  shareSubscription,
  settleSubscription,
} from '#core/pool/lot.ts'
import { EMPTY_POOL, found, join, leaveTogether, swept, type Pool } from '#core/pool/pool.ts'
import { nextStatus } from '#core/pool/sleeve-steps.ts'
import type { Share } from '#core/trading/position.ts'
import {
  isSynced,
  isWanted,
  membersOf,
  sum,
  wantedSleeves,
  type Bot,
  type ModelPool,
  type Sleeve,
} from './model.ts'

/** The effects of changes on the members of a pool, shared by core's rules. */

/**
 * A pool after a change, the gain of its members' own cash and coins, and the number of members.
 */
export type Moved = {
  after: Pool
  weight: bigint
  members: number
  own: { cash: Units; coins: Units }
}

/** The engine adopts what the owner of a bot wants. */
export function adopt(bot: Bot): void {
  if (isSynced(bot)) return
  const { status, pending, pairs } = bot
  const takes = takenNow(bot)
  const added = splitInvestment({ invested: pending, count: pairs.length })
  wantedSleeves(bot).forEach((sleeve, at) =>
    adoptSleeve(sleeve, { status, takes, added: required(added[at], 'a part for each sleeve') }),
  )
  for (const sleeve of bot.sleeves.filter((one) => !isWanted(one) && one.status !== 'out'))
    leaveAsWhole(sleeve)
  Object.assign(bot, {
    engineStatus: status,
    engineTakingBps: bot.takingBps,
    engineChanging: bot.changing,
    pending: 0n,
  })
}

/** The part of each wanted sleeve that leaves, in basis points: taken out, or for added pairs. */
function takenNow({
  takingBps,
  engineTakingBps,
  changing,
  engineChanging,
  pairs,
}: Bot): number | null {
  if (takingBps !== null && engineTakingBps === null) return takingBps
  const part =
    changing !== null && engineChanging === null
      ? partForAdded({ before: changing, after: pairs.length })
      : 0
  return part > 0 ? part : null
}

function leaveAsWhole(sleeve: Sleeve): void {
  sleeve.leaving = sleeve.units
  sleeve.status = nextStatus('close', sleeve)
}

export const isFinishable = (bot: Bot): boolean =>
  bot.engineChanging !== null &&
  bot.engineStatus === 'active' &&
  isSynced(bot) &&
  !bot.sleeves.some(({ status }) => status === 'leaving')

/** Moves the money that a change has freed to the sleeves that the bot wants. */
export function finishChange(bot: Bot): void {
  const wanted = wantedSleeves(bot)
  const unwanted = bot.sleeves.filter((sleeve) => !isWanted(sleeve))
  const freed = sum(bot.sleeves.map(({ taken }) => taken)) + sum(unwanted.map(({ cash }) => cash))
  const isEmpty = wanted.map(({ units, cash, base }) => units === 0n && cash === 0n && base === 0n)
  const parts = splitFreed({
    freed,
    before: required(bot.changing ?? undefined, 'a changing bot'),
    isEmpty,
  })
  for (const sleeve of bot.sleeves) sleeve.taken = 0n
  for (const sleeve of unwanted) sleeve.cash = 0n
  wanted.forEach((sleeve, at) => {
    const added = required(parts[at], 'a part for each sleeve')
    sleeve.cash += added
    sleeve.status = nextStatus('freed', { ...sleeve, added })
  })
  Object.assign(bot, { changing: null, engineChanging: null })
}

/** Closed by its owner, or stopped by a guard: its coins are sold. */
const isLeaving = (status: Bot['status']): boolean => status === 'closing' || status === 'stopped'

type Wanted = { status: Bot['status']; takes: number | null; added: Units }

function adoptSleeve(sleeve: Sleeve, { status, takes, added }: Wanted): void {
  const cashOut = takes === null ? 0n : partOf(sleeve.cash, takes)
  const unitsOut = takes === null ? 0n : partOf(sleeve.units, takes)
  sleeve.cash += added - cashOut
  sleeve.taken += cashOut
  if (isLeaving(status)) sleeve.leaving = sleeve.units
  else if (unitsOut > 0n) sleeve.leaving = unitsOut
  const wish = isLeaving(status) ? 'close' : status === 'paused' ? 'pause' : 'trade'
  sleeve.status = nextStatus(wish, { ...sleeve, added })
}

/** Cash founds a pool, or joins one that holds no coins. */
export function joinWithCash({ holds, sleeves, changes }: ModelPool): Moved | undefined {
  const joiners = [...sleeves].filter(({ status, cash }) => status === 'joining' && cash > 0n)
  const joins = joiners
    .map((sleeve) => ({ sleeve, offered: sleeve.cash, ...enter(holds, sleeve.cash) }))
    .filter(({ units }) => units > 0n)
  if (joins.length === 0) return undefined
  for (const { sleeve, offered, units, paid } of joins) {
    begin(sleeve, { joined: changes + 1n, offered, units, paid })
    sleeve.status = nextStatus('joined', { ...sleeve, offer: offered })
  }
  const [paid, units] = [sum(joins.map((one) => one.paid)), sum(joins.map((one) => one.units))]
  const after = {
    ...(holds.units === 0n ? EMPTY_POOL : holds),
    cash: holds.cash + paid,
    units: holds.units + units,
  }
  return {
    after,
    weight: sum(joins.map(({ offered }) => offered)),
    members: joins.length,
    own: { cash: -paid, coins: 0n },
  }
}

function enter(pool: Pool, cash: Units): { units: bigint; paid: Units } {
  if (pool.units === 0n) return { units: found(cash).units, paid: cash }
  const { units, paid } = join(pool, { cash, base: 0n })
  return { units, paid: paid.cash }
}

type Begun = { joined: bigint; offered: Units; units: bigint; paid: Units; paidBase?: Units }

function begin(sleeve: Sleeve, { joined, offered, units, paid, paidBase = 0n }: Begun): void {
  sleeve.cash -= paid
  sleeve.base -= paidBase
  sleeve.units += units
  Object.assign(sleeve, { joined, offered, paid, paidBase })
}

/** A lot joins with the coins bought for it. */
export function joinLot(pool: ModelPool, bought: Share): Moved {
  const { holds, changes } = pool
  const joiners = membersOf(pool, ({ status }) => status === 'joining')
  const offered = joiners.map(({ cash }) => cash)
  const lot = settleSubscription({ pool: holds, offered: sum(offered), bought })
  const shares = shareSubscription({ units: lot.units, spent: lot.spent, offered })
  shares.forEach(({ units, paid }, at) => {
    const sleeve = required(joiners[at], 'a member for each share')
    begin(sleeve, { joined: changes + 1n, offered: sleeve.cash, units, paid })
    sleeve.status = nextStatus('joined', { ...sleeve, offer: sleeve.offered })
  })
  const after = { ...lot.pool, units: holds.units + sum(shares.map(({ units }) => units)) }
  return {
    after,
    weight: sum(offered),
    members: joiners.length,
    own: { cash: -sum(shares.map(({ paid }) => paid)), coins: 0n },
  }
}

/** Coins and cash of resuming sleeves join as far as they fit the mix. */
export function joinInKind(pool: ModelPool): Moved | undefined {
  const { holds, changes } = pool
  const joins = membersOf(pool, ({ status }) => status === 'resuming')
    .map((sleeve) => ({ sleeve, ...join(holds, sleeve) }))
    .filter(({ units }) => units > 0n)
  if (joins.length === 0) return undefined
  for (const { sleeve, units, paid } of joins) {
    begin(sleeve, {
      joined: changes + 1n,
      offered: 0n,
      units,
      paid: paid.cash,
      paidBase: paid.base,
    })
    sleeve.status = nextStatus('joined', { ...sleeve, offer: sleeve.cash + paid.cash })
  }
  const units = sum(joins.map((one) => one.units))
  const [cash, coins] = [
    sum(joins.map(({ paid }) => paid.cash)),
    sum(joins.map(({ paid }) => paid.base)),
  ]
  const after = {
    ...holds,
    cash: holds.cash + cash,
    base: holds.base + coins,
    units: holds.units + units,
  }
  return { after, weight: units, members: joins.length, own: { cash: -cash, coins: -coins } }
}

/** A lot leaves a pool that has no coins to sell for it. */
export function leaveWithCash(pool: ModelPool): Moved {
  if (pool.holds.base > 0n) return leaveLot(pool, { quantity: 0n, total: 0n, fee: 0n })
  const leavers = leaversOf(pool)
  const { pool: after, taken } = leaveTogether(
    pool.holds,
    leavers.map(({ leaving }) => leaving),
  )
  const units = sum(leavers.map(({ leaving }) => leaving))
  taken.forEach(({ cash: proceeds }, at) => {
    const leaver = required(leavers[at], 'a member for each part')
    part(leaver, { units: leaver.leaving, proceeds, number: pool.changes + 1n })
  })
  return {
    after,
    weight: units,
    members: leavers.length,
    own: { cash: sum(taken.map(({ cash }) => cash)), coins: 0n },
  }
}

const leaversOf = (pool: ModelPool) =>
  membersOf(pool, ({ status, leaving }) => status === 'leaving' && leaving > 0n)

/** A lot leaves, with the share sold for it. */
export function leaveLot(pool: ModelPool, sold: Share): Moved {
  const { holds, changes } = pool
  const leavers = leaversOf(pool)
  const lot = settleRedemption({
    pool: holds,
    units: sum(leavers.map(({ leaving }) => leaving)),
    sold,
  })
  const shares = shareRedemption({
    units: lot.units,
    proceeds: lot.proceeds,
    leaving: leavers.map(({ leaving }) => leaving),
  })
  shares.forEach((share, at) =>
    part(required(leavers[at], 'a member for each share'), { ...share, number: changes + 1n }),
  )
  const units = sum(shares.map((share) => share.units))
  const after = swept({
    ...holds,
    cash: holds.cash - lot.proceeds + sold.total,
    base: holds.base - sold.quantity,
    units: holds.units - units,
  }).pool
  return {
    after,
    weight: units,
    members: leavers.length,
    own: { cash: sum(shares.map(({ proceeds }) => proceeds)), coins: 0n },
  }
}

function part(
  sleeve: Sleeve,
  { units, proceeds, number }: { units: bigint; proceeds: Units; number: bigint },
): void {
  const isFullyFilled = sleeve.leaving === sleeve.units
  sleeve.units -= units
  sleeve.leaving -= units
  if (isFullyFilled) sleeve.cash += proceeds
  else sleeve.taken += proceeds
  sleeve.status = nextStatus('left', { ...sleeve, offer: sleeve.paid })
  Object.assign(sleeve, { joined: number, offered: 0n, paid: 0n, paidBase: 0n })
}

/** Own coins of members were sold. */
export function sellOwn(pool: ModelPool, sold: Share): Moved {
  const holders = membersOf(
    pool,
    ({ status, base }) => (status === 'leaving' || status === 'resuming') && base > 0n,
  )
  const held = holders.map(({ base }) => base)
  const shares = shareOwnSale({ sold, held })
  shares.forEach(({ quantity, proceeds }, at) => {
    const sleeve = required(holders[at], 'a member for each share')
    sleeve.base -= quantity
    sleeve.cash += proceeds
    sleeve.status = nextStatus('own-sold', { ...sleeve, offer: sleeve.paid })
  })
  const own = {
    cash: sum(shares.map(({ proceeds }) => proceeds)),
    coins: -sum(shares.map(({ quantity }) => quantity)),
  }
  return { after: pool.holds, weight: sum(held), members: holders.length, own }
}

/** Pausing members take their part in kind. */
export function pauseAll(pool: ModelPool): Moved | undefined {
  const pausing = membersOf(pool, ({ status }) => status === 'pausing')
  if (pausing.length === 0) return undefined
  const { pool: after, taken } = leaveTogether(
    pool.holds,
    pausing.map(({ units }) => units),
  )
  const units = sum(pausing.map((sleeve) => sleeve.units))
  pausing.forEach((sleeve, at) => {
    const { cash, base } = required(taken[at], 'a part for each')
    const gained = { cash: sleeve.cash + cash, base: sleeve.base + base }
    Object.assign(sleeve, {
      ...gained,
      units: 0n,
      joined: 0n,
      offered: 0n,
      paid: 0n,
      paidBase: 0n,
      status: nextStatus('paused', sleeve),
    })
  })
  return {
    after,
    weight: units,
    members: pausing.length,
    own: { cash: sum(taken.map(({ cash }) => cash)), coins: sum(taken.map(({ base }) => base)) },
  }
}

/** Ends the units of a pool whose last coins brought nothing. */
export function endWorthless(pool: ModelPool): Moved {
  const ended = membersOf(pool, ({ units }) => units > 0n)
  for (const sleeve of ended) {
    sleeve.status = nextStatus('worthless', sleeve)
    Object.assign(sleeve, {
      units: 0n,
      leaving: 0n,
      joined: 0n,
      offered: 0n,
      paid: 0n,
      paidBase: 0n,
    })
  }
  return {
    after: EMPTY_POOL,
    weight: pool.holds.units,
    members: ended.length,
    own: { cash: 0n, coins: 0n },
  }
}
