import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { LARGEST_FALLS } from '#core/luck/holdout.ts'
import { dailyReturns, momentsOf } from '#core/luck/returns.ts'
import { yearlySharpe } from '#core/luck/sharpe.ts'
import { HOURS_A_YEAR } from '#core/market/candle.ts'
import { candleAt, seriesOf } from '#core/market/candle-series.ts'
import { CANDLES_A_DAY, lookbacksAt, PRESETS } from '#core/strategy/preset.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { baseOf } from '#core/market/pair.ts'
import { readRegister, type Trial } from '#server/evidence/trial-register.ts'
import { firstTradeTable } from '../../bench/first-trade.ts'
import { luckTable } from '../../bench/luck.ts'
import { REAL_PAIRS } from '../../bench/real-candles.ts'
import { outcomeTable, resultsOf, tradingTable } from '../../bench/strategies.ts'
import { billsRate, candlesOfAll, settingOf } from '../../bench/trial-family.ts'

/** docs/strategies.md states results of the shipped candles and of the register of trials. */
const PAGE = readFileSync('docs/strategies.md', 'utf8')

const results = REAL_PAIRS.map((pair) => ({ pair, ...resultsOf([pair]) }))
const withoutFee = REAL_PAIRS.map((pair) => resultsOf([pair], { feeBps: 0 }))
const KINDS = [...RISK_LEVELS, 'held'] as const
const fallsOf = (kind: (typeof KINDS)[number]): number[] =>
  results.map((result) => result[kind].maxDrawdown * 100).toSorted((a, b) => a - b)
const range = (figures: readonly number[]): string =>
  `${Math.min(...figures).toFixed(0)}–${Math.max(...figures).toFixed(0)} %`
const mean = (figures: readonly number[]): number =>
  figures.reduce((sum, each) => sum + each, 0) / figures.length
const meanOf = (kind: RiskLevel, figure: 'volatility' | 'sharpe'): number =>
  mean(results.map((result) => result[kind][figure] ?? 0))
const targets = RISK_LEVELS.map((level) => `${PRESETS[level].targetVolatility * 100} %`)
const realised = RISK_LEVELS.map((level) => `${(meanOf(level, 'volatility') * 100).toFixed(0)} %`)

test('the tables of the page equal the results of the benches', () => {
  for (const table of [
    outcomeTable(),
    tradingTable(),
    luckTable(candlesOfAll()),
    firstTradeTable(),
  ])
    expect(PAGE).toContain(`\n${table.join('\n')}\n`)
})

describe('the sentences around the tables', () => {
  const more = results.flatMap((result, which) =>
    RISK_LEVELS.map((level) => ({
      name: `${baseOf(result.pair)} ${level}`,
      volatility:
        ((withoutFee[which]?.[level].volatility ?? 0) - (result[level].volatility ?? 0)) * 100,
      fall: ((withoutFee[which]?.[level].maxDrawdown ?? 0) - result[level].maxDrawdown) * 100,
      whole: ((withoutFee[which]?.[level].maxDrawdown ?? 0) * 100).toFixed(1),
    })),
  )
  const deepest = required(more.toSorted((a, b) => b.fall - a.fall)[0], 'a fall')
  const allFive = resultsOf(REAL_PAIRS)
  const aboveBills = RISK_LEVELS.map((level) =>
    yearlySharpe(momentsOf(dailyReturns(allFive[level].daily), { cashRate: billsRate() })).toFixed(
      2,
    ),
  )
  const volatilities = more.map(({ volatility }) => volatility)
  const inPercent = (figure: 'cagr' | 'maxDrawdown') =>
    KINDS.map((kind) => ((allFive[kind][figure] ?? 0) * 100).toFixed(1))
  const [earned, fell] = [inPercent('cagr'), inPercent('maxDrawdown')]
  const days = lookbacksAt(VENUE_COSTS.binance).map((candles) => candles / CANDLES_A_DAY)
  const slowDays = lookbacksAt(VENUE_COSTS.coinbase).map((candles) => candles / CANDLES_A_DAY)
  const { feeBps, halfSpreadBps, slippageBps } = VENUE_COSTS.binance
  test.each([
    `Trend earned ${earned[0]}, ${earned[1]} and ${earned[2]} % a year (conservative, moderate, ` +
      `aggressive); holding the same coins earned ${earned[3]} %`,
    `The deepest fall of Trend was ${fell[0]}, ${fell[1]} and ${fell[2]} %, that of holding ` +
      `${fell[3]} %`,
    `look back ${days.slice(0, -1).join(', ')} and ${days.at(-1)} days, or ${slowDays[0]} to ` +
      `${slowDays.at(-1)} where`,
    `one crash of ${range(fallsOf('held')).replace('–', ' to ')}`,
    `the venue fee (${feeBps} bps), half the spread (${halfSpreadBps} bps), slippage ` +
      `(${slippageBps} bps) and the platform fee (${PERFORMANCE_FEE_BPS / 100} % of the profit`,
    `Drawdowns fall from ${range(fallsOf('held'))} to ${range(fallsOf('conservative'))} ` +
      `(conservative), ${range(fallsOf('moderate'))} (moderate) and ` +
      `${range(fallsOf('aggressive'))} (aggressive)`,
    `(${realised[0]} for ${targets[0]}, ${realised[1]} for ${targets[1]}) and less for ` +
      `${targets[2]} (${realised[2]})`,
    `${PERFORMANCE_FEE_BPS / 100} % of every rise`,
    `${Math.min(...volatilities).toFixed(1)} to ${Math.max(...volatilities).toFixed(1)} ` +
      `points more volatility and up to ${deepest.fall.toFixed(1)} points deeper drawdowns ` +
      `(${deepest.name} ${deepest.whole} %)`,
    `The deepest falls of a single pair above were ${RISK_LEVELS.map((level) =>
      (fallsOf(level).at(-1) ?? 0).toFixed(0),
    )
      .join(', ')
      .replace(/, (?=\d+$)/, ' and ')} %`,
    `an independent audit of the other pairs measured ${RISK_LEVELS.map(
      (level) => LARGEST_FALLS.levels[level],
    )
      .join(', ')
      .replace(/, (?=\d+$)/, ' and ')} % on ${baseOf(LARGEST_FALLS.pair)}`,
    ...RISK_LEVELS.map(
      (level) =>
        `| ${level} | ${PRESETS[level].targetVolatility * 100} % a year | ` +
        `${PRESETS[level].bandBps / 100} points |`,
    ),
    `above 3-month Treasury bills, which gave ${(billsRate() * 100).toFixed(1)} % a year`,
    `After our fee the presets' Sharpe ratios above bills are ` +
      `${aboveBills.join(', ').replace(/, (?=[\d.]+$)/, ' and ')}.`,
  ])('%s', (sentence) => {
    expect(PAGE).toContain(sentence)
  })

  test('name the coins on which bots beat holding; aggressive has the lowest Sharpe ratio', () => {
    const ahead = (level: RiskLevel) =>
      results.flatMap((result) =>
        (result[level].cagr ?? 0) > (result.held.cagr ?? 0) ? [baseOf(result.pair)] : [],
      )
    expect([ahead('conservative'), ahead('moderate'), ahead('aggressive')]).toEqual([
      [],
      ['ETH', 'SOL'],
      ['ETH', 'SOL'],
    ])
    expect(PAGE).toContain(
      'lower on BTC, XRP and BNB at every level; moderate and aggressive were ahead on ETH and SOL',
    )
    expect(meanOf('aggressive', 'sharpe')).toBeLessThan(
      Math.min(meanOf('conservative', 'sharpe'), meanOf('moderate', 'sharpe')),
    )
  })
})

