import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  authenticatorCodeOf,
  RECOVERY_CODE_BYTES,
  recoveryCodeKey,
  recoveryCodeOf,
} from './recovery-code.ts'

const aCode = fc
  .uint8Array({ minLength: RECOVERY_CODE_BYTES, maxLength: RECOVERY_CODE_BYTES })
  .map(recoveryCodeOf)

test('a recovery code has two groups of five characters that cannot be confused', () => {
  fc.assert(
    fc.property(aCode, (code) => /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/.test(code)),
  )
})

test('each character of a code depends on one byte, and all 32 characters occur', () => {
  const first = new Set(
    Array.from(
      { length: 256 },
      (_, byte) => recoveryCodeOf(new Uint8Array([byte, 0, 0, 0, 0, 0, 0, 0, 0, 0]))[0],
    ),
  )
  expect(first.size).toBe(32)
})

test('two codes are equal only if every character is', () => {
  fc.assert(
    fc.property(
      aCode,
      aCode,
      (one, other) => (recoveryCodeKey(one) === recoveryCodeKey(other)) === (one === other),
    ),
  )
})

test.each([
  'k3f9w-07xqa',
  'K3F9W-07XQA',
  ' k3f9w 07xqa ',
  'k3f9w07xqa',
  'k3f9w-O7xqa',
  'k3f9w–o7xqa',
])('%j is accepted as k3f9w-07xqa', (typed) => {
  expect(recoveryCodeKey(typed)).toBe(recoveryCodeKey('k3f9w-07xqa'))
})

test('the letters I and L are read as the digit 1', () =>
  expect(recoveryCodeKey('Il111-11111')).toBe('1111111111'))

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  [' 012345\n', '012345'],
  ['12345', undefined],
  ['1234567', undefined],
  ['12345a', undefined],
  ['١٢٣٤٥٦', undefined],
  ['', undefined],
])('%j as the code of an authenticator app is %j', (typed, code) =>
  expect(authenticatorCodeOf(typed)).toBe(code),
)
