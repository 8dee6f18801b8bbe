import { required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  backtest,
  buyAndHold,
  type BacktestInput,
  type BacktestResult,
} from '#core/strategy/backtest.ts'
import { byRiskLevel, RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps, VENUE_COSTS, type TradingCosts } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'

/** Prints the tables of docs/strategies.md on the recorded candles: npx node bench/strategies.ts */

const FROM_MS = Date.UTC(2021, 8, 20)
const TO_MS = Date.UTC(2025, 8, 20)
const YEARS = (TO_MS - FROM_MS) / (365 * 86_400_000)
const invested = decimalToUnits('10000')
const series = new Map(REAL_PAIRS.map((pair) => [pair, realCandles(pair)]))

const KINDS = [...RISK_LEVELS, 'held'] as const
const NAMES = [...RISK_LEVELS, 'buy and hold']

/** A line for each pair, then for all pairs together at the costs of each exchange. */
export function outcomeTable(): string[] {
  const venues = ['binance', 'kraken', 'coinbase'] as const
  return [
    `| return, fall, Sharpe | ${NAMES.join(' | ')} |`,
    '|---|---|---|---|---|',
    ...REAL_PAIRS.map((pair) => outcomeRow(pair, resultsOf([pair]))),
    ...venues.map((venue) => {
      const costs = VENUE_COSTS[venue]
      const name = `all five, ${venue} (${totalCostBps(costs)} bps)`
      return outcomeRow(name, resultsOf(REAL_PAIRS, { costs }))
    }),
  ]
}

/** Volatility, trades and costs of all pairs together. */
export function tradingTable(): string[] {
  const results = resultsOf(REAL_PAIRS)
  return [
    '| all five, binance | volatility | turnover a year | trades a year | costs | platform fees |',
    '|---|--:|--:|--:|--:|--:|',
    ...KINDS.map((kind, place) => tradingRow(NAMES[place] ?? kind, results[kind])),
  ]
}

/** The results of each risk level and of holding. */
export function resultsOf(
  pairs: readonly Pair[],
  {
    costs = VENUE_COSTS.binance,
    feeBps = PERFORMANCE_FEE_BPS,
  }: { costs?: TradingCosts; feeBps?: number } = {},
): Record<RiskLevel | 'held', BacktestResult> {
  const markets = pairs.map((pair) => ({ pair, series: required(series.get(pair), pair) }))
  const input: BacktestInput = {
    strategy: 'hold',
    markets,
    invested,
    fromMs: FROM_MS,
    toMs: TO_MS,
    costs,
    feeBps,
  }
  return {
    ...byRiskLevel((riskLevel) => backtest({ ...input, strategy: `trend-${riskLevel}` })),
    held: buyAndHold(input),
  }
}

type Results = ReturnType<typeof resultsOf>

function outcomeRow(name: string, results: Results): string {
  const cells = KINDS.map((kind) => {
    const { cagr, sharpe, maxDrawdown } = results[kind]
    return `${percent(cagr ?? 0)}, ${percent(maxDrawdown)}, ${(sharpe ?? 0).toFixed(2)}`
  })
  return `| ${[name, ...cells].join(' | ')} |`
}

function tradingRow(name: string, result: BacktestResult): string {
  const meanEquity =
    result.curve.reduce((sum, { equity }) => sum + Number(equity), 0) / result.curve.length
  const ofInvested = (amount: bigint) => percent(Number(amount) / Number(invested))
  const cells = [
    name,
    percent(result.volatility ?? 0),
    `${(Number(result.traded) / meanEquity / YEARS).toFixed(1)}×`,
    (result.trades.length / YEARS).toFixed(0),
    ofInvested(result.venueFees),
    ofInvested(result.platformFees),
  ]
  return `| ${cells.join(' | ')} |`
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`
}

if (import.meta.main) console.log([...outcomeTable(), '', ...tradingTable()].join('\n'))
