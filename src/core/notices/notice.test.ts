import { expect, test } from 'vitest'
import {
  isDisownable,
  isFixed,
  isOnByDefault,
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_TOPICS,
  type NoticeKind,
} from './notice.ts'

test('notices about security and differences of the book are always on, in every channel', () => {
  expect(NOTICE_TOPICS.filter(isFixed)).toEqual(['security', 'book'])
  for (const topic of ['security', 'book'] as const)
    expect(NOTICE_CHANNELS.every((channel) => isOnByDefault(topic, channel))).toBe(true)
})

test('every topic has a kind of notice, and is in the inbox by default', () => {
  expect(new Set(Object.values(NOTICE_KINDS))).toEqual(new Set(NOTICE_TOPICS))
  for (const topic of NOTICE_TOPICS) expect(isOnByDefault(topic, 'inbox')).toBe(true)
})

test('the weekly figures are not mailed by default', () =>
  expect(isOnByDefault('digest', 'mail')).toBe(false))

test.each<[NoticeKind, boolean]>([
  ['sign-in', true],
  ['withdrawal-pending', true],
  ['holds-released', true],
  ['bank-account-added', true],
  ['webhook-added', true],
  ['webhook-off', false],
  ['email-changed', true],
  ['unfrozen-by-operator', true],
  ['frozen-by-operator', false],
  ['signed-out-by-operator', false],
  ['account-disowned', false],
  ['account-closed', false],
  ['email-dead', false],
  ['deposit', false],
  ['withdrawal-paid', false],
  ['digest', false],
])('a message about %s carries the link "This was not me": %s', (kind, carries) =>
  expect(isDisownable(kind)).toBe(carries),
)
