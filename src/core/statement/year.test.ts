import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  botFunded,
  botReturned,
  debtRepaid,
  depositCredited,
  paymentReversed,
  payoutFailed,
  payoutPaid,
  payoutReturned,
  payoutSubmitted,
  reversalReturned,
  withdrawalHeld,
  withdrawalReleased,
} from '#core/ledger/movements.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { minimum, ONE, type Units } from '#core/money/amount.ts'
import { CRYPTO_ASSETS } from '#core/money/asset.ts'
import { isTrade, moneyRows, type BookRow, type TradeRow } from './books.ts'
import { openYear, type YearSums } from './year.ts'

const JANUARY = Date.UTC(2025, 0, 1)
const FOR_EVER = { fromMs: 0, toMs: Date.UTC(2100, 0, 1) }
const BTC = { coin: 'BTC', fee: 0n } as const

function sumsOf(rows: readonly BookRow[], span = FOR_EVER): YearSums {
  const { add, sums } = openYear(span)
  rows.forEach(add)
  return sums
}

const trade = (side: 'buy' | 'sell', coins: Units, total: Units, atMs = JANUARY): TradeRow => ({
  ...BTC,
  side,
  id: '',
  atMs,
  quantity: coins,
  coins,
  total,
})

test('first in, first out takes the cost of the oldest coins; average cost, a part of all', () => {
  const rows = [trade('buy', 10n, 100n), trade('buy', 10n, 300n), trade('sell', 15n, 600n)]
  expect(sumsOf(rows).coins.get('BTC')).toEqual({
    quantity: 15n,
    proceeds: 600n,
    fifoCost: 250n,
    averageCost: 300n,
  })
})

test('a year lists only its own sales, at the cost of coins from earlier years', () => {
  const before = JANUARY - 1
  const rows = [
    trade('buy', 10n, 100n, before),
    trade('sell', 5n, 1_000n, before),
    trade('sell', 5n, 80n, JANUARY),
    trade('buy', 7n, 70n, JANUARY + 1),
  ]
  const year = sumsOf(rows, { fromMs: JANUARY, toMs: JANUARY + 1 })
  expect(year.coins.get('BTC')).toEqual({
    quantity: 5n,
    proceeds: 80n,
    fifoCost: 50n,
    averageCost: 50n,
  })
})

test('a sale of everything includes the cost of the dust of pools', () => {
  const all = { ...trade('sell', 10n, 90n), quantity: 9n }
  const [sold] = sumsOf([trade('buy', 10n, 100n), all]).coins.values()
  expect(sold).toEqual({ quantity: 9n, proceeds: 90n, fifoCost: 100n, averageCost: 100n })
})

test('a transfer of an unknown kind is an error, never left out', () => {
  const move = { id: '', kind: 'gift', eventTime: new Date(0), cash: 1n, fee: 0n }
  expect(() => moneyRows(move)).toThrow('gift')
  expect(moneyRows({ ...move, kind: 'bot-funded' })).toEqual([])
})

/** A step of a random life: days that pass, an action, and the part of the money or coins. */
const STEP = fc.record({
  days: fc.integer({ min: 0, max: 60 }),
  deed: fc.nat({ max: 13 }),
  part: fc.bigInt({ min: 1n, max: 1_000n }),
  coin: fc.constantFrom(...CRYPTO_ASSETS.slice(0, 3)),
})
const STEPS = fc.array(STEP, { maxLength: 120, size: 'max' })
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

/** An independent ledger: balances by account, and entries with their time. */
class Life {
  readonly rows: BookRow[] = []
  readonly entries: { code: string; kind: string; amount: Units; atMs: number }[] = []
  readonly held = new Map<string, Units>()
  atMs = JANUARY
  bots = 0n

  balance(code: string): Units {
    return this.entries.reduce((sum, entry) => sum + (entry.code === code ? entry.amount : 0n), 0n)
  }

  post({ kind, entries }: Movement): void {
    for (const { account, amount } of entries)
      this.entries.push({ code: account.code, kind, amount, atMs: this.atMs })
    const of = (...codes: string[]) =>
      entries.reduce(
        (sum, { account, amount }) => sum + (codes.includes(account.code) ? amount : 0n),
        0n,
      )
    const cash = of('customer:cash', 'customer:hold')
    const move = { id: '', kind, eventTime: new Date(this.atMs), cash, fee: of('fees:income') }
    this.rows.push(...moneyRows(move))
  }

  trade(side: 'buy' | 'sell', { part, coin }: Step): void {
    const held = this.held.get(coin) ?? 0n
    const coins = side === 'buy' ? part * 977n : minimum(held, part * 1_013n)
    const total = side === 'buy' ? minimum(this.bots, part * ONE) : part * ONE + 7n
    if (coins === 0n || total === 0n) return
    this.held.set(coin, side === 'buy' ? held + coins : held - coins)
    this.bots += side === 'buy' ? -total : total
    const fee = total / 1_000n
    this.rows.push({ side, id: '', atMs: this.atMs, coin, quantity: coins, coins, total, fee })
  }
}

