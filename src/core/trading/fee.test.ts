import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { payFee, performanceFee, PERFORMANCE_FEE_BPS as feeBps } from './fee.ts'
import { applyBuy, applySell, equityOf, openPosition, type Position } from './position.ts'

const price = units('60000')
const sleeve = (changes: Partial<Position>) => ({ position: { ...openPosition(units('1000')), ...changes }, price })

test('a first profit of 100 pays 15', () => {
  const sleeves = [sleeve({ cash: units('1100'), realised: units('100') })]
  expect(performanceFee({ sleeves, invested: units('1000'), feesPaid: 0n, feeBps, cash: units('1100') })).toEqual({
    chargeable: units('100'), fee: units('15'),
  })
})

test('profit that was charged before is not charged again', () => {
  const sleeves = [sleeve({ cash: units('1105'), realised: units('120'), mark: units('100') })]
  expect(performanceFee({ sleeves, invested: units('1000'), feesPaid: units('15'), feeBps, cash: units('1105') })).toEqual({
    chargeable: units('20'), fee: units('3'),
  })
})

test('a gain on one pair pays nothing while another pair\'s open loss outweighs it', () => {
  const losing = sleeve({ cash: 0n, base: units('0.01'), cost: units('1000') })
  const sleeves = [sleeve({ cash: units('1100'), realised: units('100') }), losing]
  expect(performanceFee({ sleeves, invested: units('2000'), feesPaid: 0n, feeBps, cash: units('1100') }).fee).toBe(0n)
})

test('a fee is at most the cash of the sleeve that sold', () => {
  const sleeves = [sleeve({ cash: units('3'), realised: units('100'), base: units('1'), cost: units('997') })]
  expect(performanceFee({ sleeves, invested: units('1000'), feesPaid: 0n, feeBps, cash: units('3') })).toEqual({
    chargeable: units('20'), fee: units('3'),
  })
})

test('paying raises the mark by what was charged', () => {
  const position = openPosition(units('10'))
  const paid = payFee({ position, due: { chargeable: units('4'), fee: units('0.6') } })
  expect(paid).toEqual({ ...position, cash: units('9.4'), mark: units('4') })
})

const round = fc.record({ pair: fc.integer({ min: 0, max: 2 }), resultBps: fc.bigInt(-5_000n, 5_000n) })
const rounds = fc.array(round, { minLength: 1, maxLength: 40 })

test('a bot at or below its mark never pays, and all it ever pays is 15 % of its best realised profit at most', () => {
  fc.assert(fc.property(rounds, (trades) => {
    const invested = units('3000')
    const positions = [0, 1, 2].map(() => openPosition(units('1000')))
    let feesPaid = 0n
    let best = 0n
    for (const { pair, resultBps } of trades) {
      const before = positions[pair] ?? openPosition(0n)
      const total = before.cash
      const bought = applyBuy({ position: before, share: { quantity: 1n, total, fee: 0n }, exposureBps: 10_000 })
      const back = total + (total * resultBps) / 10_000n
      const { position } = applySell({ position: bought, share: { quantity: 1n, total: back, fee: 0n }, exposureBps: 0 })
      positions[pair] = position
      const sleeves = positions.map((each) => ({ position: each, price }))
      const due = performanceFee({ sleeves, invested, feesPaid, feeBps, cash: position.cash })
      const profit = sleeves.reduce((sum, each) => sum + equityOf(each), 0n) + feesPaid - invested
      if (profit <= best) expect(due.fee).toBe(0n)
      best = profit > best ? profit : best
      positions[pair] = payFee({ position, due })
      feesPaid += due.fee
      expect(feesPaid * 10_000n <= best * BigInt(feeBps)).toBe(true)
    }
  }))
})
