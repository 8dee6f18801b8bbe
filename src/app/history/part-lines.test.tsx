import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TradeFigures } from '#contract/bots.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { PartLines, partText } from './part-lines.tsx'
import { TradeLines } from './trade-lines.tsx'

/** Printing amounts reads the device's cookies. */
beforeAll(() => void vi.stubGlobal('document', { cookie: '' }))
afterAll(() => void vi.unstubAllGlobals())

const text = (units: bigint) => unitsToDecimal(units, 8)

function readLines(html: string): Map<string, string> {
  const lines = [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)]
  return new Map(
    lines.map(([, label = '', figure = '']) => [
      label,
      figure.replaceAll(/<[^>]*>|[+\u2212]/g, ''),
    ]),
  )
}

const TWINS = [
  ['Paid by the bot', 'Total paid'],
  ['Received by the bot', 'Total received'],
  ['Trading fee', 'Total fee'],
  ['Bought', 'Total bought'],
  ['Sold', 'Total sold'],
  ['Bought', 'Coins in the bot'],
  ['Sold', 'Coins in the bot'],
  ['Paid by the bot', 'Cash in the bot'],
  ['Received by the bot', 'Cash in the bot'],
] as const

test('the receipt of a bot alone in its pool shows equal figures alike, or once', () => {
  const units = (max: bigint) => fc.bigInt({ min: 1n, max })
  let compared = 0
  fc.assert(
    fc.property(
      units(10n ** 12n),
      units(10n ** 9n),
      units(10n ** 11n),
      fc.constantFrom('buy', 'sell'),
      (amount, fee, quantity, side) => {
        const total = side === 'buy' ? amount + fee : amount
        const moved = text(side === 'buy' ? -total : total)
        const trade: TradeFigures = {
          tradingPair: 'SOL/USDT',
          side,
          quantity: text(quantity),
          price: '150',
          amount: text(amount),
          venueFee: text(fee),
          profit: null,
          reason: '',
          marketTime: '',
        }
        const lines = [
          { account: 'bots', asset: 'USD', amount: moved, at: '' },
          {
            account: 'bots',
            asset: 'SOL',
            amount: text(side === 'buy' ? quantity : -quantity),
            at: '',
          },
        ]
        const part = {
          change: '1',
          weight: '1',
          whole: '1',
          quantity: text(quantity),
          total: text(total),
          fee: text(fee),
        }
        const shown = readLines(
          renderToStaticMarkup(
            <>
              <TradeLines trade={trade} moved={moved} />
              <PartLines part={part} trade={trade} lines={lines} />
            </>,
          ),
        )
        for (const [own, all] of TWINS) {
          const figures = [shown.get(own), shown.get(all)]
          if (figures[0] === undefined) continue
          expect(figures[1], `${all} beside ${own}`).toBe(figures[0])
          compared += 1
        }
      },
    ),
  )
  expect(compared).toBeGreaterThan(100)
})

test.each([
  ['1', '1', '100.00%'],
  ['1', '4', '25.00%'],
  ['1', '3', '33.333333%'],
  ['1', '1000000', '0.0001%'],
  ['12345678901234567890123', '98765432109876543210987', '12.499999%'],
  ['1', '100000000', '0.000001%'],
  ['1', '100000001', 'below 0.000001%'],
])('a weight of %s out of %s is %s', (weight, whole, text) => {
  expect(partText({ weight, whole })).toBe(text)
})
