import { expect, test } from 'vitest'
import { WholeAmounts } from './whole-amounts.tsx'

test('an amount with a sign is kept in one line, in English and in German', () => {
  const parts = (text: string) =>
    WholeAmounts({ text }).map((part) => (typeof part === 'string' ? part : [part.props.children]))
  expect(parts('Result: −$1,234.50 in all.')).toEqual(['Result: ', ['−$1,234.50'], ' in all.'])
  expect(parts('Ergebnis: −1.234,50\u00A0$ und +5,00\u00A0$ dazu.')).toEqual([
    'Ergebnis: ',
    ['−1.234,50\u00A0$'],
    ' und ',
    ['+5,00\u00A0$'],
    ' dazu.',
  ])
  expect(parts('BTC + ETH')).toEqual(['BTC + ETH'])
})
