import { expect, test } from 'vitest'
import type { Evidence } from '#contract/evidence.ts'
import { strategyNote } from './level-choice.tsx'

const common = { feedLabel: 'Recorded market', disclaimer: '' }
const outcome = (percent: string) => ({ percent, from: '2021-01-01', to: '2022-01-01' })

test('the note of a hold bot gives median, worst twelve months and share of losses', () => {
  const hold = {
    strategy: 'hold',
    median: outcome('20.10'),
    worst: outcome('-71.30'),
    losingPercent: '41.20',
  }
  const evidence = {
    state: 'figures',
    ...common,
    note: null,
    source: null,
    figures: { others: [hold] },
  } as unknown as Evidence
  expect(strategyNote('hold', evidence)).toBe(
    'Any 12 months after costs: median +20.10%, worst −71.30%, 41.20% lost money',
  )
})

test('without evidence there is no note; while it is computed, the note says so', () => {
  expect(
    strategyNote('hold', { state: 'none', sentence: 'Simulated market: no evidence', ...common }),
  ).toBeUndefined()
  expect(strategyNote('hold', undefined)).toBe('The evidence is being computed.')
})