const median = (figures: readonly number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) +
      (sorted[Math.floor(sorted.length / 2)] ?? 0)) /
    2
  )
}

/** A row of the table about the spread of a level's settings. */
function familyRow(level: RiskLevel): string {
  const family = readRegister().rows.flatMap((row) =>
    row.kind === 'trial' && row.strategy === level && row.sharpe !== null
      ? [{ setting: row.setting, sharpe: row.sharpe }]
      : [],
  )
  const medians = (part: (setting: Trial['setting']) => unknown): number[] => {
    const values = [...new Set(family.map(({ setting }) => JSON.stringify(part(setting))))]
    return values.map((value) =>
      median(
        family.flatMap(({ setting, sharpe }) =>
          JSON.stringify(part(setting)) === value ? [sharpe] : [],
        ),
      ),
    )
  }
  const between = (figures: readonly number[]) =>
    `${Math.min(...figures).toFixed(2)} to ${Math.max(...figures).toFixed(2)}`
  const own =
    family.find(
      ({ setting }) => JSON.stringify(setting) === JSON.stringify(settingOf(PRESETS[level])),
    )?.sharpe ?? 0
  const [middle = 0, low = 0] = medians(({ stop }) => stop)
  const all = family.map(({ sharpe }) => sharpe)
  const above = all.filter((sharpe) => sharpe > own).length
  const cells = [
    level,
    `${between(all)}, median ${median(all).toFixed(2)}`,
    own.toFixed(2),
    `${above} of ${all.length}`,
    between(medians(({ lookbackDays }) => lookbackDays)),
    between(medians(({ halfLifeDays }) => halfLifeDays)),
    between(medians(({ bandPoints }) => bandPoints)),
    `${middle.toFixed(2)}, ${low.toFixed(2)}`,
  ]
  return `| ${cells.join(' | ')} |`
}

test('the results of other settings on the page equal the register', () => {
  const rows = RISK_LEVELS.map(familyRow)
  expect(PAGE).toContain(`\n${rows.join('\n')}\n`)
  const medians = rows.map((row) => /median ([\d.]+)/.exec(row)?.[1])
  expect(PAGE).toContain(
    `The families' medians, with cash at 0, are ${medians[0]}, ${medians[1]} and ${medians[2]}`,
  )
  const budgets = readRegister().rows.flatMap((row) =>
    row.kind === 'trial' && row.strategy === 'moderate' && row.setting.drawdownBudget !== undefined
      ? [row.setting.drawdownBudget * 100]
      : [],
  )
  expect(PAGE).toContain(`budgets of ${budgets.slice(0, -1).join(', ')} and ${budgets.at(-1)} %`)
})

test('replaying two or three years leads to the same exposure at nine moments', () => {
  let moments = 0
  for (const { series } of candlesOfAll()) {
    for (let which = 0; which < 9; which += 1) {
      const until = series.length - which * 1_900
      const after = (years: number) => {
        const toCount = years * HOURS_A_YEAR
        const history = seriesOf(
          Array.from({ length: toCount }, (_, index) => candleAt(series, until - toCount + index)),
        )
        return RISK_LEVELS.map(
          (riskLevel) =>
            exposureChanges({
              strategy: `trend-${riskLevel}`,
              costs: VENUE_COSTS.binance,
              series: history,
              fromCount: toCount,
              toCount,
            }).at(-1)?.exposureBps,
        )
      }
      expect(after(2)).toEqual(after(3))
      moments += 1
    }
  }
  expect(moments).toBe(45)
})
