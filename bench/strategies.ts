import { required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, buyAndHold, type BacktestInput, type BacktestResult } from '#core/strategy/backtest.ts'
import { CANDLES_A_DAY, lookbacksAt } from '#core/strategy/preset.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { DEFAULT_COSTS, totalCostBps, VENUE_COSTS, type VenueName } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'

/** Prints the tables of docs/strategies.md on the real candles: node bench/strategies.ts */

const FROM_MS = Date.UTC(2021, 8, 20)
const TO_MS = Date.UTC(2025, 8, 20)
const YEARS = (TO_MS - FROM_MS) / (365 * 86_400_000)
const invested = decimalToUnits('10000')
const series = new Map(REAL_PAIRS.map((pair) => [pair, realCandles(pair)]))

console.log('| market | strategy | CAGR | volatility | worst drawdown | Sharpe | turnover a year | trades a year | costs | platform fees |')
console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|')
for (const pair of REAL_PAIRS) rows(pair, [pair])
rows('all five', REAL_PAIRS)

console.log(`\n| all five at the costs of | ${RISK_LEVELS.join(' | ')} | buy and hold |`)
console.log('|---|--:|--:|--:|--:|')
for (const venue of ['binance', 'kraken', 'coinbase'] as const) venueRow(venue)

function rows(name: string, pairs: readonly Pair[]): void {
  const markets = pairs.flatMap((pair) => {
    const candles = series.get(pair)
    return candles ? [{ pair, series: candles }] : []
  })
  const input: BacktestInput = {
    strategy: 'trend-moderate', markets, invested, fromMs: FROM_MS, toMs: TO_MS, costs: DEFAULT_COSTS, feeBps: PERFORMANCE_FEE_BPS,
  }
  for (const riskLevel of RISK_LEVELS) console.log(row({ name, strategy: riskLevel, result: backtest({ ...input, strategy: `trend-${riskLevel}` }) }))
  console.log(row({ name, strategy: 'buy and hold', result: buyAndHold({ ...input, strategy: 'hold' }) }))
}

function venueRow(venue: VenueName): void {
  const costs = VENUE_COSTS[venue]
  const markets = REAL_PAIRS.map((pair) => ({ pair, series: required(series.get(pair), pair) }))
  const input: BacktestInput = { strategy: 'trend-moderate', markets, invested, fromMs: FROM_MS, toMs: TO_MS, costs, feeBps: PERFORMANCE_FEE_BPS }
  const results = [...RISK_LEVELS.map((riskLevel) => backtest({ ...input, strategy: `trend-${riskLevel}` })), buyAndHold({ ...input, strategy: 'hold' })]
  const name = `${venue}, ${totalCostBps(costs)} bps a side, trends up to ${Math.max(...lookbacksAt(costs)) / CANDLES_A_DAY} days`
  console.log(`| ${[name, ...results.map(({ cagr, sharpe, maxDrawdown }) => `${percent(cagr ?? 0)}, Sharpe ${(sharpe ?? 0).toFixed(2)}, drawdown ${percent(maxDrawdown)}`)].join(' | ')} |`)
}

function row({ name, strategy, result }: { name: string; strategy: string; result: BacktestResult }): string {
  const meanEquity = result.curve.reduce((sum, { equity }) => sum + Number(equity), 0) / result.curve.length
  const ofInvested = (amount: bigint) => percent(Number(amount) / Number(invested))
  const cells = [
    name,
    strategy,
    percent(result.cagr ?? 0),
    percent(result.volatility ?? 0),
    percent(result.maxDrawdown),
    (result.sharpe ?? 0).toFixed(2),
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
