import { expect, test } from 'vitest'
import { reachedText } from './level-figures.tsx'

const costs = {
  tradingFee: '0.10',
  halfSpread: '0.02',
  slippage: '0.05',
  aSide: '0.17',
  platformFee: '15.00',
  holdFee: '0.00',
  cashYield: '0.00',
}
const level = { riskLevel: 'moderate', reachedPercent: '32.68' } as const
const figures = { percent: '1.0', sharpe: null, fall: '8.7' }
const holdout = [
  {
    kind: 'pairs' as const,
    from: '2021-09-20',
    to: '2025-09-20',
    pairs: 7,
    costs: '0.17',
    source: '',
    levels: { conservative: figures, moderate: figures, aggressive: figures },
    held: figures,
    reached: { costs: '0.17', levels: { conservative: '2.3', moderate: '3.8', aggressive: '4.2' } },
  },
]

test('the share of start days that reached a target is shown, for other coins too', () => {
  expect(reachedText({ level, figures: { costs, holdout } })).toBe(
    '32.68% of start days reached this target. On 7 coins not used to choose the rules: 3.8%.',
  )
})

test('the costs of other coins are named if they differ from those of the windows', () => {
  expect(reachedText({ level, figures: { costs: { ...costs, aSide: '0.47' }, holdout } })).toBe(
    '32.68% of start days reached this target. On 7 coins not used to choose the rules: 3.8%, ' +
      'at costs of 0.17% per trade.',
  )
})

test('without other coins, the share of the chosen coins is shown alone', () => {
  expect(
    reachedText({ level: { ...level, reachedPercent: '0.00' }, figures: { costs, holdout: [] } }),
  ).toBe('0.00% of start days reached this target.')
})
