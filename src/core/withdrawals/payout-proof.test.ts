import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  botFunded,
  botReturned,
  debtRepaid,
  depositCredited,
  paymentReversed,
  payoutFailed,
  payoutPaid,
  payoutSubmitted,
  withdrawalHeld,
} from '#core/ledger/movements.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { maximum, minimum, type Units } from '#core/money/amount.ts'
import {
  findPayoutFault,
  isCovered,
  payoutFacts,
  tracePayout,
  type PostedTransfer,
} from './payout-proof.ts'

const userId = '01900000-0000-7000-8000-000000000001'
const FOREVER = new Date(8.64e15)
const DAY_MS = 86_400_000

/** A user's ledger, posted through the movements of the product. */
class Book {
  readonly transfers: PostedTransfer[] = []
  #at = 0

  post(movement: Movement, dedupKey: string): void {
    this.#at += DAY_MS
    this.transfers.push({
      kind: movement.kind,
      dedupKey,
      postedAt: new Date(this.#at),
      lines: movement.entries.map(({ account: { code }, amount }) => ({ code, amount })),
    })
  }

  balance(...codes: string[]): Units {
    return this.transfers
      .flatMap(({ lines }) => lines)
      .reduce((sum, { code, amount }) => (codes.includes(code) ? sum + amount : sum), 0n)
  }

  deposit(id: string, amount: Units): void {
    this.post(depositCredited({ userId, amount }), `deposit:${id}`)
  }

  pay(id: string, amount: Units): void {
    this.post(withdrawalHeld({ userId, amount }), `withdrawal:${id}:hold`)
    this.post(payoutSubmitted({ userId, amount }), `withdrawal:${id}:submit`)
    this.post(payoutPaid({ userId, amount }), `withdrawal:${id}:mark-paid`)
  }

  /** All deposits as confirmed by a provider that agrees with the ledger. */
  confirmed(): Map<string, Units> {
    return new Map(payoutFacts(this.transfers).deposits.map(({ id, net }) => [id, net]))
  }

  fault(amount: Units, { confirmed = this.confirmed(), heldSince = FOREVER } = {}) {
    return findPayoutFault({
      facts: payoutFacts(this.transfers),
      amount,
      heldSince,
      holdMs: DAY_MS,
      confirmed,
    })
  }
}

describe('examples', () => {
  test('a payout uses the oldest deposits first; the next payout continues there', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    book.deposit('pi_2', 50n)
    expect(tracePayout(payoutFacts(book.transfers), { amount: 120n, heldSince: FOREVER })).toEqual({
      shares: [
        { id: 'pi_1', from: 0n, to: 100n },
        { id: 'pi_2', from: 0n, to: 20n },
      ],
      fromGains: 0n,
    })
    book.pay('one', 120n)
    expect(tracePayout(payoutFacts(book.transfers), { amount: 30n, heldSince: FOREVER })).toEqual({
      shares: [{ id: 'pi_2', from: 20n, to: 50n }],
      fromGains: 0n,
    })
  })

  test('a deposit funds no more than the provider confirms', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    expect(book.fault(60n)).toBeUndefined()
    expect(book.fault(60n, { confirmed: new Map() })).toEqual({
      reason: 'unconfirmed',
      id: 'pi_1',
      confirmed: 0n,
      needed: 60n,
    })
    expect(book.fault(60n, { confirmed: new Map([['pi_1', 59n]]) })).toMatchObject({
      reason: 'unconfirmed',
      confirmed: 59n,
    })
    expect(book.fault(60n, { confirmed: new Map([['pi_1', 60n]]) })).toBeUndefined()
  })

