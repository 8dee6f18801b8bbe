import { expect, test } from 'vitest'
import { waitText } from './wait-text.ts'

test.each([
  [0, '1 second'],
  [0.2, '1 second'],
  [1.1, '2 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [300, '5 minutes'],
  [300.4, '6 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [86_400, '24 hours'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(waitText(seconds)).toBe(text)
})
