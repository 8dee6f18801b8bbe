import { expect, test } from 'vitest'
import { siteOf } from './own-address.ts'

test('the configured address is used, whatever host a request names', () => {
  expect(
    siteOf({ PUBLIC_URL: 'https://bot.example/app' }, { origin: 'https://evil.example' }),
  ).toEqual({ domain: 'bot.example', uri: 'https://bot.example' })
})

test('a request without a host is refused if no address is configured', () => {
  expect(() => siteOf({ PUBLIC_URL: undefined }, { origin: 'http://' })).toThrow(
    'The request has no valid host.',
  )
})
