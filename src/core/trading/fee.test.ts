import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS as feeBps } from './fee.ts'

const fee = (invested: bigint, out: bigint) => closingFee({ invested, out, feeBps }).fee

test.each([
  ['a profit of 100 pays 15', '1000', '1100', '100', '15'],
  ['a loss pays nothing', '1000', '900', '0', '0'],
  ['breaking even pays nothing', '1000', '1000', '0', '0'],
  ['a fee is floored to the unit', '1000', '1000.00000007', '0.00000007', '0.00000001'],
  ['a bot that lost all pays nothing', '1000', '0', '0', '0'],
])('%s', (_name, invested, out, profit, due) => {
  expect(closingFee({ invested: units(invested), out: units(out), feeBps })).toEqual({ profit: units(profit), fee: units(due) })
})

const parts: [amount: bigint, bps: number, part: bigint][] = [[1_000n, 5_000, 500n], [999n, 5_000, 499n], [7n, 10_000, 7n], [7n, 0, 0n]]
test.each(parts)('of %s, %s basis points is %s', (amount, bps, part) => {
  expect(partOf(amount, bps)).toBe(part)
})

const money = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 10n ** 16n))

test('one more unit never leaves the owner with less, and the fee never turns a profit into a loss', () => {
  fc.assert(fc.property(money, money, (invested, out) => {
    const kept = out - fee(invested, out)
    expect(out + 1n - fee(invested, out + 1n)).toBeGreaterThanOrEqual(kept)
    expect(kept).toBeGreaterThanOrEqual(out < invested ? out : invested)
  }))
})

type Bot = { invested: bigint; worth: bigint }

/** Takes out a part of the bot together with the same part of its investment. */
function takeOut(bot: Bot, bps: number) {
  const [out, invested] = [partOf(bot.worth, bps), partOf(bot.invested, bps)]
  return { fee: fee(invested, out), profit: out - invested, left: { worth: bot.worth - out, invested: bot.invested - invested } }
}

const bps = fc.integer({ min: 0, max: 10_000 })

test('a profit taken out in parts pays the same fee as at once, less only by flooring', () => {
  fc.assert(fc.property(money, money, fc.array(bps, { maxLength: 20 }), (invested, gain, parts) => {
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
  }))
})

test('the fees of a bot never exceed 15 % of its net profit plus the losses of its take-outs', () => {
  const step = fc.record({ moveBps: fc.bigInt(0n, 30_000n), part: bps })
  fc.assert(fc.property(money, fc.array(step, { maxLength: 20 }), (invested, steps) => {
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
  }))
})
