import { expect, test } from 'vitest'
import { checkLogin, checkSignup } from './credential-rules.ts'

const ada = { username: 'ada', password: 'analytical', firstName: 'Ada', lastName: 'Lovelace', email: '' }

test('a complete form has no errors', () => {
  expect(checkSignup(ada)).toEqual({})
  expect(checkLogin(ada)).toEqual({})
})

test('empty fields are required', () => {
  expect(checkLogin({ username: '', password: '' })).toEqual({ username: 'Required', password: 'Required' })
})

test.each([
  [{ username: 'ab' }, { username: 'String must contain at least 3 character(s)' }],
  [{ username: 'a'.repeat(51) }, { username: 'String must contain at most 50 character(s)' }],
  [{ username: 'ada lovelace' }, { username: 'Use letters, digits, underscore, dot and hyphen' }],
  [{ password: '12345' }, { password: 'String must contain at least 6 character(s)' }],
  [{ password: 'a'.repeat(101) }, { password: 'String must contain at most 100 character(s)' }],
  [{ firstName: 'a'.repeat(51) }, { firstName: 'String must contain at most 50 character(s)' }],
  [{ lastName: '' }, { lastName: 'Required' }],
  [{ email: 'ada' }, { email: 'Invalid email' }],
  [{ email: 'ada@example.com' }, {}],
])('%j gives %j', (change, errors) => {
  expect(checkSignup({ ...ada, ...change })).toEqual(errors)
})

test('the limits themselves are allowed', () => {
  expect(checkSignup({ ...ada, username: 'a'.repeat(50), password: 'a'.repeat(100), firstName: 'A' })).toEqual({})
})
