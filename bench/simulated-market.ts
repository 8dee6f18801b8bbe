import { HOUR_MS, HOURS_A_YEAR } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, buyAndHold, type BacktestResult } from '#core/strategy/backtest.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { DEFAULT_COSTS, type TradingCosts } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'

const SEEDS = Number(process.env['BENCH_SEEDS'] ?? 200)
const NO_COSTS: TradingCosts = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
/** A book that begins in November 2026, the same book ten years later, and much later. */
const BEGINS = [Date.UTC(2026, 10, 23), Date.UTC(2036, 10, 23), Date.UTC(2066, 10, 23)]
const WARM_UP_HOURS = 2 * HOURS_A_YEAR

/**
 * Prints what a year on the simulated market returned, over many seeds and all pairs: what holding
 * and the presets earn there on average.
 */
export function run(): void {
  for (const fromMs of BEGINS) {
    console.log(
      `\n| ${PAIRS.length} pairs, ${SEEDS} simulated markets, the year from ` +
        `${new Date(fromMs).toISOString().slice(0, 10)} | mean ± standard error | median | 5th ` +
        'to 95th percentile | lost |',
    )
    console.log('|---|--:|--:|--:|--:|')
    for (const [name, returns] of yearsFrom(fromMs)) console.log(row(name, returns))
  }
}

function yearsFrom(fromMs: number): Map<string, number[]> {
  const returns = new Map<string, number[]>()
  const keep = (name: string, { totalReturn }: BacktestResult) =>
    returns.set(name, [...(returns.get(name) ?? []), totalReturn])
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const history = {
      fromMs: fromMs - WARM_UP_HOURS * HOUR_MS,
      count: WARM_UP_HOURS + HOURS_A_YEAR,
    }
    const markets = PAIRS.map((pair) => ({
      pair,
      series: simulatedCandles({ seed, pair, ...history }),
    }))
    const input = {
      markets,
      invested: decimalToUnits('10000'),
      fromMs,
      toMs: fromMs + HOURS_A_YEAR * HOUR_MS,
      curvePoints: 2,
      feeBps: 0,
    }
    keep('holding, without costs', buyAndHold({ ...input, strategy: 'hold', costs: NO_COSTS }))
    for (const riskLevel of RISK_LEVELS) {
      keep(
        `${riskLevel}, without costs`,
        backtest({ ...input, strategy: `trend-${riskLevel}`, costs: NO_COSTS }),
      )
      keep(
        `${riskLevel}, after costs and fee`,
        backtest({
          ...input,
          strategy: `trend-${riskLevel}`,
          costs: DEFAULT_COSTS,
          feeBps: PERFORMANCE_FEE_BPS,
        }),
      )
    }
  }
  return returns
}

function row(name: string, returns: readonly number[]): string {
  const inOrder = returns.toSorted((a, b) => a - b)
  const at = (part: number) => percent(inOrder[Math.round(part * (inOrder.length - 1))] ?? 0)
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length
  const variance = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (returns.length - 1)
  const lost = returns.filter((each) => each < 0).length / returns.length
  const average = `${percent(mean)} ± ${percent(Math.sqrt(variance / returns.length))}`
  const range = `${at(0.05)} to ${at(0.95)}`
  return `| ${[name, average, at(0.5), range, percent(lost)].join(' | ')} |`
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`
}
