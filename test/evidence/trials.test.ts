import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TriedForTrading } from '#contract/forecasts.ts'
import { CHOSEN_ON, HOLDOUT } from '#core/luck/holdout.ts'
import { PAIRS } from '#core/market/pair.ts'
import { PRESETS } from '#core/strategy/preset.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import {
  FIRST_HASH,
  learnedTrials,
  lineOf,
  readRegister,
  trialsOf,
  type RegisterRow,
} from '#server/evidence/trial-register.ts'
import {
  ALONE,
  heldReturns,
  labelOf,
  labelOfBest,
  randomStrategies,
} from '../../bench/random-strategies.ts'
import {
  balancedSetting,
  candlesOfAll,
  familyOf,
  returnsOf,
  returnsOfMarkets,
  settingOf,
  sharpeOf,
  triedOn,
} from '../../bench/trial-family.ts'

/**
 * The register when this test was last changed. Rows may be added, but none may change. Update both
 * values after adding rows.
 */
const PINNED = {
  rows: 608,
  hash: '3a154763ab4abc96e07d7b2a17bc088172436be7778f387f0311a2d511137316',
}

const { rows, hashes } = readRegister()
const candles = candlesOfAll()
const held = heldReturns(candles)

test('every row that the register ever had is still there', () => {
  expect(rows.length).toBeGreaterThanOrEqual(PINNED.rows)
  expect(hashes[PINNED.rows - 1]).toBe(PINNED.hash)
})

test('a row that was altered, moved or removed is detected', () => {
  const lines = textOf(rows.slice(0, 6)).split('\n').slice(0, -1)
  const read = (changed: readonly (string | undefined)[]) => () => readRegister(changed.join('\n'))
  expect(read(lines)).not.toThrow()
  expect(read(lines.with(2, (lines[2] ?? '').replace(/"sharpe":[\d.]+/, '"sharpe":9')))).toThrow(
    'row 3 of the register',
  )
  expect(read(lines.toSpliced(2, 1))).toThrow('row 3 of the register')
  expect(read([lines[0], lines[1], lines[3], lines[2], ...lines.slice(4)])).toThrow(
    'row 3 of the register',
  )
  expect(
    readRegister(lines.slice(0, -1).join('\n')).hashes.at(-1),
    'rows missing at the end change the last hash',
  ).not.toBe(hashes[5])
})

test.each(RISK_LEVELS)(
  'the parameters of the %s preset have a row, on the present candles',
  (riskLevel) => {
    const row = rows.find(
      (each) =>
        each.kind === 'trial' &&
        each.strategy === riskLevel &&
        JSON.stringify(each.setting) === JSON.stringify(settingOf(PRESETS[riskLevel])),
    )
    expect(row, 'run npm run bench -- trials').toBeDefined()
    expect(row?.on).toEqual(triedOn(candles))
  },
)

test('all settings of a family are registered; rejected drawdown budgets count as trials', () => {
  for (const riskLevel of RISK_LEVELS) {
    expect(familyOf(riskLevel).length).toBe(192)
    expect(trialsOf(rows, riskLevel).trials).toBe(197)
  }
})

test.each(RISK_LEVELS)('the code generates the rows of the %s family', (riskLevel) => {
  const own = settingOf(PRESETS[riskLevel])
  const family = rows.flatMap((row) =>
    row.kind === 'trial' && row.strategy === riskLevel && row.sharpe !== null ? [row] : [],
  )
  const some = family.filter(
    ({ setting }, index) => index % 48 === 7 || JSON.stringify(setting) === JSON.stringify(own),
  )
  expect(some.length).toBe(5)
  expect(some.map(({ setting }) => sharpeOf(returnsOf(setting, candles)))).toEqual(
    some.map(({ sharpe }) => sharpe),
  )
})

test.each(RISK_LEVELS)(
  'share and band of the %s balanced bot have one row, and there are no others',
  (riskLevel) => {
    const balanced = rows.flatMap((row) =>
      row.kind === 'balanced-trial' && row.strategy === `balanced-${riskLevel}` ? [row] : [],
    )
    expect(
      balanced.map(({ on, setting, sharpe }) => ({ on, setting, sharpe })),
      'run npm run bench -- trials',
    ).toEqual([
      {
        on: triedOn(candles),
        setting: balancedSetting(riskLevel),
        sharpe: sharpeOf(returnsOfMarkets(candles, `balanced-${riskLevel}`)),
      },
    ])
  },
)

test('learned traders have their rows, with the figures of docs/strategies.md', () => {
  const { tried, variants } = learnedTrials(rows)
  expect(variants).toBe(109)
  const { shape } = TriedForTrading
  expect(tried.map(({ id }) => id)).toEqual(shape.id.options)
  const [, page = ''] = readFileSync('docs/strategies.md', 'utf8').split('## Learned traders')
  expect(page).toContain(`${variants} learned ways to trade`)
  for (const { five, seven } of tried)
    for (const { value, low, high } of [five, seven])
      for (const figure of [value, low, high])
        expect(page).toContain((figure ?? '').replace('-', '−'))
  expect(rows.filter(({ kind }) => kind === 'learned-choice').length).toBe(1)
})

test('no trial from which a setting was chosen used the candles of the holdout', () => {
  for (const row of rows) {
    if (row.kind === 'learned-trial' || row.kind === 'learned-choice') continue
    const { on } = row
    expect(on.pairs.every((pair) => CHOSEN_ON.pairs.some((each) => each === pair))).toBe(true)
    expect(on.to <= CHOSEN_ON.until).toBe(true)
  }
  const [pairs, after] = HOLDOUT
  expect([pairs?.kind, pairs?.pairs]).toEqual(['pairs', PAIRS.length - CHOSEN_ON.pairs.length])
  expect([after?.kind, after?.from]).toEqual(['after', CHOSEN_ON.until])
})

test('strategies without skill are labelled as not distinguishable from luck', () => {
  const draw = randomStrategies(candles, 'moderate')
  const drawn = Array.from({ length: 60 }, (_, index) => draw(index + 1))
  expect(
    drawn.filter((returns) => labelOf(returns, held, ALONE).isDistinguishable).length,
  ).toBeLessThanOrEqual(3)
  for (const from of [0, 20, 40])
    expect(labelOfBest(drawn.slice(from, from + 20), held).isDistinguishable).toBe(false)
})

test('a strategy that knew the next day is labelled as more than luck', () => {
  const knowing = held.map((rise) => (rise > 0.01 ? rise / 10 : 0))
  expect(
    labelOf(knowing, held, { trials: 197, variance: 0.2 / 365, overfitting: 0.1 })
      .isDistinguishable,
  ).toBe(true)
  expect(
    labelOf(knowing, held, { trials: 197, variance: 0.2 / 365, overfitting: 0.5 })
      .isDistinguishable,
    'unless its settings are overfitted',
  ).toBe(false)
})

function textOf(some: readonly RegisterRow[]): string {
  let before = FIRST_HASH
  return some
    .map((row) => {
      const { line, hash } = lineOf(row, before)
      before = hash
      return `${line}\n`
    })
    .join('')
}
