import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { startOfYear, statementYears, yearFigures } from './figures.ts'

const yearsOf = (firstMs: number, nowMs: number) =>
  statementYears({ firstMs, nowMs }).map(({ year }) => year)

test('years are offered from the first money on, newest first, within their bounds', () => {
  const [firstMs, nowMs] = [Date.UTC(2025, 2, 1), Date.UTC(2026, 10, 29)]
  expect(statementYears({ firstMs, nowMs })).toEqual([
    { year: '2026', from: '2026-01-01T00:00:00.000Z', to: '2026-11-29T00:00:00.000Z' },
    { year: '2025', from: '2025-03-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
  ])
})

test('a year whose beginning has no price is not offered, unless the account began later', () => {
  // Prices are known since 18 December 2025.
  const nowMs = Date.UTC(2028, 5, 1)
  expect(yearsOf(Date.UTC(2024, 0, 1), nowMs)).toEqual(['2028', '2027', '2026'])
  expect(yearsOf(Date.UTC(2025, 11, 20), nowMs)).toEqual(['2028', '2027', '2026', '2025'])
})

test('the first moment of a year belongs to it alone', () => {
  const firstMs = startOfYear(2026)
  expect(yearsOf(firstMs, firstMs)).toEqual(['2026'])
  expect(yearsOf(firstMs - 1, firstMs + DAY_MS)).toEqual(['2026', '2025'])
})

test('shown figures add up in whole cents, and fees paid round up', () => {
  const money = {
    deposit: units('100.005'),
    refund: 0n,
    withdrawal: units('-20.001'),
    interest: units('0.009'),
    fee: units('-1.001'),
  }
  const sale = {
    quantity: units('0.5'),
    proceeds: units('30.019'),
    fifoCost: units('20.015'),
    averageCost: units('25'),
  }
  const sums = { money, fees: units('0.001'), coins: new Map([['BTC', sale] as const]) }
  expect(yearFigures(sums, { opening: 0n, closing: units('90') })).toEqual({
    opening: '0.00',
    deposits: '100.00',
    refunds: '0.00',
    withdrawals: '-20.01',
    realized: '10.00',
    interest: '0.00',
    fees: '-1.01',
    unrealized: '1.02',
    closing: '90.00',
    realizedByAverage: '5.01',
    tradingFees: '0.01',
    coins: [
      {
        coin: 'BTC',
        quantity: '0.50000000',
        proceeds: '30.01',
        fifo: { cost: '20.01', result: '10.00' },
        average: { cost: '25.00', result: '5.01' },
      },
    ],
  })
})
