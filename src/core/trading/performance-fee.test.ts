import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maximum } from '#core/money/amount.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS as feeBps } from './performance-fee.ts'

const fee = (invested: bigint, out: bigint) => closingFee({ invested, out, feeBps }).fee

test.each([
  ['a profit of 100 pays 15', '1000', '1100', '100', '15'],
  ['a loss pays nothing', '1000', '900', '0', '0'],
  ['breaking even pays nothing', '1000', '1000', '0', '0'],
  ['a fee is floored to the unit', '1000', '1000.00000007', '0.00000007', '0.00000001'],
  ['a bot that lost all pays nothing', '1000', '0', '0', '0'],
])('%s', (_name, invested, out, profit, due) => {
  expect(closingFee({ invested: units(invested), out: units(out), feeBps })).toEqual({
    profit: units(profit),
    fee: units(due),
  })
})

const parts: [amount: bigint, bps: number, part: bigint][] = [
  [1_000n, 5_000, 500n],
  [999n, 5_000, 499n],
  [7n, 10_000, 7n],
  [7n, 0, 0n],
]
test.each(parts)('of %s, %s basis points is %s', (amount, bps, part) => {
  expect(partOf(amount, bps)).toBe(part)
})

const money = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 10n ** 16n))

test('one unit more never costs the owner money; the fee never turns a profit into a loss', () => {
  fc.assert(
    fc.property(money, money, (invested, out) => {
      const kept = out - fee(invested, out)
      expect(out + 1n - fee(invested, out + 1n)).toBeGreaterThanOrEqual(kept)
      expect(kept).toBeGreaterThanOrEqual(out < invested ? out : invested)
    }),
  )
})

type Bot = { invested: bigint; worth: bigint }

function takeOut(bot: Bot, bps: number) {
  const [out, invested] = [partOf(bot.worth, bps), partOf(bot.invested, bps)]
  return {
    fee: fee(invested, out),
    profit: out - invested,
    left: { worth: bot.worth - out, invested: bot.invested - invested },
  }
}

const bps = fc.integer({ min: 0, max: 10_000 })

test('a profit taken out in parts pays the same fee as at once, or less by rounding down', () => {
  fc.assert(
    fc.property(money, money, fc.array(bps, { maxLength: 20 }), (invested, gain, parts) => {
      const worth = invested + gain
      let bot: Bot = { invested, worth }
      let paid = 0n
      for (const part of [...parts, 10_000]) {
        const taken = takeOut(bot, part)
        paid += taken.fee
        bot = taken.left
      }
      expect(bot).toEqual({ invested: 0n, worth: 0n })
      const atOnce = fee(invested, worth)
      expect(paid <= atOnce && paid >= atOnce - BigInt(parts.length)).toBe(true)
    }),
  )
})

test('the fees of a bot never exceed 15 % of its net profit plus the losses of take-outs', () => {
  const step = fc.record({ moveBps: fc.bigInt(0n, 30_000n), part: bps })
  fc.assert(
    fc.property(money, fc.array(step, { maxLength: 20 }), (invested, steps) => {
      let bot: Bot = { invested, worth: invested }
      let [paid, netProfit, lost] = [0n, 0n, 0n]
      for (const { moveBps, part } of [...steps, { moveBps: 10_000n, part: 10_000 }]) {
        const taken = takeOut({ ...bot, worth: (bot.worth * moveBps) / 10_000n }, part)
        paid += taken.fee
        netProfit += taken.profit
        if (taken.profit < 0n) lost -= taken.profit
        bot = taken.left
      }
      expect(paid * 10_000n <= (netProfit + lost) * BigInt(feeBps)).toBe(true)
    }),
  )
})

