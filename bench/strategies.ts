import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, buyAndHold, type BacktestInput, type BacktestResult } from '#core/strategy/backtest.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { DEFAULT_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'

/** Prints the table of docs/strategies.md on the real candles: node bench/strategies.ts */

const FROM_MS = Date.UTC(2021, 8, 20)
const TO_MS = Date.UTC(2025, 8, 20)
const YEARS = (TO_MS - FROM_MS) / (365 * 86_400_000)
const invested = decimalToUnits('10000')
const series = new Map(REAL_PAIRS.map((pair) => [pair, realCandles(pair)]))

console.log('| market | strategy | CAGR | volatility | worst drawdown | Sharpe | turnover a year | trades a year | costs | platform fees |')
console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|')
for (const pair of REAL_PAIRS) rows(pair, [pair])
rows('all five', REAL_PAIRS)

function rows(name: string, pairs: readonly Pair[]): void {
  const markets = pairs.flatMap((pair) => {
    const candles = series.get(pair)
    return candles ? [{ pair, series: candles }] : []
  })
  const input: BacktestInput = {
    riskLevel: 'moderate', markets, invested, fromMs: FROM_MS, toMs: TO_MS, costs: DEFAULT_COSTS, feeBps: PERFORMANCE_FEE_BPS,
  }
  for (const riskLevel of RISK_LEVELS) console.log(row({ name, strategy: riskLevel, result: backtest({ ...input, riskLevel }) }))
  console.log(row({ name, strategy: 'buy and hold', result: buyAndHold(input) }))
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
