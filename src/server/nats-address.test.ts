import { expect, test } from 'vitest'
import { isExposedAddress, readNatsAddress } from './nats-address.ts'

test('an address names one server or several, with a user and password, a token or neither', () => {
  expect(readNatsAddress('nats://127.0.0.1:4222')).toEqual({ servers: ['127.0.0.1:4222'], isTls: false, credentials: {} })
  expect(readNatsAddress('tls://bot:p%40ss:word@one:4222,two:4223/')).toEqual({ servers: ['one:4222', 'two:4223'], isTls: true, credentials: { user: 'bot', pass: 'p@ss:word' } })
  expect(readNatsAddress('nats://s3cret@[::1]:4222')).toEqual({ servers: ['[::1]:4222'], isTls: false, credentials: { token: 's3cret' } })
})

test('other texts are no address', () => {
  const texts = ['', 'nats://', 'http://host:4222', 'host:4222', 'nats://@host', 'nats://a@b@host', 'nats://host:99999', 'nats://one:4222,', 'nats://host/path', 'nats://%@host', 'nats://:pass@host']
  for (const text of texts) expect(readNatsAddress(text), `'${text}' is no address`).toBeUndefined()
})

test('events cross other networks over TLS alone', () => {
  const isExposed = (url: string) => isExposedAddress(readNatsAddress(url) ?? { servers: [], isTls: false, credentials: {} })
  expect(['nats://localhost', 'nats://127.0.0.1:4222', 'nats://[::1]', 'tls://nats.example:4222'].map(isExposed)).toEqual([false, false, false, false])
  expect(['nats://nats.example:4222', 'nats://127.0.0.1,10.0.0.7:4222', 'nats://localhost.example'].map(isExposed)).toEqual([true, true, true])
})
