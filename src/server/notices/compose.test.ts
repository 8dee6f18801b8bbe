import { expect, test } from 'vitest'
import { sentence } from '#core/sentences.ts'
import { composePush, composeWebhook } from './compose.ts'
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

const why = sentence('keepsPart', { percent: '60%' })
const FIRST_TRADE = {
  ...DELIVERY,
  kind: 'first-trade' as const,
  details: { bot: 'Steady', botId: '7', worth: '499.62', result: '-0.38', why },
}

test.each([
  ['en', false, 'Steady made its first trade. 60% is kept in coins, the rest in cash'],
  [
    'en',
    true,
    'Steady made its first trade. After it: $499.62, \u2212$0.38 since the start. ' +
      '60% is kept in coins, the rest in cash',
  ],
  [
    'de',
    true,
    'Steady hat zum ersten Mal gehandelt. Danach: 499,62\u00a0$, \u22120,38\u00a0$ ' +
      'seit dem Start. 60\u00a0% bleiben in Coins, der Rest in Guthaben',
  ],
] as const)(
  'a first trade in %s, with amounts: %s, gives its reason',
  (language, pushAmounts, text) =>
    expect(JSON.parse(composePush({ ...FIRST_TRADE, language, pushAmounts }))).toMatchObject({
      text,
      path: '/bot-config/7',
    }),
)

test("a webhook gets the figures and the reason of a first trade in its owner's language", () =>
  expect(JSON.parse(composeWebhook({ ...FIRST_TRADE, language: 'de' })).data).toEqual({
    title: 'Erster Trade',
    ...FIRST_TRADE.details,
    why: '60\u00a0% bleiben in Coins, der Rest in Guthaben',
  }))
