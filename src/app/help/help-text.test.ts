import { expect, test } from 'vitest'
import { messageOf } from './help-text.ts'

test('the reply is read from message or data.message', () => {
  expect(messageOf({ message: 'Yes.' })).toBe('Yes.')
  expect(messageOf({ data: { message: 'Nested.' } })).toBe('Nested.')
})

test('a reply without a message falls back to the built-in help', () => {
  for (const reply of [
    undefined,
    null,
    'text',
    {},
    { message: '' },
    { message: '  ' },
    { message: 7 },
    { data: null },
  ]) {
    for (const word of ['Deposits', 'Bots', 'Wallets', 'Withdrawals', 'contact support'])
      expect(messageOf(reply)).toContain(word)
  }
})
