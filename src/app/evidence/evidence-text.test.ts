import { expect, test } from 'vitest'
import type { EvidenceSummary } from '#contract/evidence.ts'
import { evidenceNote, evidenceSentence, medianText } from './evidence-text.ts'

const none: EvidenceSummary = { state: 'none', sentence: 'Simulated market: no evidence' }
const computing: EvidenceSummary = {
  state: 'computing',
  sentence: 'The evidence is being computed.',
}
const figures: EvidenceSummary = {
  state: 'figures',
  hypothetical: true,
  prices: null,
  levels: [{ riskLevel: 'moderate', median: '16.04', worst: '-13.31', losingPercent: '24.35' }],
}

test('sentence and note give the median, the worst and the share of losses, with U+2212', () => {
  const sentence =
    'Moderate bots, any 12 months after costs: median +16.04%, worst −13.31%, 24.35% of periods ' +
    'lost money.'
  expect(evidenceSentence('moderate', figures)).toBe(sentence)
  expect(evidenceNote('moderate', figures)).toBe(
    'Any 12 months after costs: median +16.04%, worst −13.31%, 24.35% lost money',
  )
})

test('the median replaces a target, and the texts below do not repeat it', () => {
  expect(medianText('moderate', figures)).toBe('median +16.04%')
  expect(evidenceSentence('moderate', figures, { median: false })).toBe(
    'Moderate bots, any 12 months after costs: worst −13.31%, 24.35% of periods lost money.',
  )
  expect(evidenceNote('moderate', figures, { median: false })).toBe(
    'Any 12 months after costs: worst −13.31%, 24.35% lost money',
  )
})

test('without a figure, nothing replaces a target', () => {
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

test("figures from prices other than the bots' name their source first", () => {
  expect(evidenceSentence('moderate', { ...figures, prices: 'Recorded Binance prices' })).toBe(
    'Recorded Binance prices. Moderate bots, any 12 months after costs: median +16.04%, worst ' +
      '−13.31%, 24.35% of periods lost money.',
  )
})
