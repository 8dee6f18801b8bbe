import { required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  backtest,
  buyAndHold,
  type BacktestInput,
  type BacktestResult,
} from '#core/strategy/backtest.ts'
import { CANDLES_A_DAY, lookbacksAt } from '#core/strategy/preset.ts'
import { byRiskLevel, RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import {
  totalCostBps,
  VENUE_COSTS,
  type TradingCosts,
  type VenueName,
} from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'

/** Prints the tables of docs/strategies.md on the recorded candles: node bench/strategies.ts */

const FROM_MS = Date.UTC(2021, 8, 20)
const TO_MS = Date.UTC(2025, 8, 20)
const YEARS = (TO_MS - FROM_MS) / (365 * 86_400_000)
const invested = decimalToUnits('10000')
const series = new Map(REAL_PAIRS.map((pair) => [pair, realCandles(pair)]))

/** The lines of the table of each pair and of all. */
export function marketTable(): string[] {
  const head = [
    '| market | strategy | CAGR | volatility | worst drawdown | Sharpe | turnover a year | ' +
      'trades a year | costs | platform fees |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
  ]
  return [
    ...head,
    ...REAL_PAIRS.flatMap((pair) => rows(pair, [pair])),
    ...rows('all five', REAL_PAIRS),
  ]
}

/** The lines of the table of exchanges. */
export function venueTable(): string[] {
  return [
    `| all five at the costs of | ${RISK_LEVELS.join(' | ')} | buy and hold |`,
    '|---|--:|--:|--:|--:|',
    ...(['binance', 'kraken', 'coinbase'] as const).map(venueRow),
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

function rows(name: string, pairs: readonly Pair[]): string[] {
  const results = resultsOf(pairs)
  return [
    ...RISK_LEVELS.map((riskLevel) =>
      row({ name, strategy: riskLevel, result: results[riskLevel] }),
    ),
    row({ name, strategy: 'buy and hold', result: results.held }),
  ]
}

function venueRow(venue: VenueName): string {
  const costs = VENUE_COSTS[venue]
  const results = Object.values(resultsOf(REAL_PAIRS, { costs }))
  const name =
    `${venue}, ${totalCostBps(costs)} bps a side, trends up to ` +
    `${Math.max(...lookbacksAt(costs)) / CANDLES_A_DAY} days`
  const cells = results.map(
    ({ cagr, sharpe, maxDrawdown }) =>
      `${percent(cagr ?? 0)}, Sharpe ${(sharpe ?? 0).toFixed(2)}, drawdown ${percent(maxDrawdown)}`,
  )
  return `| ${[name, ...cells].join(' | ')} |`
}

function row({
  name,
  strategy,
  result,
}: {
  name: string
  strategy: string
  result: BacktestResult
}): string {
  const meanEquity =
    result.curve.reduce((sum, { equity }) => sum + Number(equity), 0) / result.curve.length
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

if (import.meta.main) console.log([...marketTable(), '', ...venueTable()].join('\n'))
