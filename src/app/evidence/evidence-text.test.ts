import { expect, test } from 'vitest'
import type { Evidence } from '#contract/evidence.ts'
import { evidenceNote, evidenceSentence, medianText } from './evidence-text.ts'

const none: Evidence = { state: 'none', feedLabel: 'Simulated market', disclaimer: '', sentence: 'Simulated market: no evidence' }
const computing: Evidence = { ...none, state: 'computing', sentence: 'The evidence is being computed.' }
const outcome = (percent: string) => ({ percent, from: '2021-01-01', to: '2022-01-01' })
const level = {
  median: outcome('16.04'),
  worst: outcome('-13.31'),
  best: outcome('72.14'),
  lower: outcome('-4.57'),
  upper: outcome('30.33'),
  losing: 336,
  losingPercent: '24.35',
  deepestFall: '14.18',
}
const figures: Evidence = {
  state: 'figures',
  feedLabel: 'Recorded market',
  disclaimer: '',
  figures: {
    windows: 1_380,
    windowDays: 365,
    from: '2020-12-10',
    to: '2025-09-19',
    pairs: ['BTC/USDT'],
    invested: '10000.00',
    costs: { tradingFee: '0.10', halfSpread: '0.02', slippage: '0.05', platformFee: '15.00' },
    levels: [{ ...level, riskLevel: 'moderate', target: { from: 25, to: 50 }, reached: 449, reachedPercent: '32.53' }],
    buyAndHold: level,
    timeline: { stepDays: 7, conservative: [], moderate: [], aggressive: [] },
    dataHash: '',
    engineVersion: '',
  },
}

test('sentence and note give the median, the worst and the share that lost money, with U+2212', () => {
  const sentence = 'Moderate bots, any 12 months after costs: median +16.04%, worst −13.31%, 24.35% of them lost money.'
  expect(evidenceSentence('moderate', figures)).toBe(sentence)
  expect(evidenceNote('moderate', figures)).toBe('Any 12 months after costs: median +16.04%, worst −13.31%, 24.35% lost money')
})

test('in place of a target stands the median, and the texts below do not repeat it', () => {
  expect(medianText('moderate', figures)).toBe('median +16.04%')
  expect(evidenceSentence('moderate', figures, { median: false })).toBe('Moderate bots, any 12 months after costs: worst −13.31%, 24.35% of them lost money.')
  expect(evidenceNote('moderate', figures, { median: false })).toBe('Any 12 months after costs: worst −13.31%, 24.35% lost money')
})

test('in place of a target stands no figure while there is none', () => {
  expect(medianText('moderate', none)).toBe('no figures')
  expect(medianText('moderate', computing)).toBe('no figures yet')
  expect(medianText('moderate', undefined)).toBe('no figures yet')
})

test('without figures, the sentence says why', () => {
  expect(evidenceSentence('moderate', none)).toBe('Simulated market: no evidence')
  expect(evidenceSentence('moderate', computing)).toBe('The evidence is being computed.')
  expect(evidenceSentence('moderate', undefined)).toBe('The evidence is being computed.')
})

test('there is no note if there will be no figures', () => {
  expect(evidenceNote('moderate', none)).toBeUndefined()
  expect(evidenceNote('moderate', undefined)).toBe('The evidence is being computed.')
})
