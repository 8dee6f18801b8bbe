import { expect, test } from 'vitest'
import { isReachableContact, pushMeaning, retryAfterMs, type PushMeaning } from './push-answer.ts'

/** R: RFC 8030 and 8292. M: autopush-rs. F: FCM. A: Apple. W: WNS. */
const ANSWERS: readonly [status: number, meaning: PushMeaning, documented: string][] = [
  [200, 'sent', 'M W: accepted'],
  [201, 'sent', 'R A: the message was created'],
  [202, 'sent', 'R: accepted, a receipt follows'],
  [400, 'our-mistake', 'R M F A W: a header is missing or wrong'],
  [401, 'our-mistake', 'R M F W: the signature is missing or wrong'],
  [403, 'our-mistake', 'R F A W: signed with another key than the subscription’s'],
  [404, 'gone', 'R M F A W: no such subscription'],
  [405, 'our-mistake', 'A W: not POST'],
  [406, 'later', 'W: throttled'],
  [410, 'gone', 'R M A W: the subscription has ended'],
  [413, 'too-large', 'R M A W: above the service’s limit'],
  [429, 'later', 'R F A: too many messages'],
  [500, 'later', 'M F A W: an error of the service'],
  [502, 'later', 'M: a router of the service does not answer'],
  [503, 'later', 'M F A W: unavailable'],
]

test.each(ANSWERS)('the answer %d of a push service means %s', (status, meaning) => {
  expect(pushMeaning(status)).toBe(meaning)
})

test('every undocumented answer is unknown, and only 404 and 410 mean gone', () => {
  const documented = new Set(ANSWERS.map(([status]) => status))
  for (let status = 100; status < 600; status += 1) {
    if (!documented.has(status)) expect(pushMeaning(status), `${status}`).toBe('unknown')
    expect(pushMeaning(status) === 'gone').toBe(status === 404 || status === 410)
  }
})

const NOW_MS = Date.UTC(2026, 0, 1)
test.each([
  [undefined, undefined],
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', undefined],
  ['0', undefined],
  ['999999999', 86_400_000],
  ['soon', undefined],
  ['-5', undefined],
])('Retry-After %j is a wait of %j ms', (header, waitMs) => {
  expect(retryAfterMs(header, NOW_MS)).toBe(waitMs)
})

test.each([
  ['mailto:help@bots-operator.com', true],
  ['https://bots-operator.com/help', true],
  ['https://bots-operator.com:8443', true],
  ['mailto:operator@localhost', false],
  ['mailto:help@bots.example', false],
  ['https://localhost:5000', false],
  ['https://trading.local', false],
  ['https://192.168.1.20', false],
  ['https://[::1]/', false],
  ['http://bots-operator.com', false],
  ['https://intranet/help', false],
])('whether %s can be reached by a push service: %j', (address, isReachable) => {
  expect(isReachableContact(address)).toBe(isReachable)
})
