import { expect, test } from 'vitest'
import { checkNonce, NONCE_LIFETIME_MS } from './nonce.ts'

const issuedAt = Date.parse('2026-11-21T12:00:00Z')
const fresh = { expiresAt: new Date(issuedAt + NONCE_LIFETIME_MS), usedAt: null }
const after = (ms: number) => new Date(issuedAt + ms)

test('a nonce is valid for ten minutes, including the last millisecond', () => {
  expect(checkNonce(fresh, after(599_999))).toBe(fresh)
})

test.each([
  ['expired', fresh, 600_000, 'wallet-nonce-expired'],
  ['used', { ...fresh, usedAt: after(1) }, 2, 'wallet-nonce-used'],
  ['unknown', undefined, 0, 'wallet-nonce-unknown'],
])('a nonce that is %s is refused', (_state, nonce, atMs, code) => {
  expect(() => checkNonce(nonce, after(atMs))).toThrow(expect.objectContaining({ code }))
})
