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

test('the share of starts that reached a target is shown for known and for unseen coins', () => {
  expect(reachedText({ level, figures: { costs, holdout } })).toBe(
    'Reached by 32.68% of starts. On 7 coins the rules never saw: by 3.8%.',
  )
})

test('the sentence names the costs of coins never seen where they differ from the windows', () => {
  expect(reachedText({ level, figures: { costs: { ...costs, aSide: '0.47' }, holdout } })).toBe(
    'Reached by 32.68% of starts. On 7 coins the rules never saw: by 3.8%, at costs of ' +
      '0.17% per trade.',
  )
})

test('if no coins are new to the rules, the share is shown alone', () => {
  expect(
    reachedText({ level: { ...level, reachedPercent: '0.00' }, figures: { costs, holdout: [] } }),
  ).toBe('Reached by 0.00% of starts.')
})
