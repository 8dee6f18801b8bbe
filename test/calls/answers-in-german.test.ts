import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRisingWorld, fillSmallBook } from '../world/small-book.ts'
import type { TestUser, World } from '../world/world.ts'

let world: World
let ada: TestUser
let bot: { id: string; name: string }

beforeAll(async () => {
  world = await createRisingWorld()
  ada = (await fillSmallBook(world)).ada
  const [first] = await ada.call('listBots')
  if (first) bot = first
})
afterAll(() => world.close())

type Question = Pick<InjectOptions, 'method' | 'url' | 'payload' | 'headers'>

async function answerIn(
  language: 'en' | 'de',
  { headers, ...question }: Question,
): Promise<unknown> {
  const known = { 'sec-fetch-site': 'same-origin', cookie: ada.cookie, 'accept-language': language }
  return (await world.app.inject({ ...question, headers: { ...known, ...headers } })).json()
}

/**
 * Everything in an answer that people may read: texts with a blank, and labels with a capital
 * letter.
 */
function textsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return /^[A-Z][a-z]+$|[a-z]{2,} \S/.test(answer) ? [answer] : []
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(textsIn) : []
}

/** Codes, which the app translates. */
const CODES = ['Help search', 'All']

async function englishLeft(question: Question): Promise<{ texts: number; left: string[] }> {
  const [english, german] = [
    textsIn(await answerIn('en', question)),
    textsIn(await answerIn('de', question)),
  ]
  return {
    texts: english.length,
    left: english.filter((text) => german.includes(text) && !CODES.includes(text)),
  }
}

test.each<[asked: string, question: () => Question]>([
  ['the configuration', () => ({ url: '/api/config' })],
  ['the evidence', () => ({ url: '/api/evidence' })],
  ['the summary of the evidence', () => ({ url: '/api/evidence/summary' })],
  ['the track record', () => ({ url: '/api/track-record' })],
  ['the sample bot', () => ({ url: '/api/sample-bot' })],
  ['the history', () => ({ url: '/api/transactions' })],
  ['the curve of the balance', () => ({ url: '/api/portfolio/curve?range=All' })],
  ['a bot', () => ({ url: `/api/trading-bots/${bot.id}/performance` })],
  ["a bot's trades", () => ({ url: `/api/trading-bots/${bot.id}/trades` })],
  ['a comparison', () => ({ url: `/api/trading-bots/${bot.id}/comparison?with=aggressive` })],
  ['a market', () => ({ url: '/api/markets/BTC-USDT' })],
  ['the sessions', () => ({ url: '/api/auth/sessions' })],
  ['a simulation', () => ({ method: 'POST', url: `/api/simulate-bot-trade/${bot.id}` })],
  ['a page that does not exist', () => ({ url: '/api/nowhere' })],
  [
    'no JSON',
    () => ({
      method: 'POST',
      url: '/api/trading-bots',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    }),
  ],
  [
    'another type',
    () => ({
      method: 'POST',
      url: '/api/trading-bots',
      payload: 'x',
      headers: { 'content-type': 'text/csv' },
    }),
  ],
  [
    'too much',
    () => ({ method: 'POST', url: '/api/trading-bots', payload: { name: 'x'.repeat(70_000) } }),
  ],
  [
    'another site',
    () => ({
      method: 'POST',
      url: '/api/trading-bots',
      payload: {},
      headers: { 'sec-fetch-site': 'cross-site' },
    }),
  ],
  [
    'an unknown field',
    () => ({
      method: 'POST',
      url: '/api/trading-bots',
      payload: {
        name: 'x',
        riskLevel: 'moderate',
        tradingPairs: [],
        investmentAmount: '5',
        admin: 1,
      },
    }),
  ],
  [
    'a short password',
    () => ({
      method: 'POST',
      url: '/api/auth/signup',
      payload: { username: 'grace', password: 'x', firstName: 'G', lastName: 'H' },
    }),
  ],
  [
    'a long name',
    () => ({
      method: 'PATCH',
      url: `/api/trading-bots/${bot.id}`,
      payload: { name: 'x'.repeat(51) },
    }),
  ],
  [
    'an invisible name',
    () => ({ method: 'PATCH', url: `/api/trading-bots/${bot.id}`, payload: { name: 'x\u202ey' } }),
  ],
  [
    'no percentage',
    () => ({
      method: 'POST',
      url: `/api/trading-bots/${bot.id}/take-out`,
      payload: { percent: 0 },
      headers: { 'idempotency-key': 'k' },
    }),
  ],
  ['no question', () => ({ method: 'POST', url: '/api/chat/help', payload: { message: ' ' } })],
  [
    'a long key',
    () => ({
      method: 'POST',
      url: `/api/trading-bots/${bot.id}/take-out`,
      payload: { percent: 10 },
      headers: { 'idempotency-key': 'k'.repeat(201) },
    }),
  ],
  ['no name', () => ({ method: 'POST', url: '/api/trading-bots', payload: {} })],
  ['a wrong chain', () => ({ url: '/api/crypto-wallets/nonce?chainId=x' })],
])('for a German reader, %s contains no English', async (_asked, question) => {
  const { texts, left } = await englishLeft(question())
  expect(texts).toBeGreaterThan(0)
  expect(left).toEqual([])
})

test('a receipt of a trade is in German', async () => {
  const { items } = await ada.call('listTransactions', { query: { type: 'trade' } })
  const { texts, left } = await englishLeft({ url: `/api/transactions/${items[0]?.id}` })
  expect(texts).toBeGreaterThan(0)
  expect(left).toEqual([])
})

test('the history is searched in the words of both languages', async () => {
  const found = async (q: string) =>
    (
      (await answerIn('de', { url: `/api/transactions?q=${encodeURIComponent(q)}` })) as {
        items: { description: string }[]
      }
    ).items.map(({ description }) => description)
  expect(await found('einzahlung per')).toEqual(['Einzahlung per Karte', 'Einzahlung per Karte'])
  expect(await found('card deposit')).toEqual(['Einzahlung per Karte', 'Einzahlung per Karte'])
  expect((await found('gekauft btc kept'))[0]).toBe('BTC gekauft · kept')
})

test('answers that are cached between requests are cached per language', async () => {
  const kept = async (language: 'en' | 'de') =>
    ((await answerIn(language, { url: '/api/sample-bot' })) as { feedLabel: string }).feedLabel
  expect([await kept('en'), await kept('de'), await kept('en')]).toEqual([
    'Recorded market',
    'Aufgezeichneter Markt',
    'Recorded market',
  ])
})
