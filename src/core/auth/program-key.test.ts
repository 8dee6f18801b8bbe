import { expect, test } from 'vitest'
import { checkKeyLimits, checkNetworks, isInScope } from './program-key.ts'

test('a key may make the calls of its scope, and the scope for bots includes reading', () => {
  expect([isInScope('read', 'read'), isInScope('bots', 'read'), isInScope('bots', 'bots')]).toEqual(
    [true, true, true],
  )
  expect([isInScope('read', 'bots'), isInScope('read', undefined)]).toEqual([false, false])
  expect(isInScope('bots', undefined)).toBe(false)
})

const LIMITS = { mostBots: 2, dailyAmount: 10_000_000_000n }

test("a new bot within a key's limits is allowed, and one beyond either limit is refused", () => {
  expect(() => checkKeyLimits(LIMITS, { bots: 2, amount: 10_000_000_000n })).not.toThrow()
  expect(() => checkKeyLimits(LIMITS, { bots: 3, amount: 1n })).toThrow(
    expect.objectContaining({ code: 'key-bots-limit' }),
  )
  expect(() => checkKeyLimits(LIMITS, { bots: 1, amount: 10_000_000_001n })).toThrow(
    expect.objectContaining({ code: 'key-amount-limit' }),
  )
})

test('a text that is no address and no network is refused', () => {
  const isGood =
    (...texts: string[]) =>
    () =>
      checkNetworks(texts)
  expect(isGood('203.0.113.9', '203.0.113.0/24', '2001:db8::/32', '::1')).not.toThrow()
  expect(isGood()).not.toThrow()
  for (const text of ['anywhere', '203.0.113', '203.0.113.0/33', 'abc', '2001:db8::/129', ''])
    expect(isGood(text)).toThrow(expect.objectContaining({ code: 'key-network-invalid' }))
  expect(isGood(...Array.from({ length: 6 }, () => '::1'))).toThrow(
    expect.objectContaining({ code: 'key-network-invalid' }),
  )
})