/** Moves `part` thousandths of an account, if it has any. */
const DEEDS: readonly ((life: Life, step: Step) => void)[] = [
  (life, { part }) => life.post(depositCredited({ userId: 'u', amount: part * ONE })),
  (life, { part }) => {
    const cash = life.balance('customer:cash')
    const reversal = part % 2n === 0n ? 'refund' : 'dispute'
    const amount = part * ONE
    if (-life.balance('card:clearing') < amount) return
    life.post(paymentReversed({ userId: 'u', amount, cash, reversal }))
  },
  (life, { part }) =>
    life.post(reversalReturned({ userId: 'u', amount: part, reversal: 'dispute' })),
  (life) => {
    const owed = minimum(-life.balance('customer:receivable'), life.balance('customer:cash'))
    if (owed > 0n) life.post(debtRepaid({ userId: 'u', amount: owed }))
  },
  part('customer:cash', withdrawalHeld),
  part('customer:hold', withdrawalReleased),
  part('customer:hold', payoutSubmitted),
  part('payout:clearing', payoutPaid),
  part('payout:clearing', payoutFailed),
  part('bank', payoutReturned),
  (life, step) => {
    const before = life.balance('customer:cash')
    part('customer:cash', botFunded)(life, step)
    life.bots += before - life.balance('customer:cash')
  },
  (life, { part: thousandths }) => {
    const amount = (life.bots * thousandths) / 1_000n
    if (amount < 10n) return
    life.bots -= amount
    life.post(botReturned({ userId: 'u', amount, fee: amount / 7n }))
  },
  (life, step) => life.trade('buy', step),
  (life, step) => life.trade('sell', step),
]

function part(code: string, move: (of: { userId: string; amount: Units }) => Movement) {
  return (life: Life, step: Step): void => {
    const amount = (life.balance(code) * step.part) / 1_000n
    if (amount > 0n) life.post(move({ userId: 'u', amount }))
  }
}

function lifeOf(steps: readonly Step[]): Life {
  const life = new Life()
  for (const step of steps) {
    life.atMs += step.days * DAY_MS
    DEEDS[step.deed]?.(life, step)
  }
  return life
}

const yearsOf = ({ rows, atMs }: Life) =>
  Array.from({ length: new Date(atMs).getUTCFullYear() - 2025 + 1 }, (_, index) => {
    const span = { fromMs: Date.UTC(2025 + index, 0, 1), toMs: Date.UTC(2026 + index, 0, 1) }
    return { span, sums: sumsOf(rows, span) }
  })

test("in 400 random accounts, the money of each year equals the ledger's of that year", () => {
  let years = 0
  fc.assert(
    fc.property(STEPS, (steps) => {
      const life = lifeOf(steps)
      for (const { span, sums } of yearsOf(life)) {
        years += 1
        const within = life.entries.filter(({ atMs }) => atMs >= span.fromMs && atMs < span.toMs)
        const booked = (codes: RegExp, kinds: RegExp) =>
          within.reduce(
            (sum, { code, kind, amount }) =>
              sum + (codes.test(code) && kinds.test(kind) ? amount : 0n),
            0n,
          )
        const own = /^customer:(cash|hold)$/
        expect(sums.money).toEqual({
          deposit: -booked(/^card:clearing$/, /^deposit$/),
          refund: booked(own, /^(refund|dispute|debt)/),
          withdrawal: -booked(/^(payout:clearing|bank)$/, /^payout/),
          interest: 0n,
          fee: -booked(/^fees:income$/, /^/),
        })
        const { deposit, refund, withdrawal } = sums.money
        const bots = booked(own, /^bot-/)
        expect(deposit + refund + withdrawal + bots).toBe(booked(own, /^/))
      }
    }),
    { numRuns: 400 },
  )
  expect(years).toBeGreaterThan(800)
})

/** Cost of the coins bought first, up to the number sold so far: first in, first out. */
function costUntil(buys: readonly TradeRow[], coins: Units): { whole: bigint; scale: bigint } {
  let left = coins
  let whole = 0n
  for (const { coins: bought, total } of buys) {
    if (left < bought) return { whole: whole * bought + total * left, scale: bought }
    whole += total
    left -= bought
  }
  return { whole, scale: 1n }
}

test('in 400 random accounts, the years add up to what was paid and received', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const life = lifeOf([...steps, ...steps.map((step) => ({ ...step, deed: 13 }))])
      for (const [coin, held] of life.held)
        if (held > 0n)
          life.rows.push({ ...trade('sell', held, 5n * ONE, life.atMs), coin: coin as 'BTC' })
      const trades = life.rows.filter(isTrade)
      const gained = trades.reduce(
        (sum, { side, total }) => sum + (side === 'buy' ? -total : total),
        0n,
      )
      const sales = yearsOf(life).flatMap(({ sums }) => [...sums.coins.values()])
      const sum = (cost: 'fifoCost' | 'averageCost') =>
        sales.reduce((all, sale) => all + sale.proceeds - sale[cost], 0n)
      // Everything is sold, so both methods end at the same result, to the unit.
      expect([sum('fifoCost'), sum('averageCost')]).toEqual([gained, gained])
      for (const { span } of yearsOf(life)) {
        const until = sumsOf(life.rows, { fromMs: 0, toMs: span.toMs })
        for (const [coin, { quantity, fifoCost }] of until.coins) {
          const buys = trades.filter((row) => row.side === 'buy' && row.coin === coin)
          const { whole, scale } = costUntil(buys, quantity)
          const exact = whole / scale
          // Each sale may round down by a unit (10⁻⁸ dollars) for each lot of coins that it
          // touches.
          const error = exact - fifoCost
          expect(error >= -1n && error <= BigInt(trades.length)).toBe(true)
        }
      }
    }),
    { numRuns: 400 },
  )
})
