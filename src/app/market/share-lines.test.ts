import { expect, test } from 'vitest'
import type { TradeFigures } from '#contract/bots.ts'
import type { WeekResult } from '#contract/week.ts'
import { tradeSum } from '#app/history/trade-lines.tsx'
import { shareLines, type Shared, type SharedOn } from './share-lines.ts'

const sale: TradeFigures = {
  tradingPair: 'SOL/USDT',
  side: 'sell',
  quantity: '0.0701',
  price: '641.77',
  amount: '45.01',
  venueFee: '0.18',
  profit: '-0.78123',
  reason:
    'Sold because SOL fell below the stop of its 10-day trend ($644.47). ' +
    '2 of 4 trends are up, so 48% of the money for this coin is invested.',
  marketTime: '',
}
const week: WeekResult = {
  from: '',
  to: '',
  result: '-2.07',
  percent: '-0.09',
  trades: [{ side: 'buy', coin: 'SOL', count: 2 }],
  tradingFees: '1.08',
  platformFees: '0.00',
  best: null,
  worst: null,
  holding: null,
  months: [],
}
const trade = (given: Partial<TradeFigures>, moved = '44.83'): Shared => {
  const figures = { ...sale, ...given }
  const { result, total } = tradeSum({ trade: figures, moved, exact: false })
  return { kind: 'trade', trade: figures, amount: result ?? total, moments: 'Day 9, 16:00' }
}
const purchase = trade({ side: 'buy', profit: null, reason: 'Bought.' }, '-45.19')
const on = (given: Partial<SharedOn> = {}): SharedOn => ({
  market: 'Simulated market',
  isPaper: true,
  amounts: false,
  ...given,
})

test('a sale is shared with its result in percent, its reason and the stamp', () => {
  expect(shareLines(trade({}), on())).toEqual({
    title: 'Sold SOL',
    moment: 'Simulated market · Day 9, 16:00',
    figure: '−1.72%',
    direction: -1,
    texts: [
      'Realized result, before our fee',
      'Sold because SOL fell below the stop of its 10-day trend. ' +
        '2 of 4 trends are up, so 48% of the money for this coin is invested.',
    ],
    stamp: 'Paper money',
  })
})

test.each<[name: string, Shared]>([
  ['a sale', trade({})],
  ['a purchase', purchase],
  ['a settled pair', trade({ reason: 'The operator bought the coins at $12.00. Closed.' })],
  ['a week', { kind: 'week', week, moments: 'From Day 2 to Day 9' }],
  ['a quiet week', { kind: 'week', week: { ...week, trades: [] }, moments: '' }],
])('%s has dollars in its picture only if they are chosen, and the stamp in both', (_, shared) => {
  const [bare, full] = [shareLines(shared, on()), shareLines(shared, on({ amounts: true }))]
  expect(JSON.stringify(bare)).not.toContain('$')
  expect(JSON.stringify(full)).toContain('$')
  expect([bare.stamp, full.stamp]).toEqual(['Paper money', 'Paper money'])
})

test('a shared trade shows the first figure of its receipt, and the label of that figure', () => {
  const [sold, bought] = [trade({}), purchase].map((shared) =>
    shareLines(shared, on({ amounts: true })),
  )
  expect(sold?.figure).toBe('−$0.79 (−1.72%)')
  expect(sold?.texts[0]).toBe('Realized result, before our fee')
  expect(bought?.figure).toBe('$45.19')
  expect(bought?.texts).toEqual(['Paid by the bot', 'Bought.'])
  expect(shareLines(purchase, on())).toMatchObject({ figure: 'SOL', texts: ['Bought.'] })
})

test('a book of real money has no stamp', () => {
  expect(shareLines(trade({}), on({ isPaper: false })).stamp).toBeNull()
})
