import { expect, test } from 'vitest'
import type { EvidenceSummary } from '#contract/evidence.ts'
import { medianText, missingText, sourceText } from './evidence-text.ts'

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
  firstBot: null,
}

test('the median is shown in place of a target', () => {
  expect(medianText('moderate', figures)).toBe('median +16.04%')
})

test('without a median, a text states that there are no figures', () => {
  expect(medianText('moderate', none)).toBe('no figures')
  expect(medianText('moderate', computing)).toBe('no figures yet')
  expect(medianText('moderate', undefined)).toBe('no figures yet')
})

test('without figures, a sentence gives the reason', () => {
  expect(missingText(none)).toBe('Simulated market: no evidence')
  expect(missingText(computing)).toBe('The evidence is being computed.')
  expect(missingText(undefined)).toBe('The evidence is being computed.')
})

test("figures from prices other than the bots' name their source", () => {
  expect(sourceText('moderate', figures)).toBe('Hypothetical: Moderate bots, after costs.')
  expect(sourceText('moderate', { ...figures, prices: 'Recorded Binance prices' })).toBe(
    'Hypothetical: Moderate bots, after costs. Recorded Binance prices.',
  )
})