  test('a payout above the deposits and gains of bots is refused as without origin', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    expect(book.fault(101n)).toEqual({ reason: 'without-origin', amount: 1n })
    book.post(botFunded({ userId, amount: 100n }), 'bot:1:fund')
    book.post(botReturned({ userId, amount: 140n, fee: 6n }), 'bot:1:return')
    expect(book.fault(134n)).toBeUndefined()
    expect(book.fault(135n)).toEqual({ reason: 'without-origin', amount: 1n })
    book.pay('one', 120n)
    expect(book.fault(14n)).toBeUndefined()
    expect(book.fault(15n)).toEqual({ reason: 'without-origin', amount: 1n })
  })

  test('a deposit on hold funds nothing until it is old enough', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    book.deposit('pi_2', 50n)
    const heldSince = new Date(DAY_MS)
    expect(book.fault(100n, { heldSince })).toBeUndefined()
    expect(book.fault(101n, { heldSince })).toEqual({
      reason: 'on-hold',
      until: new Date(3 * DAY_MS),
    })
  })

  test('a refund reduces its deposit; a returned payout counts as never sent', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    book.post(
      paymentReversed({ userId, amount: 30n, cash: 100n, reversal: 'refund' }),
      'refund:pi_1:1',
    )
    expect(book.fault(71n)).toEqual({ reason: 'without-origin', amount: 1n })
    book.post(withdrawalHeld({ userId, amount: 70n }), 'withdrawal:one:hold')
    book.post(payoutSubmitted({ userId, amount: 70n }), 'withdrawal:one:submit')
    expect(book.fault(1n)).toMatchObject({ reason: 'without-origin' })
    book.post(payoutFailed({ userId, amount: 70n }), 'withdrawal:one:mark-failed')
    expect(book.fault(70n)).toBeUndefined()
  })
})

describe('the deposits of a user', () => {
  const at = (day: number): Date => new Date(day * DAY_MS)
  /** A transfer of `amount` from cards, or back to them if negative. */
  const fromCard = (
    kind: string,
    dedupKey: string,
    { day, amount }: { day: number; amount: Units },
  ): PostedTransfer => ({
    kind,
    dedupKey,
    postedAt: at(day),
    lines: [
      { code: 'card:clearing', amount: -amount },
      { code: 'customer:cash', amount },
    ],
  })
  const deposit = (id: string, day: number) =>
    fromCard('deposit', `deposit:${id}`, { day, amount: 100n })
  const idsOf = (...transfers: PostedTransfer[]): string[] =>
    payoutFacts(transfers).deposits.map(({ id }) => id)

  test.each([
    ['refund', -30n, 70n],
    ['refund-returned', 30n, 130n],
    ['dispute', -30n, 70n],
    ['dispute-returned', 30n, 130n],
  ])('include a %s of %s units, from the day of their credit', (kind, amount, net) => {
    expect(
      payoutFacts([deposit('pi_1', 1), fromCard(kind, `${kind}:pi_1:1`, { day: 2, amount })])
        .deposits,
    ).toEqual([{ id: 'pi_1', creditedAt: at(1), net }])
  })

  test('include a deposit from the day of its credit, even if a refund was posted before', () => {
    expect(
      payoutFacts([
        fromCard('refund', 'refund:pi_1:1', { day: 1, amount: -30n }),
        deposit('pi_1', 2),
      ]).deposits,
    ).toEqual([{ id: 'pi_1', creditedAt: at(2), net: 70n }])
  })

  test('the deposits of a user are the transfers from cards, and no others', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    book.post(botFunded({ userId, amount: 50n }), 'bot:1:fund')
    book.pay('one', 20n)
    expect(payoutFacts(book.transfers).deposits).toEqual([
      { id: 'pi_1', creditedAt: at(1), net: 100n },
    ])
  })

  test('the deposits of a user are ordered by their credit, then by their id', () => {
    expect(idsOf(deposit('pi_1', 2), deposit('pi_2', 1))).toEqual(['pi_2', 'pi_1'])
    expect(idsOf(deposit('pi_1', 1), deposit('pi_2', 1))).toEqual(['pi_1', 'pi_2'])
    expect(idsOf(deposit('pi_2', 1), deposit('pi_1', 1))).toEqual(['pi_1', 'pi_2'])
  })

  test('the deposits of a user are not on hold once nothing is left of them', () => {
    const book = new Book()
    book.deposit('pi_1', 100n)
    book.deposit('pi_2', 50n)
    book.post(
      paymentReversed({ userId, amount: 50n, cash: 150n, reversal: 'refund' }),
      'refund:pi_2:1',
    )
    expect(book.fault(101n, { heldSince: at(1) })).toEqual({ reason: 'without-origin', amount: 1n })
  })

  test('deposits have no share in a payout of zero, whatever was paid out before', () => {
    expect(
      tracePayout(
        { deposits: [{ id: 'pi_1', creditedAt: at(1), net: 100n }], left: 130n },
        { amount: 0n, heldSince: FOREVER },
      ),
    ).toEqual({ shares: [], fromGains: 0n })
  })
})

