import { expect, test } from 'vitest'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { simulationMessage } from './simulation-message.ts'

test.each([
  [0, '0', "No trade met this bot's rules"],
  [3, '1.23', 'Bot executed profitable trades!'],
  [3, '0.01', 'Bot executed profitable trades!'],
  [3, '-1.23', '3 trades, −$1.23 after fees'],
  [1, '-0.5', '1 trade, −$0.50 after fees'],
  [2, '0', '2 trades, $0.00 after fees'],
])('%s trades and a net result of %s: %s', (trades, netResult, message) => {
  expect(simulationMessage({ trades, netResult: units(netResult) })).toBe(message)
})
