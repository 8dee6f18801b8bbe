import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE } from '../money/amount.ts'
import { bookExecution } from './exchange-fill.ts'
import { cashMoved } from './fill.ts'

const executed = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  quantity: fc.bigInt(2n, 10n ** 16n),
  price: fc.bigInt(1n, 10n ** 13n),
  inQuote: fc.bigInt(0n, 10n ** 9n),
  inCoins: fc.bigInt(0n, 10n ** 9n),
  inBnb: fc.bigInt(0n, 10n ** 9n),
})

test('a booked execution moves exactly the money and coins that moved at the exchange', () => {
  fc.assert(
    fc.property(executed, ({ side, quantity, price, inQuote, inCoins, inBnb }) => {
      const notional = (quantity * price) / ONE + 1n
      const coins = inCoins % quantity
      const fees = new Map([
        ['USD', inQuote],
        ['BTC', coins],
        ['BNB', inBnb],
        ['KFEE', 5n],
      ])
      const { fill, houseFees } = bookExecution({ side, base: 'BTC', quantity, notional, fees })
      const sign = side === 'buy' ? 1n : -1n
      const moved = new Map<string, bigint>()
      const add = (asset: string, amount: bigint) =>
        moved.set(asset, (moved.get(asset) ?? 0n) + amount)
      add('USD', -sign * cashMoved(fill))
      add('BTC', sign * fill.quantity)
      for (const { asset, amount } of houseFees) add(asset, -amount)
      expect(moved.get('USD')).toBe(-sign * notional - inQuote)
      expect(moved.get('BTC')).toBe(sign * quantity - coins)
      expect(moved.get('BNB') ?? 0n).toBe(-inBnb)
      expect(fill.fee >= inQuote && fill.notional >= 0n && fill.quantity > 0n).toBe(true)
    }),
  )
})