type Step = {
  kind: 'deposit' | 'fund' | 'return' | 'pay' | 'refund' | 'repay'
  amount: number
  gain: number
}
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('deposit', 'fund', 'return', 'pay', 'refund', 'repay'),
    amount: fc.integer({ min: 1, max: 1_000 }),
    gain: fc.integer({ min: -300, max: 300 }),
  }),
  { maxLength: 40 },
)

/** Takes the step as far as the product allows; returns the amount paid out. */
function take(book: Book, { kind, amount, gain }: Step, number: number): Units {
  const [cash, owed] = [book.balance('customer:cash'), -book.balance('customer:receivable')]
  const wanted = BigInt(amount)
  const some = minimum(cash, wanted)
  if (kind === 'deposit') book.deposit(`pi_${number}`, wanted)
  if (kind === 'fund' && some > 0n)
    book.post(botFunded({ userId, amount: some }), `bot:${number}:fund`)
  if (kind === 'return') {
    const back = maximum(0n, wanted + BigInt(gain))
    if (back > 1n)
      book.post(botReturned({ userId, amount: back, fee: back / 20n }), `bot:${number}:return`)
  }
  if (kind === 'refund') {
    const deposit = payoutFacts(book.transfers).deposits.find(({ net }) => net > 0n)
    if (deposit)
      book.post(
        paymentReversed({ userId, amount: minimum(deposit.net, wanted), cash, reversal: 'refund' }),
        `refund:${deposit.id}:${number}`,
      )
  }
  if (kind === 'repay' && minimum(cash, owed) > 0n)
    book.post(debtRepaid({ userId, amount: minimum(cash, owed) }), `debt-repaid:${number}`)
  if (kind !== 'pay' || some === 0n || owed > 0n) return 0n
  expect(book.fault(some), 'money that the product lets go is proven').toBeUndefined()
  book.pay(String(number), some)
  return some
}

/**
 * Debt repaid so far. After a refund of money that was paid out, gains repay the debt, and no other
 * sum contains this money.
 */
const refundedAfterPayout = (book: Book): Units =>
  book.transfers
    .filter(({ kind }) => kind === 'debt-repaid')
    .flatMap(({ lines }) => lines)
    .reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n)

test('in any life of an account, no more cash can leave than was confirmed and gained', () => {
  fc.assert(
    fc.property(steps, (life) => {
      const book = new Book()
      for (const [number, step] of life.entries()) take(book, step, number)
      const facts = payoutFacts(book.transfers)
      const owed = -book.balance('customer:receivable')
      const confirmed = facts.deposits.reduce((sum, { net }) => sum + net, 0n)
      expect(facts.left <= confirmed + facts.gains + owed + refundedAfterPayout(book)).toBe(true)
      const possible = confirmed + facts.gains - facts.left
      expect(book.fault(maximum(0n, possible) + 1n)).toBeDefined()
    }),
    { numRuns: 500 },
  )
})

test('a payout is refused if one unit of its deposits is not confirmed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 8 }),
      fc.nat(),
      fc.nat(),
      (amounts, which, part) => {
        const book = new Book()
        for (const [number, amount] of amounts.entries())
          book.deposit(`pi_${number}`, BigInt(amount))
        const all = amounts.reduce((sum, amount) => sum + amount, 0)
        const amount = BigInt(1 + (part % all))
        const { shares } = tracePayout(payoutFacts(book.transfers), { amount, heldSince: FOREVER })
        expect(shares.reduce((sum, { from, to }) => sum + to - from, 0n)).toBe(amount)
        const short = shares[which % shares.length]
        const confirmed = book.confirmed()
        if (short) confirmed.set(short.id, short.to - 1n)
        expect(book.fault(amount, { confirmed })).toMatchObject({
          reason: 'unconfirmed',
          id: short?.id,
        })
      },
    ),
  )
})

test('the totals of a book cover every payout, and no bot pays out more than it has', () => {
  const totals = { left: 40n, deposits: 100n, traded: -10n, owed: 0n, bots: 5n }
  expect(isCovered(totals, 50n)).toBe(true)
  expect(isCovered(totals, 51n)).toBe(false)
  expect(isCovered({ ...totals, owed: 1n }, 51n)).toBe(true)
  expect(isCovered({ ...totals, bots: 0n }, 1n)).toBe(true)
  expect(isCovered({ ...totals, bots: -1n }, 1n)).toBe(false)
})
