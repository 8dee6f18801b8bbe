import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HelpAnswer } from '#contract/help.ts'
import {
  API_KEY,
  MODEL,
  startLanguageModel,
  type LanguageModel,
} from '../emulators/language-model.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { createWorld, type World } from '../world/world.ts'

let model: LanguageModel
let world: World

beforeAll(async () => {
  model = await startLanguageModel()
  world = await createWorld({
    config: {
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: MODEL,
      AI_BASE_URL: model.url,
      AI_API_KEY: API_KEY,
      AI_SILENCE_MS: 300,
    },
  })
})
afterAll(() => Promise.all([world.close(), model.close()]))

async function ask(message: string): Promise<HelpAnswer> {
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'de' }
  return (
    await world.app.inject({ method: 'POST', url: '/api/chat/help', payload: { message }, headers })
  ).json<HelpAnswer>()
}

const WORDED =
  'Ein- und Auszahlungen haben keine Gebühr. Unsere Gebühr beträgt 15 % des Gewinns, den du ' +
  'aus einem Bot entnimmst.'

test('a model is instructed to answer in German, from the German articles', async () => {
  model.behave({ says: WORDED })
  expect(await ask('was kostet es?')).toMatchObject({
    message: WORDED,
    writtenBy: 'model',
    citations: [{ id: 'fees' }, {}, {}],
  })
  const { instructions } = model.asked.at(-1) ?? { instructions: '' }
  expect(instructions).toContain('in plain German that calls the reader "du"')
  expect(instructions).toContain('<article title="Was kostet das?">')
})

test('the stream of a German reader is checked and ends in German', async () => {
  model.behave({ says: WORDED })
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'de' }
  const { body } = await world.app.inject({
    method: 'POST',
    url: '/api/chat/help/stream',
    payload: { message: 'was kostet es?' },
    headers,
  })
  expect(body).toContain('"writtenBy":"model"')
  expect(body).toContain('Was kostet das?')
})

test.each([
  ['promises a profit', 'Dein Bot wird sicher Gewinn machen.'],
  ['makes up a figure', 'Unsere Gebühr beträgt 3 % des Gewinns, den du entnimmst.'],
  ['answers in another language', 'Deposits and withdrawals have no fee.'],
])('the German article answers when a model %s', async (_what, says) => {
  model.behave({ says })
  const { message, writtenBy } = await ask('was kostet es?')
  expect(writtenBy).toBe('articles')
  expect(message).toContain('Ein- und Auszahlungen: keine Gebühr.')
  await resetThrottles(world.context.sql)
})
