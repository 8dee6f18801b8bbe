import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * An independent computation of the evidence: it reads the files, walks every hour of every window
 * and keeps its own accounts. The target exposures, `wishes`, come from the second engine. Amounts
 * are bigints of 10⁻⁸; every rounding is against the customer, as documented.
 */

export type Hour = { at: number; open: bigint; high: bigint; low: bigint; close: bigint }
export type Coin = {
  name: string
  hours: readonly Hour[]
  /** Open times of the candles, in milliseconds. */
  times: Float64Array
  /**
   * Target exposure in basis points from the open of each candle on, decided on the candles before
   * it.
   */
  wishes: Uint16Array
  /**
   * Basis points that the coins' part may drift from its target; without it, price moves alone
   * never cause a trade.
   */
  band?: number
}
export type Costs = { feeBps: bigint; worseBps: bigint; oursBps: bigint }

const ONE = 100_000_000n
const ALL = 10_000n
const HOUR = 3_600_000
const DAY = 24 * HOUR

export function readHours(file: string): Hour[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split(/\r?\n/).slice(1)
  return lines.map((line) => {
    const [at = '', open = '', high = '', low = '', close = ''] = line.split(',')
    return {
      at: Number(at),
      open: units(open),
      high: units(high),
      low: units(low),
      close: units(close),
    }
  })
}

function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt((fraction + '00000000').slice(0, 8))
}

/** A midnight on which bots start, and the coins they trade, by their place among all. */
export type Start = { at: number; members: number[] }

/**
 * Every midnight from which some coin has a year of candles. Its members are the coins with at
 * least 80 days and an hour of candles before it, whose last candle opens at it or later.
 */
export function startsOf(coins: readonly Pick<Coin, 'hours'>[]): Start[] {
  const ready = coins.map(({ hours }) => hours[80 * 24 + 1]?.at ?? Number.POSITIVE_INFINITY)
  const ends = coins.map(({ hours }) => hours.at(-1)?.at ?? 0)
  const starts: Start[] = []
  for (
    let at = Math.ceil(Math.min(...ready) / DAY) * DAY;
    at + 365 * DAY <= Math.max(...ends);
    at += DAY
  ) {
    const members = coins
      .map((_coin, which) => which)
      .filter((which) => at >= (ready[which] ?? 0) && at <= (ends[which] ?? 0))
    if (members.length > 0) starts.push({ at, members })
  }
  return starts
}

/** The starts that follow each other with the same coins, as their first and last. */
export function erasOf(
  starts: readonly Start[],
): { members: number[]; first: number; last: number }[] {
  const eras: { members: number[]; first: number; last: number }[] = []
  for (const { at, members } of starts) {
    const era = eras.at(-1)
    if (era && String(era.members) === String(members)) era.last = at
    else eras.push({ members, first: at, last: at })
  }
  return eras
}

export function hashOf(coins: readonly Pick<Coin, 'name' | 'hours'>[]): string {
  const lines = coins.flatMap(({ name, hours }) =>
    hours.map(
      ({ at, open, high, low, close }) => `${name} ${at} ${open} ${high} ${low} ${close}\n`,
    ),
  )
  return createHash('sha256').update(lines.join('')).digest('hex')
}

type Purse = {
  cash: bigint
  coins: bigint
  applied: number
  seen: number
  isOpen: boolean
  price: bigint
  /**
   * `waiting`: monthly parts that wait for their day. `joined`: those that have joined; each owns
   * `of` of the purse's `all`.
   */
  waiting: { due: number; money: bigint }[]
  joined: { of: bigint; all: bigint }[]
}

/**
 * The result of 10,000 dollars after one year from `start`: strategy followed, everything sold at
 * the end, platform fee paid. `monthly`: of the same money in twelve parts that join this bot month
 * by month. `fall`: its deepest fall at any close and at the sale, a fraction of the peak.
 */
export function followed(
  coins: readonly Coin[],
  { start, costs }: { start: number; costs: Costs },
): { once: bigint; monthly: bigint; fall: number } {
  const bot = openBot(coins, { start, costs })
  const falling = { highest: Number(bot.stake), deepest: 0 }
  for (let at = start; at < start + 365 * DAY; at += HOUR) {
    passHour(bot, { coins, at })
    fallTo(falling, leftNow(bot, coins))
    for (const [which, purse] of bot.purses.entries())
      if (purse.isOpen) joinParts(bot, { purse, coin: coins[which], at })
  }
  sellOut(bot, coins)
  const once = bot.purses.reduce((sum, { cash }) => sum + cash, 0n)
  const monthly = bot.purses.reduce((sum, purse) => sum + partsOf(purse), 0n)
  const kept = (all: bigint) =>
    all - ((all > bot.stake ? all - bot.stake : 0n) * costs.oursBps) / ALL
  fallTo(falling, Number(kept(once)))
  return { once: kept(once), monthly: kept(monthly), fall: falling.deepest }
}

