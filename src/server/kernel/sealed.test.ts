import { expect, test } from 'vitest'
import { seal, unseal } from './sealed.ts'

const ADA = { userId: 'ada', secret: 'a secret of 32 characters at least' }
/** The cipher's error for a forged text. */
const FORGED = 'unable to authenticate'
const NUMBER = '000123456789'

test('a sealed text opens only with the same user, secret and purpose', () => {
  const sealed = seal({ text: NUMBER, ...ADA })
  expect(unseal({ sealed, ...ADA })).toBe(NUMBER)
  expect(() => unseal({ sealed, ...ADA, userId: 'eve' })).toThrow(FORGED)
  expect(() => unseal({ sealed, ...ADA, purpose: 'authenticators' })).toThrow(FORGED)
  expect(() => unseal({ sealed, ...ADA, secret: 'another secret of 32 characters' })).toThrow(
    FORGED,
  )
})

test('sealing a number twice gives different texts, and neither shows its digits', () => {
  const [first, second] = [seal({ text: NUMBER, ...ADA }), seal({ text: NUMBER, ...ADA })]
  expect(first).not.toBe(second)
  expect(`${first}${second}`).not.toContain('123456')
})

test.each([0, 1, 2, 3])('a change in part %i of a sealed text is detected', (part) => {
  const parts = seal({ text: NUMBER, ...ADA }).split('.')
  const old = parts[part] ?? ''
  const damaged = parts.with(part, `${old.startsWith('A') ? 'B' : 'A'}${old.slice(1)}`)
  expect(() => unseal({ sealed: damaged.join('.'), ...ADA })).toThrow(
    part === 0 ? 'unknown key' : FORGED,
  )
})

test.each([0, 4, 12, 15])('a tag cut to %i bytes is refused', (bytes) => {
  const parts = seal({ text: NUMBER, ...ADA }).split('.')
  const tag = Buffer.from(parts[2] ?? '', 'base64')
    .subarray(0, bytes)
    .toString('base64')
  expect(() => unseal({ sealed: parts.with(2, tag).join('.'), ...ADA })).toThrow(
    /authentication tag/i,
  )
})
