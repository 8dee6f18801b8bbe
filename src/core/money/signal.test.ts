import { expect, test } from 'vitest'
import { flooredUnits, signalOf, unitsOfSignal } from './signal.ts'

test('a signal counts whole assets', () => {
  expect(signalOf('-1.5')).toBe(-1.5)
})

test('the units of a signal are the nearest', () => {
  expect(unitsOfSignal(1.5)).toBe(150_000_000n)
  expect(unitsOfSignal(0.1 + 0.2)).toBe(30_000_000n)
  expect(unitsOfSignal(-0.000_000_016)).toBe(-2n)
})

test('half a unit of a price is cut off', () => {
  expect(flooredUnits(61_240.5)).toBe(61_240n)
})
