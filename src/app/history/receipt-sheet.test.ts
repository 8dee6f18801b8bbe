import { expect, test } from 'vitest'
import { lineName } from './receipt-sheet.tsx'

test.each([
  ['customer:cash', '100.00', 'To your cash'],
  ['card:clearing', '-100.00', 'From the card provider'],
  ['bots', '-5.00', 'From your bots'],
  ['new:account', '1.00', 'To new:account'],
])('a line of %s with %s reads %j', (account, amount, name) => {
  expect(lineName({ account, amount })).toBe(name)
})
