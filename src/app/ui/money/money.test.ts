import { afterEach, expect, test } from 'vitest'
import { setLanguageSource } from '#words/language.ts'
import { figureText, hiddenText, percentText } from './money.tsx'

afterEach(() => setLanguageSource(() => 'en'))

test('a ratio below zero has a true minus', () => {
  expect(figureText('-0.31')).toBe('\u22120.31')
})

test.each([
  ['1.84', '+1.84%'],
  ['-0.62', '\u22120.62%'],
  ['0.00', '+0.00%'],
  ['1234.50', '+1,234.50%'],
])('%s percent prints as %s', (percent, printed) => {
  expect(percentText(percent)).toBe(printed)
})

test('in German, percents, ratios and hidden amounts have German formats', () => {
  expect([hiddenText(), hiddenText({ asset: 'BTC' })]).toEqual(['$••••••', '•••••• BTC'])
  setLanguageSource(() => 'de')
  expect([
    percentText('-1234.5'),
    percentText('20', { sign: 'never' }),
    figureText('-0.31'),
  ]).toEqual(['\u22121.234,50\u00A0%', '20,00\u00A0%', '\u22120,31'])
  expect([hiddenText(), hiddenText({ asset: 'BTC' })]).toEqual(['••••••\u00A0$', '•••••• BTC'])
})
