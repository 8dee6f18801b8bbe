import { expect, test } from 'vitest'
import { checkLives } from './lives.ts'

const FIRST = Number(process.env['TEST_SEED'] ?? 20_250_919)

test('two thousand random lives of a pool break no law', () => {
  const tally = checkLives({ from: FIRST, count: 2_000 })
  const met = [
    'enter',
    'resume',
    'pause',
    'join by order',
    'leave by order',
    'sell own',
    'strategy buy',
    'strategy sell',
    'serve',
  ]
  for (const word of [...met, 'left in part', 'emptied'])
    expect(tally[word], `number of '${word}' changes`).toBeGreaterThan(50)
})
