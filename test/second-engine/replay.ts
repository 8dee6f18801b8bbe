/**
 * Backtests and windows as docs/strategies.md ("Exactly") describes them, written from that page
 * alone: nothing here comes from the product. Amounts are bigints of 10⁻⁸.
 */

export type Quote = { at: number; open: bigint; close: bigint }
/** `wanted`: the exposure in percent from each candle's open. */
export type Market = { name: string; quotes: readonly Quote[]; wanted: Uint8Array }
/**
 * All in basis points. `ours`: our share of the profit. `yearly`: a year's interest on a bot's
 * cash.
 */
export type Charges = { fee: bigint; halfSpread: bigint; slippage: bigint; ours: bigint }
/** Basis points and days. `mark`: the value from which the stop loss counts. */
export type Guarding = {
  stop?: bigint
  mark?: 'start' | 'best'
  take?: bigint
  daily?: bigint
  days?: number
}
export type Bot = {
  markets: readonly Market[]
  invested: bigint
  from: number
  to: number
  charges: Charges
  yearly: bigint
  guarding?: Guarding
}

export type Deal = {
  at: number
  name: string
  side: 'buy' | 'sell'
  quantity: bigint
  price: bigint
  notional: bigint
  fee: bigint
  profit: bigint
}

const ONE = 100_000_000n
const ALL = 10_000n
const HOUR = 3_600_000
const DAY = 24 * HOUR

type Purse = {
  market: Market
  next: number
  cash: bigint
  coins: bigint
  cost: bigint
  applied: number
}

/** The result of a backtest: every deal, and what closing at the last closes would leave. */
export function replay(bot: Bot) {
  const { invested, from, to, charges, markets } = bot
  const lastCandle = Math.max(
    ...markets.map(({ quotes }) => quotes.findLast(({ at }) => at < to)?.at ?? from),
  )
  const purses = openPurses(bot)
  const deals: Deal[] = []
  const guard = guardOf(bot)
  const share = Number(charges.ours) / 10_000
  const left = (worth: number) =>
    worth > Number(invested) ? worth - (worth - Number(invested)) * share : worth
  let [peak, deepest] = [left(Number(invested)), 0]
  const daily = [peak]
  let latest: number | undefined
  let midnight = (Math.floor(from / DAY) + 1) * DAY
  for (let at = Math.ceil(from / HOUR) * HOUR; at <= lastCandle + HOUR; at += HOUR) {
    if (at % DAY === 0 && at > from)
      purses
        .filter(({ coins }) => coins > 0n || !guard.wasStopped(at))
        .forEach((purse) => earn(purse, bot))
    const open = purses.filter(({ market, next }) => market.quotes[next]?.at === at)
    if (open.length === 0 || at >= to) continue
    guard.beforeTrades(at, purses)
    for (const purse of open) {
      deals.push(...(guard.isStopped() ? sellAll(purse, charges) : trade(purse, charges)))
      purse.next += 1
    }
    const equity = left(
      purses.reduce(
        (sum, purse) =>
          sum + Number(purse.cash) + (Number(purse.coins) / 1e8) * Number(lastClose(purse)),
        0,
      ),
    )
    peak = Math.max(peak, equity)
    deepest = Math.max(deepest, 1 - equity / peak)
    guard.afterCloses(at + HOUR, purses)
    latest = equity
    if (at + HOUR >= midnight) {
      daily.push(equity)
      latest = undefined
      midnight = (Math.floor((at + HOUR) / DAY) + 1) * DAY
    }
  }
  if (latest !== undefined) daily.push(latest)
  const out = purses.reduce(
    (sum, purse) => sum + purse.cash + (purse.coins * lastClose(purse)) / ONE,
    0n,
  )
  const platformFee = feeOn(out, bot)
  const equity = out - platformFee
  return {
    deals,
    equity,
    platformFee,
    venueFees: deals.reduce((sum, { fee }) => sum + fee, 0n),
    stops: guard.stops,
    deepest,
    sharpe: sharpeOf(daily),
  }
}

