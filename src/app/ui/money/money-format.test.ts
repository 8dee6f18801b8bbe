import { expect, test } from 'vitest'
import { figureText, percentText } from './money-format.ts'

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
