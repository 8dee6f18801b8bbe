import { expect, test } from 'vitest'
import { Refusal } from '#core/refusal.ts'
import {
  checkEmail,
  checkLength,
  checkUsername,
  emailKey,
  LENGTHS,
  passwordStrength,
  refuseWeakPassword,
  usernameKey,
} from './credentials.ts'

test.each([
  ['Ada', 'ada'],
  ['ＡＤＡ', 'ada'],
  ['ada', 'ada'],
  ['A.D-a_1', 'a.d-a_1'],
])('the name %s is compared as %s', (name, key) => {
  expect(usernameKey(name)).toBe(key)
})

test('an email address is unique regardless of case', () =>
  expect(emailKey('Ada@Example.COM')).toBe('ada@example.com'))

test.each(['ada', 'A.b-c_9', 'x'.repeat(50), 'ＡＤＡ'])('%s may be a username', (name) =>
  expect(() => checkUsername(name)).not.toThrow(),
)

test.each([
  'ab',
  'x'.repeat(51),
  'a b c',
  'аdа',
  'ada@home',
  'ada\n',
  '',
  'ada\u200b',
  '<ada>',
  'é'.repeat(5),
])('%j may not be a username', (name) => {
  expect(() => checkUsername(name)).toThrow(Refusal)
})

const known = {
  username: 'Ada.Lovelace',
  minimum: 8,
  field: 'newPassword',
  isCommon: false,
  isBreached: false,
}

test.each([
  ['seven77', {}, 'text-too-short'],
  ['seven77', { isCommon: true }, 'text-too-short'],
  ['football', { isCommon: true }, 'common-password'],
  ['football', { isCommon: true, isBreached: true }, 'common-password'],
  ['ada.lovelace', {}, 'common-password'],
  ['ADA.Lovelace', {}, 'common-password'],
  ['8675309jenny', { isBreached: true }, 'breached-password'],
] as const)('the new password %s is refused as %j, %s', (password, lists, code) => {
  expect(() => refuseWeakPassword(password, { ...known, ...lists })).toThrow(
    expect.objectContaining({ code, field: 'newPassword' }),
  )
})

test('the refusal of a short new password states the minimum length', () => {
  expect(() => refuseWeakPassword('seven77', known)).toThrow(
    expect.objectContaining({ values: { minimum: '8' } }),
  )
})

test('a long new password that is on no list passes', () =>
  expect(() => refuseWeakPassword('correct horse battery', known)).not.toThrow())

test.each([
  ['', 0],
  ['a', 1],
  ['secret', 1],
  ['aaaaaaaaaaaaaaaaaaaa', 1],
  ['123456789012', 1],
  ['abcdefghijklmnop', 1],
  ['ababababababababab', 1],
  ['k3Lq9xTz', 2],
  ['correct horses!', 3],
  ['correct horse battery', 4],
  ['S3Lq9xTz', 2],
  ['\u00023Lq9xTz', 2],
  ['k3Lq9xTzWm4', 2],
  ['k3Lq9xTzWm4P', 3],
  ['k3Lq9xTzWm4Pc7V', 3],
  ['k3Lq9xTzWm4Pc7VG', 4],
] as const)('the strength of %j is %d of 4', (password, strength) =>
  expect(passwordStrength(password)).toBe(strength),
)

test.each([
  ['username', '', 'required', {}],
  ['password', '', 'required', {}],
  ['firstName', '', 'required', {}],
  ['lastName', '', 'required', {}],
  ['username', 'ab', 'text-too-short', { minimum: '3' }],
  ['username', 'a'.repeat(51), 'text-too-long', { maximum: '50' }],
  ['password', '12345', 'text-too-short', { minimum: '6' }],
  ['password', 'a'.repeat(101), 'text-too-long', { maximum: '100' }],
  ['firstName', 'a'.repeat(51), 'text-too-long', { maximum: '50' }],
] as const)('a %s of %j is refused as %s', (field, text, code, values) => {
  expect(() => checkLength(field, text)).toThrow(expect.objectContaining({ code, field, values }))
})

test.each(Object.entries(LENGTHS))(
  'a %s of the shortest and of the longest length passes',
  (field, { minimum, maximum }) => {
    for (const length of [minimum, maximum])
      expect(() => checkLength(field as keyof typeof LENGTHS, 'a'.repeat(length))).not.toThrow()
  },
)

test.each([
  ['', 'required'],
  ['ab', 'text-too-short'],
  ['a'.repeat(51), 'text-too-long'],
  ['ada lovelace', 'username-invalid'],
])('the new username %j is refused as %s', (username, code) =>
  expect(() => checkUsername(username)).toThrow(
    expect.objectContaining({ code, field: 'username' }),
  ),
)

test.each(['ada', 'a'.repeat(50)])('the new username %s passes', (username) =>
  expect(() => checkUsername(username)).not.toThrow(),
)

test.each([
  'ada',
  'ada@',
  'ada@home',
  'ada lovelace@example.com',
  'ada@example.com x',
  'ada@example.com@evil.com',
])('%j is not an email address', (email) => {
  expect(() => checkEmail(email)).toThrow(
    expect.objectContaining({ code: 'email-invalid', field: 'email' }),
  )
})

test.each(['', 'ada@example.com'])('%j passes as an email address', (email) =>
  expect(() => checkEmail(email)).not.toThrow(),
)
