import { expect, test } from 'vitest'
import { emailKey, isCommonPassword, isUsername, usernameKey } from './credentials.ts'

test.each([['Ada', 'ada'], ['ＡＤＡ', 'ada'], ['ada', 'ada'], ['A.D-a_1', 'a.d-a_1']])('the name %s is unique as %s', (name, key) => {
  expect(usernameKey(name)).toBe(key)
})

test('an address is unique whatever its case', () => expect(emailKey('Ada@Example.COM')).toBe('ada@example.com'))

test.each(['ada', 'A.b-c_9', 'x'.repeat(50), 'ＡＤＡ'])('%s may be a username', (name) => expect(isUsername(name)).toBe(true))

test.each(['ab', 'x'.repeat(51), 'a b c', 'аdа', 'ada@home', 'ada\n', '', 'ada\u200b', '<ada>', 'é'.repeat(5)])('%j may not be a username', (name) => {
  expect(isUsername(name)).toBe(false)
})

test.each([['password', 'ada'], ['PassWord', 'ada'], ['123456', 'ada'], ['Ada.Lovelace', 'ada.lovelace'], ['ada.lovelace', 'ADA.Lovelace']])(
  '%s is too common for %s',
  (password, name) => expect(isCommonPassword(password, name)).toBe(true),
)

test('another password is not common', () => expect(isCommonPassword('correct horse battery', 'ada')).toBe(false))
