import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TradeFigures } from '#contract/bots.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { tradeSum, type TradeSum } from './trade-lines.tsx'

const trade = (given: Partial<TradeFigures>): TradeFigures => ({
  tradingPair: 'BTC/USDT',
  side: 'sell',
  quantity: '0.001',
  price: '26250',
  amount: '26.25',
  venueFee: '0.02625',
  profit: '-2.35123',
  reason: '',
  marketTime: '',
  ...given,
})

test('a sale: proceeds minus the fee minus the cost of the coins is the result', () => {
  expect(tradeSum({ trade: trade({}), moved: '26.22375', exact: false })).toEqual({
    amount: '26.25',
    fee: '-0.03',
    total: '26.22',
    cost: '-28.58',
    result: '-2.36',
  })
  expect(tradeSum({ trade: trade({}), moved: '26.22375', exact: true })).toEqual({
    amount: '26.25000000',
    fee: '-0.02625000',
    total: '26.22375000',
    cost: '-28.57498000',
    result: '-2.35123000',
  })
})

test('a purchase: the price of the coins plus the fee is the amount paid', () => {
  const bought = trade({ side: 'buy', profit: null, venueFee: '0.0949' })
  expect(tradeSum({ trade: bought, moved: '-95.0898', exact: false })).toEqual({
    amount: '95.00',
    fee: '0.09',
    total: '95.09',
    cost: null,
    result: null,
  })
})

const units = (figure: string | null) => decimalToUnits(figure ?? '0')
const someUnits = (max: bigint) => fc.bigInt({ min: 0n, max })

test('shown figures add up, and are within a cent of the exact ones', () => {
  fc.assert(
    fc.property(
      someUnits(10n ** 12n),
      someUnits(10n ** 9n),
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      fc.constantFrom('buy', 'sell'),
      (amount, fee, profit, side) => {
        const moved = unitsToDecimal(side === 'buy' ? -amount - fee : amount - fee, 8)
        const figures = trade({
          side,
          venueFee: unitsToDecimal(fee, 8),
          profit: side === 'buy' ? null : unitsToDecimal(profit, 8),
        })
        const [rounded, exact] = [
          tradeSum({ trade: figures, moved, exact: false }),
          tradeSum({ trade: figures, moved, exact: true }),
        ]
        for (const sum of [rounded, exact]) {
          expect(units(sum.amount) + units(sum.fee)).toBe(units(sum.total))
          if (sum.result !== null)
            expect(units(sum.total) + units(sum.cost)).toBe(units(sum.result))
        }
        for (const name of Object.keys(exact) as (keyof TradeSum)[]) {
          const gap = units(rounded[name]) - units(exact[name])
          expect(gap > -1_000_000n && gap < 1_000_000n).toBe(true)
        }
      },
    ),
  )
})