describe('top-ups, take-outs and market moves', () => {
  type Bot = {
    worth: bigint
    invested: bigint
    fees: bigint
    putIn: bigint
    out: bigint
    lostLater: bigint
  }
  type Move =
    | { kind: 'top up'; cash: bigint }
    | { kind: 'take out'; bps: number }
    | { kind: 'market'; bps: bigint }

  const cash = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 14n))
  const topUp = fc.record({ kind: fc.constant('top up' as const), cash })
  const takeOut = fc.record({
    kind: fc.constant('take out' as const),
    bps: fc.integer({ min: 1, max: 9_999 }),
  })
  const market = fc.record({ kind: fc.constant('market' as const), bps: fc.bigInt(0n, 30_000n) })
  const rise = fc.record({ kind: fc.constant('market' as const), bps: fc.bigInt(10_000n, 30_000n) })

  const opened = (worth: bigint): Bot => ({
    worth,
    invested: worth,
    fees: 0n,
    putIn: worth,
    out: 0n,
    lostLater: 0n,
  })

  /** Takes `out` and the given part of the investment from a bot. */
  function taken(bot: Bot, { out, invested }: { out: bigint; invested: bigint }): Bot {
    const { fee } = closingFee({ invested, out, feeBps })
    return {
      ...bot,
      worth: bot.worth - out,
      invested: bot.invested - invested,
      fees: bot.fees + fee,
      out: bot.out + out,
      lostLater: bot.lostLater + maximum(0n, invested - out),
    }
  }

  const takenOut = (bot: Bot, bps: number): Bot =>
    taken(bot, { out: partOf(bot.worth, bps), invested: partOf(bot.invested, bps) })
  const closed = (bot: Bot): Bot => taken(bot, { out: bot.worth, invested: bot.invested })

  function moved(bot: Bot, move: Move): Bot {
    if (move.kind === 'take out') return takenOut(bot, move.bps)
    if (move.kind === 'market') return { ...bot, worth: (bot.worth * move.bps) / ALL_BPS }
    return {
      ...bot,
      worth: bot.worth + move.cash,
      invested: bot.invested + move.cash,
      putIn: bot.putIn + move.cash,
    }
  }

  const feeOn = (profit: bigint): bigint => (maximum(0n, profit) * BigInt(feeBps)) / ALL_BPS

  test('fees of a bot are at most 15 % of its net profit plus the losses of its take-outs', () => {
    fc.assert(
      fc.property(
        cash,
        fc.array(fc.oneof(topUp, takeOut, market), { maxLength: 30 }),
        (invested, moves) => {
          const bot = closed(moves.reduce(moved, opened(invested)))
          expect([bot.worth, bot.invested]).toEqual([0n, 0n])
          expect(bot.fees <= feeOn(bot.out - bot.putIn + bot.lostLater)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a bot that only gains pays 15 % of its net profit, less a unit per take-out', () => {
    fc.assert(
      fc.property(
        cash,
        fc.array(fc.oneof(topUp, takeOut, rise), { maxLength: 30 }),
        (invested, moves) => {
          const bot = closed(moves.reduce(moved, opened(invested)))
          const due = feeOn(bot.out - bot.putIn)
          const times = BigInt(moves.filter(({ kind }) => kind === 'take out').length)
          expect(bot.fees <= due && bot.fees >= due - times).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('taking money out in steps never costs more than closing at once', () => {
    fc.assert(
      fc.property(
        cash,
        fc.bigInt(0n, 30_000n),
        fc.array(takeOut, { maxLength: 20 }),
        (invested, bps, steps) => {
          const bot = moved(opened(invested), { kind: 'market', bps })
          const atOnce = closed(bot).fees
          const inSteps = closed(steps.reduce(moved, bot)).fees
          expect(inSteps <= atOnce && inSteps >= atOnce - BigInt(steps.length)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('half of a bot with $100 of profit pays $7.50, and so does the other half', () => {
    const bot = takenOut({ ...opened(100_000n), worth: 110_000n }, 5_000)
    expect(bot).toMatchObject({ worth: 55_000n, invested: 50_000n, fees: 750n })
    expect(closed(bot).fees).toBe(1_500n)
  })
})
