import { expect, test } from 'vitest'
import type { Compared, Comparison } from '#contract/comparison.ts'
import { comparisonSentence } from './comparison-chart.tsx'

const side = (name: string, change: string, hypothetical = false): Compared => ({
  name,
  change,
  hypothetical,
  strategy: 'trend',
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT'],
  deepestFall: '0.00',
  settingsSince: null,
  curve: [{ at: '2026-11-22T10:00:00.000Z', percent: '0.00' }],
})
const compared = (bot: Compared, other: Compared): Comparison => ({
  bot,
  other,
  with: '',
  from: '',
  to: '',
  strategies: [],
  bots: [],
  cash: [],
  disclaimer: null,
})

test('the sentence states what happened, or for a replay what would have happened', () => {
  expect(comparisonSentence(compared(side('Steady', '2.10'), side('Wide', '-1.05')), 'Day 3')).toBe(
    'Since Day 3, Steady gained 2.10% and Wide lost 1.05%.',
  )
  expect(
    comparisonSentence(
      compared(side('Steady', '-0.40'), side('Aggressive', '0.00', true)),
      'Day 3',
    ),
  ).toBe('Since Day 3, Steady lost 0.40% and Aggressive would have gained 0.00%.')
})

test('without a full hour there is nothing to compare', () => {
  const young = { ...side('Steady', '0.00'), curve: [] }
  expect(comparisonSentence(compared(young, young), 'Day 1')).toBe(
    'There is nothing to compare yet: both need a full hour of market time.',
  )
})
