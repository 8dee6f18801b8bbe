import { expect, test } from 'vitest'
import { composePush } from './compose.ts'
import type { Delivery } from './delivery-store.ts'

const DELIVERY: Delivery = {
  userId: 'ada',
  id: '1',
  channel: 'push',
  kind: 'sign-in',
  details: { device: 'Firefox' },
  noticeId: 'one',
  address: null,
  subscription: null,
  webhook: null,
  username: 'ada',
  language: 'en',
  pushAmounts: false,
  attempts: 0,
  createdAt: new Date(0),
}

test.each([
  ['en', 'New sign-in'],
  ['de', 'Neue Anmeldung'],
] as const)('a message in %s declares its language, and is written in it', (language, title) => {
  expect(JSON.parse(composePush({ ...DELIVERY, language }))).toMatchObject({
    lang: language,
    title,
  })
})