type Stop = { guard: string; at: number; ended: number | null }

/** The guards of a bot: its marks, and whether it is stopped. */
function guardOf(bot: Bot) {
  const { invested, from, guarding: { stop, mark = 'start', take, daily, days } = {} } = bot
  const stops: Stop[] = []
  const marks = { start: invested, best: invested, day: invested }
  let [today, last, back] = [Math.floor(from / DAY), invested, Number.POSITIVE_INFINITY]
  const isStopped = () => stops.at(-1)?.ended === null
  const worthOf = (purses: readonly Purse[]) => {
    const out = purses.reduce(
      (sum, purse) => sum + purse.cash + (purse.coins * lastClose(purse)) / ONE,
      0n,
    )
    return out - feeOn(out, bot)
  }
  const isDown = (worth: bigint, from_: bigint, by: bigint | undefined) =>
    by !== undefined && from_ > 0n && worth * ALL <= from_ * (ALL - by)
  const halt = (guard: string, at: number) => {
    stops.push({ guard, at, ended: null })
    if (guard === 'daily-loss') back = (Math.floor(at / DAY) + 1) * DAY
    else back = days === undefined ? Number.POSITIVE_INFINITY : at + days * DAY
  }
  const isStopLoss = (worth: bigint) => isDown(worth, marks[mark], stop)
  const stopName = mark === 'best' ? 'trailing-stop' : 'stop-loss'
  return {
    stops,
    isStopped,
    /** Whether the bot is stopped, and was so before the close at `at`. */
    wasStopped: (at: number) => stops.some((one) => one.ended === null && one.at < at),
    beforeTrades: (at: number, purses: readonly Purse[]) => {
      const open = stops.at(-1)
      if (!open || open.ended !== null || at < back || purses.some(({ coins }) => coins > 0n))
        return
      const worth = worthOf(purses)
      open.ended = at
      ;[today, last, marks.day] = [Math.floor(at / DAY), worth, worth]
      if (open.guard !== 'daily-loss') [marks.start, marks.best] = [worth, worth]
      else if (isStopLoss(worth)) halt(stopName, at)
    },
    afterCloses: (at: number, purses: readonly Purse[]) => {
      if (isStopped()) return
      const worth = worthOf(purses)
      if (Math.floor(at / DAY) > today)
        [today, marks.day] = [Math.floor(at / DAY), at % DAY === 0 ? worth : last]
      if (worth > marks.best) marks.best = worth
      last = worth
      if (isStopLoss(worth)) halt(stopName, at)
      else if (take !== undefined && marks.start > 0n && worth * ALL >= marks.start * (ALL + take))
        halt('take-profit', at)
      else if (isDown(worth, marks.day, daily)) halt('daily-loss', at)
      if (isStopped()) for (const purse of purses) purse.applied = 0
    },
  }
}

function sellAll(purse: Purse, charges: Charges): Deal[] {
  const quote = purse.market.quotes[purse.next]
  const deal = quote && sell(purse, { open: quote.open, quantity: purse.coins, charges })
  return quote && deal ? [{ at: quote.at, name: purse.market.name, ...deal }] : []
}

/**
 * The money in hand after a window: all coins sold at the first opens at or after its end, and the
 * fee on the profit paid.
 */
export function windowEnd(bot: Bot): bigint {
  const purses = openPurses(bot)
  for (const purse of purses) {
    let midnight = (Math.floor(bot.from / DAY) + 1) * DAY
    const earnUntil = (at: number) => {
      for (; midnight <= at; midnight += DAY) earn(purse, bot)
    }
    for (
      let quote = purse.market.quotes[purse.next];
      quote && quote.at < bot.to;
      quote = purse.market.quotes[purse.next]
    ) {
      earnUntil(quote.at)
      if (purse.market.wanted[purse.next] !== purse.applied) trade(purse, bot.charges)
      purse.next += 1
    }
    earnUntil(bot.to)
    const { quotes } = purse.market
    if (purse.coins > 0n)
      sell(purse, {
        open: quotes[purse.next]?.open ?? quotes.at(-1)?.close ?? 0n,
        quantity: purse.coins,
        charges: bot.charges,
      })
  }
  const out = purses.reduce((sum, { cash }) => sum + cash, 0n)
  return out - feeOn(out, bot)
}

