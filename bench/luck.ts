import { HOUR_MS } from '#core/market/candle.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { PRESETS } from '#core/strategy/preset.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { readRegister, trialsOf } from '#server/evidence/trial-register.ts'
import { ALONE, heldReturns, labelOf, labelOfBest, randomStrategies } from './random-strategies.ts'
import { REAL_PAIRS } from './real-candles.ts'
import { report } from './report.ts'
import {
  candlesOfAll,
  choiceAmong,
  familyOf,
  FROM_MS,
  returnsOf,
  settingOf,
  TO_MS,
  type Candles,
} from './trial-family.ts'

/**
 * The label of each preset, and of 1,000 strategies without skill on the real candles and on
 * simulated markets: `npm run bench -- luck`.
 */

const COUNT = 1_000
const FAMILY = 20
const MARKETS = 10

export function run(): void {
  const real = candlesOfAll()
  console.log(luckTable(real).join('\n'))
  checkOverfitting(real)
  console.log(
    '\n| strategies without skill | judged alone | labelled distinguishable | by the deflated ' +
      'Sharpe ratio alone | best of 20 labelled distinguishable |',
  )
  console.log('|---|--:|--:|--:|--:|')
  random('real candles', [real])
  random(
    `${MARKETS} simulated markets`,
    Array.from({ length: MARKETS }, (_, index) => simulated(index + 1)),
  )
}

/** Recomputes the register's choice among the moderate family. */
function checkOverfitting(candles: Candles): void {
  const recorded = readRegister().rows.findLast(
    (row) => row.kind === 'choice' && row.strategy === 'moderate',
  )
  const computed = choiceAmong(familyOf('moderate').map((setting) => returnsOf(setting, candles)))
  const isSame =
    recorded?.kind === 'choice' &&
    Object.entries(computed).every(
      ([name, figure]) => recorded[name as keyof typeof computed] === figure,
    )
  report({
    name: 'probability of overfitting, computed again',
    measured: percent(computed.overfitting),
    target: { text: 'as in the register', met: isSame },
  })
}

/** The lines of the table of presets. */
export function luckTable(candles: Candles): string[] {
  const { rows } = readRegister()
  const held = heldReturns(candles)
  const head = [
    '| preset | Sharpe above cash | holding | deflated | deflated beside holding | overfitted ' +
      '| trials | years | minimum years | 90 % of 12 months | distinguishable from luck |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|',
  ]
  const body = RISK_LEVELS.map((riskLevel) => {
    const luck = labelOf(
      returnsOf(settingOf(PRESETS[riskLevel]), candles),
      held,
      trialsOf(rows, riskLevel),
    )
    const {
      sharpe,
      heldSharpe,
      deflated,
      aboveHolding,
      overfitting = 0,
      trials,
      years,
      minimumYears,
      band,
      isDistinguishable,
    } = luck
    const cells = [
      riskLevel,
      sharpe.toFixed(2),
      heldSharpe.toFixed(2),
      percent(deflated),
      percent(aboveHolding),
      percent(overfitting),
      trials,
      years.toFixed(1),
      minimumYears.toFixed(1),
      `${percent(band.low)} to ${percent(band.high)}`,
      isDistinguishable ? 'yes' : 'no',
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [...head, ...body]
}

/** The strategies are spread evenly over the markets and use the three presets in turn. */
function random(name: string, markets: readonly Candles[]): void {
  let labelled = 0
  let byDeflated = 0
  let judged = 0
  const families: boolean[] = []
  for (const [which, candles] of markets.entries()) {
    const held = heldReturns(candles)
    const drawn = RISK_LEVELS.map((riskLevel) => randomStrategies(candles, riskLevel))
    const mine = Array.from(
      { length: COUNT / markets.length },
      (_, index) => drawn[index % drawn.length]?.(which * COUNT + index + 1) ?? [],
    )
    for (const returns of mine) {
      const { isDistinguishable, deflated } = labelOf(returns, held, ALONE)
      judged += 1
      labelled += isDistinguishable ? 1 : 0
      byDeflated += deflated >= 0.95 ? 1 : 0
    }
    for (let from = 0; from + FAMILY <= mine.length; from += FAMILY)
      families.push(labelOfBest(mine.slice(from, from + FAMILY), held).isDistinguishable)
  }
  const best = families.filter(Boolean).length
  const shares = [labelled, byDeflated].map((count) => percent(count / judged))
  console.log(`| ${[name, judged, ...shares, `${best} of ${families.length}`].join(' | ')} |`)
}

function simulated(seed: number): Candles {
  const fromMs = FROM_MS - 8_760 * HOUR_MS
  return REAL_PAIRS.map((pair) => ({
    pair,
    series: simulatedCandles({ seed, pair, fromMs, count: (TO_MS - fromMs) / HOUR_MS }),
  }))
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

if (import.meta.main) run()