function fallTo(falling: { highest: number; deepest: number }, left: number): void {
  falling.highest = Math.max(falling.highest, left)
  falling.deepest = Math.max(falling.deepest, 1 - left / falling.highest)
}

/** The money that closing at the last closes would leave, without the costs of selling. */
function leftNow({ purses, stake, costs }: Bot, coins: readonly Coin[]): number {
  const worth = purses.reduce(
    (sum, purse, which) =>
      sum + Number(purse.cash) + Number(purse.coins) * closeOf(coins[which], purse),
    0,
  )
  return worth - Math.max(0, worth - Number(stake)) * (Number(costs.oursBps) / 10_000)
}

/**
 * Parts whose day has come buy the same mix as the purse holds after its own trade of this hour.
 * The candle of this hour is the last one seen.
 */
function joinParts(
  { costs }: Bot,
  { purse, coin, at }: { purse: Purse; coin: Coin | undefined; at: number },
): void {
  for (let next = purse.waiting[0]; next !== undefined && next.due <= at; next = purse.waiting[0]) {
    purse.waiting.shift()
    const open = coin?.hours[purse.seen - 1]?.open ?? 0n
    const dear = up(open * (ALL + costs.worseBps), ALL) * (ALL + costs.feeBps)
    const bought =
      ((next.money - 4n) * purse.coins * ONE * ALL) / (purse.cash * ONE * ALL + purse.coins * dear)
    purse.joined.push(
      purse.coins === 0n ? { of: next.money, all: purse.cash } : { of: bought, all: purse.coins },
    )
  }
}

/**
 * The parts' money: their fractions of a sold purse, and the money of parts whose day never came.
 */
function partsOf({ cash, waiting, joined }: Purse): bigint {
  const idle = waiting.reduce((sum, { money }) => sum + money, 0n)
  return joined.reduce((sum, { of, all }) => sum + (cash * of) / all, idle)
}

/**
 * Twelve midnights: `start`, and the same day of each month that follows, or the last one of a
 * shorter month.
 */
function monthsFrom(start: number): number[] {
  const first = new Date(start)
  return Array.from({ length: 12 }, (_, month) => {
    const date = new Date(start)
    date.setUTCDate(1)
    date.setUTCMonth(first.getUTCMonth() + month)
    const wanted = first.getUTCDate()
    for (let day = wanted; day > 0; day -= 1) {
      const tried = new Date(date)
      tried.setUTCDate(day)
      if (tried.getUTCMonth() === date.getUTCMonth()) return tried.getTime()
    }
    return Number.NaN
  })
}

/**
 * Max drawdown of one bot over all closes between `start` and `end`, a fraction of the peak, after
 * the platform fee.
 */
export function deepestFall(
  coins: readonly Coin[],
  { start, end, costs }: { start: number; end: number; costs: Costs },
): number {
  const bot = openBot(coins, { start, costs })
  const falling = { highest: Number(bot.stake), deepest: 0 }
  for (let at = start; at < end; at += HOUR) {
    passHour(bot, { coins, at })
    fallTo(falling, leftNow(bot, coins))
  }
  return falling.deepest
}

function closeOf(coin: Coin | undefined, { seen }: Purse): number {
  return Number(coin?.hours[seen - 1]?.close ?? 0n) / Number(ONE)
}

/**
 * Passes one hour: marks the coins that have a candle, then trades each of them to its target. Most
 * hours have no trade.
 */
function passHour(bot: Bot, { coins, at }: { coins: readonly Coin[]; at: number }): void {
  let isWanted = false
  for (const [which, purse] of bot.purses.entries()) {
    const coin = coins[which]
    purse.isOpen = coin?.times[purse.seen] === at
    isWanted ||= purse.isOpen && coin?.wishes[purse.seen] !== purse.applied
  }
  if (isWanted) tradeHour(bot, coins)
  for (const [which, purse] of bot.purses.entries()) {
    if (!purse.isOpen) continue
    drift(purse, coins[which])
    purse.seen += 1
  }
}

/**
 * If the coins are a band or more from their target at a close, the purse counts its actual share
 * as applied, and the next open trades back to the target.
 */
function drift(purse: Purse, coin: Coin | undefined): void {
  if (coin?.band === undefined || purse.coins === 0n) return
  const close = coin.hours[purse.seen]?.close ?? 0n
  const wish = coin.wishes[purse.seen] ?? 0
  const rough = Number(purse.coins) * (Number(close) / Number(ONE))
  // Skips closes far inside the band, which need no exact amounts.
  if (Math.abs((rough / (Number(purse.cash) + rough)) * 10_000 - wish) < coin.band - 1) return
  const inCoins = purse.coins * close
  const all = purse.cash * ONE + inCoins
  const isOutside =
    inCoins * ALL >= BigInt(wish + coin.band) * all ||
    inCoins * ALL <= BigInt(wish - coin.band) * all
  if (isOutside) purse.applied = Number((inCoins * ALL) / all)
}