/** One day of a year's interest. */
function earn(purse: Purse, { yearly }: Bot): void {
  purse.cash += (purse.cash * yearly) / (ALL * 365n)
}

function openPurses({ markets, invested, from }: Bot): Purse[] {
  const part = invested / BigInt(markets.length)
  return markets.map((market, which) => ({
    market,
    next: firstFrom(market.quotes, from),
    cash: which === 0 ? invested - part * BigInt(markets.length - 1) : part,
    coins: 0n,
    cost: 0n,
    applied: 0,
  }))
}

function firstFrom(quotes: readonly Quote[], from: number): number {
  const index = quotes.findIndex(({ at }) => at >= from)
  return index < 0 ? quotes.length : index
}

function feeOn(out: bigint, { invested, charges }: Bot): bigint {
  return out > invested ? ((out - invested) * charges.ours) / ALL : 0n
}

const lastClose = ({ market, next }: Purse): bigint => market.quotes[next - 1]?.close ?? 0n

/**
 * Trades to the wanted exposure at the open of the next candle, with at most one deal. An order
 * that would be empty counts as done.
 */
function trade(purse: Purse, charges: Charges): Deal[] {
  const { market, next, applied } = purse
  const [wish = 0, quote] = [market.wanted[next], market.quotes[next]]
  if (wish === applied || !quote) return []
  purse.applied = wish
  const { open } = quote
  const worth = (purse.coins * open) / ONE
  const aim = ((purse.cash + worth) * BigInt(wish)) / 100n
  const deal =
    aim > worth
      ? buy(purse, { open, amount: aim - worth, charges })
      : sell(purse, {
          open,
          quantity: wish === 0 ? purse.coins : least(((worth - aim) * ONE) / open, purse.coins),
          charges,
        })
  return deal ? [{ at: quote.at, name: market.name, ...deal }] : []
}

type Done = Omit<Deal, 'at' | 'name'>

function buy(
  purse: Purse,
  { open, amount, charges }: { open: bigint; amount: bigint; charges: Charges },
): Done | undefined {
  const worse = charges.halfSpread + charges.slippage
  const price = up(open * (ALL + worse), ALL)
  const most = (purse.cash * ALL) / (ALL + charges.fee + worse + 1n) - 4n
  const quantity = (least(amount, most) * ONE) / price
  if (quantity <= 0n) return undefined
  const notional = up(quantity * price, ONE)
  const fee = up(notional * charges.fee, ALL)
  purse.cash -= notional + fee
  purse.coins += quantity
  purse.cost += notional + fee
  return { side: 'buy', quantity, price, notional, fee, profit: 0n }
}

function sell(
  purse: Purse,
  { open, quantity, charges }: { open: bigint; quantity: bigint; charges: Charges },
): Done | undefined {
  if (quantity <= 0n) return undefined
  const price = (open * (ALL - charges.halfSpread - charges.slippage)) / ALL
  const notional = (quantity * price) / ONE
  const fee = up(notional * charges.fee, ALL)
  const cost = (purse.cost * quantity) / purse.coins
  purse.cash += notional - fee
  purse.coins -= quantity
  purse.cost -= cost
  return { side: 'sell', quantity, price, notional, fee, profit: notional - fee - cost }
}

function sharpeOf(daily: readonly number[]): number | undefined {
  const returns = daily.slice(1).map((equity, index) => equity / (daily[index] ?? equity) - 1)
  if (returns.length < 30) return undefined
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length
  const variance = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1)
  return variance > 0 ? (mean / Math.sqrt(variance)) * Math.sqrt(365) : undefined
}

function up(product: bigint, divisor: bigint): bigint {
  return (product + divisor - 1n) / divisor
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
