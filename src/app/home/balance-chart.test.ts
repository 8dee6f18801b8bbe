import { expect, test } from 'vitest'
import type { BalanceCurve } from '#contract/market.ts'
import { feesOfFirstDay } from './balance-chart.tsx'

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`
const trade = { at: at(2), side: 'buy', coin: 'BTC', count: 1, fee: '0.101' } as const
const curve = (firstTradeAt: string | null): BalanceCurve => ({
  range: '1D',
  netDeposits: '500.00',
  curve: [],
  day: [{ at: at(1), value: '500.00' }],
  dayTrades: [trade, trade],
  firstTradeAt,
  firstPeriod: null,
  withoutTrading: [],
  moneyMarks: [],
  since: at(0),
})

test('the fees of the first day with trades are summed and rounded up, none on later days', () => {
  expect([at(2), at(1), null].map((first) => feesOfFirstDay(curve(first)))).toEqual([
    '0.21',
    undefined,
    undefined,
  ])
})
