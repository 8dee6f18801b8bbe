import { historyStart } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import { floorToCents, paidText } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { CoinYear, YearSums } from './year.ts'

/** The first moment of a year, UTC. */
export const startOfYear = (year: number): number => Date.UTC(year, 0, 1)
export const yearAt = (ms: number): number => new Date(ms).getUTCFullYear()

/**
 * The years of an account that began at `firstMs`, newest first. Years that began before the
 * history of candles are left out, because the holdings of bots had no price then.
 */
export function statementYears({ firstMs, nowMs }: { firstMs: number; nowMs: number }) {
  const pricedMs = historyStart(nowMs)
  const first = yearAt(Math.max(firstMs, pricedMs))
  const last = yearAt(nowMs)
  return Array.from({ length: last - first + 1 }, (_, back) => last - back)
    .filter((year) => Math.max(firstMs, startOfYear(year) - 1) >= pricedMs)
    .map((year) => ({
      year: String(year),
      from: new Date(Math.max(firstMs, startOfYear(year))).toISOString(),
      to: new Date(Math.min(nowMs, startOfYear(year + 1))).toISOString(),
    }))
}

const usd = (units: Units): string => unitsToDecimal(units, 2)

/** Figures in whole cents. Sums are computed from the figures as shown. */
export function yearFigures(
  { money, fees, coins }: YearSums,
  { opening, closing }: { opening: Units; closing: Units },
) {
  const sales = [...coins].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sumOf = (cost: keyof CoinYear) =>
    sales.reduce((sum, [, sale]) => sum + resultOf(sale, cost), 0n)
  const changes = [money.deposit, money.refund, money.withdrawal, money.interest, money.fee]
  const [deposits = 0n, refunds = 0n, withdrawals = 0n, interest = 0n, fee = 0n] =
    changes.map(floorToCents)
  const realized = sumOf('fifoCost')
  const known = deposits + refunds + withdrawals + realized + interest + fee
  return {
    opening: usd(opening),
    deposits: usd(deposits),
    refunds: usd(refunds),
    withdrawals: usd(withdrawals),
    realized: usd(realized),
    interest: usd(interest),
    fees: usd(fee),
    unrealized: usd(closing - opening - known),
    closing: usd(closing),
    realizedByAverage: usd(sumOf('averageCost')),
    tradingFees: paidText([fees]),
    coins: sales.map(([coin, sale]) => coinFigures(coin, sale)),
  }
}

const resultOf = (sale: CoinYear, cost: keyof CoinYear): Units =>
  floorToCents(sale.proceeds - sale[cost])

function coinFigures(coin: CryptoAsset, sale: CoinYear) {
  const proceeds = floorToCents(sale.proceeds)
  const by = (cost: keyof CoinYear) => {
    const result = resultOf(sale, cost)
    return { cost: usd(proceeds - result), result: usd(result) }
  }
  return {
    coin,
    quantity: unitsToDecimal(sale.quantity, 8),
    proceeds: usd(proceeds),
    fifo: by('fifoCost'),
    average: by('averageCost'),
  }
}
