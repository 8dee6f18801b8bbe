import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximum } from '#core/money/amount.ts'
import { ALL_BPS } from '#core/trading/costs.ts'
import { closingFee, partOf, PERFORMANCE_FEE_BPS as feeBps } from '#core/trading/fee.ts'

type Bot = { worth: bigint; invested: bigint; fees: bigint; putIn: bigint; out: bigint; lostLater: bigint }
type Move = { kind: 'top up'; cash: bigint } | { kind: 'take out'; bps: number } | { kind: 'market'; bps: bigint }

const cash = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 14n))
const topUp = fc.record({ kind: fc.constant('top up' as const), cash })
const takeOut = fc.record({ kind: fc.constant('take out' as const), bps: fc.integer({ min: 1, max: 9_999 }) })
const market = fc.record({ kind: fc.constant('market' as const), bps: fc.bigInt(0n, 30_000n) })
const rise = fc.record({ kind: fc.constant('market' as const), bps: fc.bigInt(10_000n, 30_000n) })

const opened = (worth: bigint): Bot => ({ worth, invested: worth, fees: 0n, putIn: worth, out: 0n, lostLater: 0n })

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

const takenOut = (bot: Bot, bps: number): Bot => taken(bot, { out: partOf(bot.worth, bps), invested: partOf(bot.invested, bps) })
const closed = (bot: Bot): Bot => taken(bot, { out: bot.worth, invested: bot.invested })

function moved(bot: Bot, move: Move): Bot {
  if (move.kind === 'take out') return takenOut(bot, move.bps)
  if (move.kind === 'market') return { ...bot, worth: (bot.worth * move.bps) / ALL_BPS }
  return { ...bot, worth: bot.worth + move.cash, invested: bot.invested + move.cash, putIn: bot.putIn + move.cash }
}

const feeOn = (profit: bigint): bigint => (maximum(0n, profit) * BigInt(feeBps)) / ALL_BPS

test('the fees of a bot never exceed 15 % of its net profit plus the losses of its take-outs', () => {
  fc.assert(fc.property(cash, fc.array(fc.oneof(topUp, takeOut, market), { maxLength: 30 }), (invested, moves) => {
    const bot = closed(moves.reduce(moved, opened(invested)))
    expect([bot.worth, bot.invested]).toEqual([0n, 0n])
    expect(bot.fees <= feeOn(bot.out - bot.putIn + bot.lostLater)).toBe(true)
  }), { numRuns: 500 })
})

test('a bot that only gains pays 15 % of its net profit, short by less than a unit per take-out', () => {
  fc.assert(fc.property(cash, fc.array(fc.oneof(topUp, takeOut, rise), { maxLength: 30 }), (invested, moves) => {
    const bot = closed(moves.reduce(moved, opened(invested)))
    const due = feeOn(bot.out - bot.putIn)
    const times = BigInt(moves.filter(({ kind }) => kind === 'take out').length)
    expect(bot.fees <= due && bot.fees >= due - times).toBe(true)
  }), { numRuns: 500 })
})

test('taking money out in steps never costs more than closing at once', () => {
  fc.assert(fc.property(cash, fc.bigInt(0n, 30_000n), fc.array(takeOut, { maxLength: 20 }), (invested, bps, steps) => {
    const bot = moved(opened(invested), { kind: 'market', bps })
    const atOnce = closed(bot).fees
    const inSteps = closed(steps.reduce(moved, bot)).fees
    expect(inSteps <= atOnce && inSteps >= atOnce - BigInt(steps.length)).toBe(true)
  }), { numRuns: 500 })
})

test('taking out half of a bot with $100 of profit pays $7.50, and so does the other half', () => {
  const bot = takenOut({ ...opened(100_000n), worth: 110_000n }, 5_000)
  expect(bot).toMatchObject({ worth: 55_000n, invested: 50_000n, fees: 750n })
  expect(closed(bot).fees).toBe(1_500n)
})