function tradeHour(bot: Bot, coins: readonly Coin[]): void {
  for (const [which, purse] of bot.purses.entries()) {
    if (!purse.isOpen) continue
    purse.price = coins[which]?.hours[purse.seen]?.open ?? 0n
    obey(bot, { purse, wish: coins[which]?.wishes[purse.seen] ?? 0 })
  }
}

type Bot = { stake: bigint; purses: Purse[]; costs: Costs }

function openBot(coins: readonly Coin[], { start, costs }: { start: number; costs: Costs }): Bot {
  const stake = 10_000n * ONE
  const dues = monthsFrom(start)
  const purses = coins.map(({ times }, which) => {
    const purse = openPurse({ stake, which, count: coins.length, seen: indexAt(times, start) })
    const share = (money: bigint, { place, count }: { place: number; count: number }) =>
      place === 0 ? money - (money / BigInt(count)) * BigInt(count - 1) : money / BigInt(count)
    const waiting = dues.map((due, month) => ({
      due,
      money: share(share(stake, { place: month, count: dues.length }), {
        place: which,
        count: coins.length,
      }),
    }))
    return { ...purse, waiting }
  })
  return { stake, purses, costs }
}

function openPurse({
  stake,
  which,
  count,
  seen,
}: {
  stake: bigint
  which: number
  count: number
  seen: number
}): Purse {
  const part = stake / BigInt(count)
  const cash = which === 0 ? stake - part * BigInt(count - 1) : part
  return { cash, coins: 0n, applied: 0, seen, isOpen: false, price: 0n, waiting: [], joined: [] }
}

/**
 * Sells every coin at its first open at or after the end of the year, or at its last close if there
 * is none.
 */
function sellOut(bot: Bot, coins: readonly Coin[]): void {
  for (const [which, purse] of bot.purses.entries()) {
    purse.price = openOrEnd(coins[which], purse.seen)
    sell(bot, { purse, quantity: purse.coins })
  }
}

function openOrEnd(coin: Coin | undefined, index: number): bigint {
  return coin?.hours[index]?.open ?? coin?.hours.at(-1)?.close ?? 0n
}

function obey(bot: Bot, { purse, wish }: { purse: Purse; wish: number }): void {
  if (wish === purse.applied) return
  const worth = (purse.coins * purse.price) / ONE
  const wanted = ((purse.cash + worth) * BigInt(wish)) / ALL
  if (wanted > worth) buy(bot, { purse, amount: wanted - worth })
  else
    sell(bot, {
      purse,
      quantity:
        wish === 0 ? purse.coins : least(((worth - wanted) * ONE) / purse.price, purse.coins),
    })
  purse.applied = wish
}

function buy({ costs }: Bot, { purse, amount }: { purse: Purse; amount: bigint }): void {
  const price = up(purse.price * (ALL + costs.worseBps), ALL)
  // A buyer reserves cash for costs and roundings: one basis point and four units more than their
  // sum.
  const most = (purse.cash * ALL) / (ALL + costs.feeBps + costs.worseBps + 1n) - 4n
  const quantity = (least(amount, most) * ONE) / price
  if (quantity <= 0n) return
  const value = up(quantity * price, ONE)
  const total = value + up(value * costs.feeBps, ALL)
  purse.cash -= total
  purse.coins += quantity
}

function sell({ costs }: Bot, { purse, quantity }: { purse: Purse; quantity: bigint }): void {
  if (quantity <= 0n) return
  const price = (purse.price * (ALL - costs.worseBps)) / ALL
  const value = (quantity * price) / ONE
  purse.cash += value - up(value * costs.feeBps, ALL)
  purse.coins -= quantity
}

/** The same money, bought at the start, held for a year and sold: venue costs, no platform fee. */
export function held(
  coins: readonly Coin[],
  { start, costs }: { start: number; costs: Costs },
): bigint {
  const stake = 10_000n * ONE
  const free = { stake, purses: [], costs }
  return coins.reduce((total, coin, which) => {
    const { hours, times } = coin
    const purse = openPurse({ stake, which, count: coins.length, seen: indexAt(times, start) })
    purse.price = hours[purse.seen]?.open ?? 0n
    buy(free, { purse, amount: purse.cash })
    const price =
      (openOrEnd(coin, indexAt(times, start + 365 * DAY)) * (ALL - costs.worseBps)) / ALL
    const value = (purse.coins * price) / ONE
    return total + purse.cash + value - up(value * costs.feeBps, ALL)
  }, 0n)
}

function indexAt(times: Float64Array, at: number): number {
  const index = times.findIndex((time) => time >= at)
  return index < 0 ? times.length : index
}

/** Percent with two decimals, rounded down: −0.001 gives −0.01. */
export function percentText(end: bigint): string {
  const stake = 10_000n * ONE
  const product = (end - stake) * 10_000n
  const hundredths = product >= 0n ? product / stake : -up(-product, stake)
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function up(product: bigint, divisor: bigint): bigint {
  return (product + divisor - 1n) / divisor
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
