import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximum } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import {
  checkTakeOut,
  forecastReturn,
  partInBps,
  paymentOf,
  type TakeOutStanding,
} from './take-out.ts'

test.each([
  [1, 100],
  [25, 2_500],
  [99, 9_900],
])('%d percent is %d basis points', (percent, bps) => {
  expect(partInBps(percent)).toBe(bps)
})

test.each([0, -1, 100, 1.5, 1e9, Number.NaN, Number.POSITIVE_INFINITY])(
  'a take-out of %d percent is refused',
  (percent) => {
    expect(() => partInBps(percent)).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        field: 'percent',
        sentence: 'Choose a share from 1 to 99 percent',
      }),
    )
  },
)

const standing: TakeOutStanding = {
  status: 'active',
  takingBps: null,
  isChanging: false,
  isSettled: true,
}

test('an active bot that is moving no money allows a take-out', () => {
  expect(() => checkTakeOut(standing)).not.toThrow()
})

test.each<[string, Partial<TakeOutStanding>, string]>([
  ['a closing bot', { status: 'closing' }, 'bot-closing'],
  ['a paused bot', { status: 'paused' }, 'bot-paused'],
  ['a paused bot that is still moving money', { status: 'paused', isSettled: false }, 'bot-paused'],
  ['a bot with a take-out in progress', { takingBps: 2_500 }, 'bot-busy'],
  ['a bot that is changing', { isChanging: true }, 'bot-busy'],
  ['a bot that is still moving money', { isSettled: false }, 'bot-busy'],
])('%s refuses a take-out', (_which, change, code) => {
  expect(() => checkTakeOut({ ...standing, ...change })).toThrow(expect.objectContaining({ code }))
})

test.each([
  ['1200', '1000', 25, { out: '300', fee: '7.5', returned: '292.5' }],
  ['900', '1000', 50, { out: '450', fee: '0', returned: '450' }],
  ['1000', '1000', 99, { out: '990', fee: '0', returned: '990' }],
  ['0', '1000', 10, { out: '0', fee: '0', returned: '0' }],
] as const)(
  'a bot worth %s with %s invested: taking out %d percent returns %j',
  (worth, invested, percent, { out, fee, returned }) => {
    const expected = { out: units(out), fee: units(fee), returned: units(returned) }
    expect(
      forecastReturn({
        worth: units(worth),
        coins: 0n,
        invested: units(invested),
        bps: partInBps(percent),
        feeBps: PERFORMANCE_FEE_BPS,
        costBps: 47,
      }),
    ).toEqual({ ...expected, cost: 0n })
  },
)

test('a forecast has whole cents, never too many, and no higher fee than closing', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 17n })
  const bps = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.integer({ min: 0, max: 100 }),
      bps,
      fc.integer({ min: 0, max: 300 }),
      (worth, invested, inCoins, bps, costBps) => {
        const coins = (worth * BigInt(inCoins)) / 100n
        const { out, cost, fee, returned } = forecastReturn({
          worth,
          coins,
          invested,
          bps,
          feeBps: PERFORMANCE_FEE_BPS,
          costBps,
        })
        for (const figure of [out, cost, fee, returned]) expect(figure % 1_000_000n).toBe(0n)
        if (returned > 0n) expect(returned + fee + cost).toBe(out)
        const left =
          (worth * BigInt(bps)) / 10_000n -
          (((coins * BigInt(bps)) / 10_000n) * BigInt(costBps) + 9_999n) / 10_000n
        const comes =
          left -
          closingFee({ invested: partOf(invested, bps), out: left, feeBps: PERFORMANCE_FEE_BPS })
            .fee
        expect(returned).toBeLessThanOrEqual(maximum(0n, comes))
        expect(returned).toBeGreaterThanOrEqual(comes - 3_000_000n)
      },
    ),
  )
})

test('selling has the trading costs, and only coins have to be sold', () => {
  const bot = {
    worth: units('1000'),
    invested: units('1000'),
    bps: 5_000,
    feeBps: PERFORMANCE_FEE_BPS,
    costBps: 47,
  }
  expect(forecastReturn({ ...bot, coins: units('1000') })).toMatchObject({
    cost: units('2.35'),
    fee: 0n,
    returned: units('497.65'),
  })
  expect(forecastReturn({ ...bot, coins: 0n })).toMatchObject({ cost: 0n, returned: units('500') })
})

/** `by`: percent; for a top-up, dollars. */
type Step = { kind: 'moves' | 'top-up' | 'take-out'; by: number }

test('no profit is charged twice, whatever the sequence of top-ups and take-outs', () => {
  const step = fc
    .constantFrom('moves' as const, 'top-up' as const, 'take-out' as const)
    .chain((kind) => fc.integer({ min: 1, max: 99 }).map((by): Step => ({ kind, by })))
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n ** 8n, max: 10n ** 13n }),
      fc.array(step, { maxLength: 40 }),
      (start, steps) => {
        let [worth, invested, paidIn, paidOut, fees, lossesAfterwards] = [
          start,
          start,
          start,
          0n,
          0n,
          0n,
        ]
        for (const { kind, by } of steps) {
          const before = worth
          if (kind === 'moves') worth = (worth * BigInt(50 + by)) / 100n
          if (worth < before) lossesAfterwards += before - worth
          if (kind === 'top-up') {
            const amount = BigInt(by) * 10n ** 8n
            worth += amount
            invested += amount
            paidIn += amount
          }
          if (kind === 'take-out') {
            const out = partOf(worth, partInBps(by))
            const { fee } = closingFee({
              invested: partOf(invested, partInBps(by)),
              out,
              feeBps: PERFORMANCE_FEE_BPS,
            })
            worth -= out
            invested -= (invested * BigInt(by)) / 100n
            paidOut += out
            fees += fee
          }
        }
        const { fee } = closingFee({ invested, out: worth, feeBps: PERFORMANCE_FEE_BPS })
        const profit = maximum(0n, paidOut + worth - paidIn)
        // Fees on profit are not refunded after later losses. Apart from that, fees never exceed 15
        // % of the total.
        expect((fees + fee) * 100n).toBeLessThanOrEqual((profit + lossesAfterwards) * 15n)
      },
    ),
  )
})

test('the payments of partial take-outs and their fees sum to a single payment and its fee', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((amount) => amount * units('0.01'))
  const parts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 13n }), { minLength: 1, maxLength: 12 })
  const feeBps = fc.integer({ min: 0, max: PERFORMANCE_FEE_BPS })
  let paidInParts = 0
  fc.assert(
    fc.property(cents, parts, feeBps, fc.boolean(), (invested, sold, feeBps, isClosed) => {
      const due = { invested, isClosed, feeBps }
      const left = sold.reduce((sum, part) => sum + part, 0n)
      const single = paymentOf({ ...due, left, isLast: true })
      const total = { out: 0n, dust: 0n, fee: 0n, profit: 0n, principal: 0n }
      let rest = 0n
      for (const [place, part] of sold.entries()) {
        const isLast = place === sold.length - 1
        const payment = paymentOf({
          ...due,
          invested: invested - total.principal,
          left: rest + part,
          isLast,
        })
        expect(payment.fee).toBeGreaterThanOrEqual(0n)
        rest = payment.rest
        for (const name of ['out', 'dust', 'fee', 'profit', 'principal'] as const)
          total[name] += payment[name]
        if (!isLast && payment.fee > 0n) paidInParts += 1
      }
      expect({ ...total, rest }).toEqual(single)
    }),
    { numRuns: 2_000 },
  )
  expect(paidInParts).toBeGreaterThan(100)
})
