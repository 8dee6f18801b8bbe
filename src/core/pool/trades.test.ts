import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { NO_BASIS, realise, shareOf, type PoolTrade } from './trades.ts'

const BOUGHT: PoolTrade = { side: 'buy', quantity: 100n, total: 1_001n, fee: 1n, weight: 300n }
const SOLD: PoolTrade = { ...BOUGHT, side: 'sell', total: 999n, fee: 2n }

test('of a purchase a member has its coins rounded down, its cost and its fee rounded up', () => {
  expect(shareOf(BOUGHT, 100n)).toEqual({ quantity: 33n, total: 334n, fee: 1n })
  expect(shareOf(BOUGHT, 300n)).toEqual({ quantity: 100n, total: 1_001n, fee: 1n })
})

test('of a sale a member has its coins and its fee rounded up, its money rounded down', () => {
  expect(shareOf(SOLD, 100n)).toEqual({ quantity: 34n, total: 333n, fee: 1n })
  expect(shareOf(SOLD, 50n)).toEqual({ quantity: 17n, total: 166n, fee: 1n })
})

test('a member of a lot that joined has its part by what it offered', () => {
  const lot: PoolTrade = { side: 'buy', quantity: units('0.001'), total: units('60.1'), fee: units('0.06'), weight: units('100') }
  expect(shareOf(lot, units('25'))).toEqual({ quantity: units('0.00025'), total: units('15.025'), fee: units('0.015') })
})

test('a member of a lot that left has its part by the units it wanted out, of coins held beside the pool by what it held', () => {
  const lot: PoolTrade = { side: 'sell', quantity: units('0.001'), total: units('59.9'), fee: units('0.06'), weight: 10n ** 15n }
  expect(shareOf(lot, 25n * 10n ** 13n)).toEqual({ quantity: units('0.00025'), total: units('14.975'), fee: units('0.015') })
  const own = { ...lot, weight: units('0.002') }
  expect(shareOf(own, units('0.0005'))).toEqual({ quantity: units('0.00025'), total: units('14.975'), fee: units('0.015') })
})

test('a purchase adds coins and what they cost, the fee within it, and realises nothing', () => {
  const share = { quantity: 3n, total: 10n, fee: 1n }
  expect(realise({ base: 2n, cost: 5n }, { side: 'buy', share })).toEqual({ basis: { base: 5n, cost: 15n }, profit: null })
})

test('a sale realises its money less the average cost, floored, of what was sold', () => {
  const share = { quantity: 1n, total: 5n, fee: 1n }
  expect(realise({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({ basis: { base: 2n, cost: 8n }, profit: 2n })
})

test('a sale of all takes all of the cost, and a loss is below 0', () => {
  const share = { quantity: 3n, total: 5n, fee: 1n }
  expect(realise({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({ basis: NO_BASIS, profit: -6n })
})

test('a sale that is rounded up beyond what is held sells all', () => {
  const share = { quantity: 4n, total: 12n, fee: 1n }
  expect(realise({ base: 3n, cost: 11n }, { side: 'sell', share })).toEqual({ basis: NO_BASIS, profit: 1n })
  expect(realise(NO_BASIS, { side: 'sell', share })).toEqual({ basis: NO_BASIS, profit: 12n })
})

test('the sale that ends a stay takes all of the cost though dust of coins is left', () => {
  const share = { quantity: 2n, total: 12n, fee: 1n }
  expect(realise({ base: 3n, cost: 11n }, { side: 'sell', share, isAll: true })).toEqual({ basis: NO_BASIS, profit: 1n })
})
