import { expect, test } from 'vitest'
import { checkCardNumber, checkCvc, readExpiry } from './card.ts'

test.each(['4242424242424242', '4'.repeat(12), '4'.repeat(19)])(
  'the card number %s is accepted',
  (digits) => {
    expect(() => checkCardNumber(digits)).not.toThrow()
  },
)

test.each(['4242', '4'.repeat(20), '4242 4242 4242 4242', ''])(
  'the card number %j is refused',
  (digits) => {
    expect(() => checkCardNumber(digits)).toThrow(
      expect.objectContaining({ code: 'card-number-invalid', field: 'number' }),
    )
  },
)

test('month and year of an expiry date are read', () => {
  for (const text of ['12/28', '12/2028'])
    expect(readExpiry(text)).toEqual({ expMonth: 12, expYear: 2028 })
})

test.each(['13/28', '00/28', '1/28', '1228', '', '112/28', '12/281', '12/1928', '12/20281'])(
  'the expiry date %j is refused',
  (text) => {
    expect(() => readExpiry(text)).toThrow(
      expect.objectContaining({ code: 'card-expiry-invalid', field: 'expiry' }),
    )
  },
)

test.each(['1', '12345', '12a', ''])('the security code %j is refused', (digits) => {
  expect(() => checkCvc(digits)).toThrow(
    expect.objectContaining({ code: 'card-cvc-invalid', field: 'cvc' }),
  )
  expect(() => checkCvc('123')).not.toThrow()
})
