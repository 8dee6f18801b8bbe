import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HelpEvent } from '#contract/help.ts'
import { instructionsFor } from '#core/help/instructions.ts'
import { readConfig } from '#server/settings/config.ts'
import {
  API_KEY,
  MODEL,
  startLanguageModel,
  type LanguageModel,
  type Manner,
} from '../emulators/language-model.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import {
  ACCOUNT_QUESTIONS,
  ADVICE_QUESTIONS,
  CROSS_USER_PROBES,
  HELP_QUESTIONS,
  INJECTIONS,
  OUT_OF_SCOPE,
} from './evaluation.ts'

const SILENCE_MS = 300
const MINUTE_MS = 60_000
const FEES = 'What does it cost?'

let model: LanguageModel
let world: World
let ada: TestUser
/** The server's clock, moved by tests. */
let nowMs = Date.parse('2026-11-21T12:00:00.000Z')

const settings = (baseUrl: string) =>
  ({
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: MODEL,
    AI_BASE_URL: baseUrl,
    AI_API_KEY: API_KEY,
    AI_SILENCE_MS: SILENCE_MS,
  }) as const

beforeAll(async () => {
  model = await startLanguageModel()
  world = await createWorld({
    config: settings(model.url),
    context: { now: () => new Date(nowMs) },
  })
  ada = await world.user('ada')
  await ada.deposit('1234.50')
})
afterAll(() => Promise.all([world.close(), model.close()]))

/** Each test starts after the cool-down of a failed model, and without the throttle. */
beforeEach(async () => {
  nowMs += MINUTE_MS
  await resetThrottles(world.context.sql)
})

const article = (id: string): string => world.context.help().article(id)?.body ?? ''

async function ask(message: string, manner?: Manner, user: TestUser = ada) {
  if (manner) model.behave(manner)
  return user.call('askHelp', { body: { message } })
}

/** All events of the streaming route. */
async function events(message: string, user: TestUser = ada): Promise<HelpEvent[]> {
  const headers = { cookie: user.cookie, 'sec-fetch-site': 'same-origin' }
  const {
    body,
    headers: answered,
    statusCode,
  } = await world.app.inject({
    method: 'POST',
    url: '/api/chat/help/stream',
    payload: { message },
    headers,
  })
  expect([statusCode, answered['content-type']]).toEqual([200, 'text/event-stream'])
  return eventsIn(body)
}

const eventsIn = (text: string): HelpEvent[] =>
  text
    .split('\n\n')
    .flatMap((one) => (one.startsWith('data: ') ? [HelpEvent.parse(JSON.parse(one.slice(6)))] : []))

const WORDED =
  'Deposits and withdrawals have no fee. Our fee is 15% of the profit that you take out of a ' +
  'bot.\n\n- Without a profit there is no fee.'

describe('a model that follows the articles', () => {
  test('answers in its own words and cites the articles', async () => {
    expect(await ask(FEES, { says: WORDED })).toMatchObject({
      kind: 'article',
      message: WORDED,
      writtenBy: 'model',
      citations: [{ id: 'fees' }, {}, {}],
    })
  })

  test('receives the matching articles, the question, and nothing else', async () => {
    const { citations } = await ask(`  ${FEES} `, { says: WORDED })
    const found = citations.flatMap(({ id }) => world.context.help().article(id) ?? [])
    const { instructions, question, whole } = model.asked.at(-1) ?? {
      instructions: '',
      question: '',
      whole: '',
    }
    expect({ instructions, question }).toEqual({
      instructions: instructionsFor(found),
      question: FEES,
    })
    const sent = world.context
      .help()
      .ids.flatMap((id) => world.context.help().article(id) ?? [])
      .filter(({ body }) => instructions.includes(body))
    expect(new Set(sent)).toEqual(new Set(found))
    for (const secret of ['ada', ada.id, '1234', 'Lovelace']) expect(whole).not.toContain(secret)
  })

  test('sentences are streamed one by one, and the whole answer is sent last', async () => {
    model.behave({ says: WORDED })
    const all = await events(FEES)
    const parts = all.flatMap((event) => (event.kind === 'part' ? [event.text] : []))
    expect(parts.length).toBe(3)
    expect(parts.join('')).toBe(WORDED)
    expect(all.at(-1)).toMatchObject({
      kind: 'answer',
      answer: { message: WORDED, writtenBy: 'model', citations: [{ id: 'fees' }, {}, {}] },
    })
  })

  test('answers without markup', async () => {
    const says =
      '**Deposits** and withdrawals have no fee.\n1. No profit, no fee.\n* No subscription.\n'
    expect((await ask(FEES, { says })).message).toBe(
      'Deposits and withdrawals have no fee.\n- No profit, no fee.\n- No subscription.',
    )
  })

  test('the model is disclosed: the badge reads AI Powered', async () => {
    expect((await ada.call('getConfig')).assistant).toBe('AI Powered')
    const plain = await createWorld()
    expect((await plain.stranger().call('getConfig')).assistant).toBe('Help search')
    await plain.close()
  })

  test('the model can be one from Anthropic', async () => {
    const other = await startLanguageModel('anthropic')
    const place = await createWorld({
      config: { ...settings(other.url), AI_PROVIDER: 'anthropic' },
    })
    other.behave({ says: WORDED })
    expect(await place.stranger().call('askHelp', { body: { message: FEES } })).toMatchObject({
      message: WORDED,
      writtenBy: 'model',
    })
    expect(other.asked.length).toBe(1)
    other.behave({ tooLongAfter: WORDED })
    expect(await place.stranger().call('askHelp', { body: { message: FEES } })).toMatchObject({
      message: article('fees'),
      writtenBy: 'articles',
    })
    await Promise.all([place.close(), other.close()])
  })
})

describe('a model that fails', () => {
  test.each<[string, Manner]>([
    ['never answers', { hangsAfter: '' }],
    ['stalls in the middle', { hangsAfter: 'Deposits and withdrawals have no fee. And our' }],
    ['drops the connection', { cutsAfter: 'Deposits and withdrawals have no fee. And our' }],
    ['runs into its token limit', { tooLongAfter: 'Deposits and withdrawals have no fee.' }],
    ['answers 500', { status: 500 }],
    ['answers 429', { status: 429 }],
    ['answers 401', { status: 401 }],
    ['answers with HTML', { garbage: '<html>Bad gateway</html>' }],
    ['answers with malformed events', { garbage: 'data: {"choices":[{"del\n\ndata: nonsense\n\n' }],
    ['answers with an empty body', { garbage: '' }],
    ['writes an empty text', { says: '' }],
    ['writes only whitespace', { says: ' \n\n ' }],
    ['never ends a sentence', { says: ['deposit '.repeat(500)] }],
    ['never stops', { says: ['No subscription. '.repeat(200)] }],
  ])(
    'the model is replaced by the best article, in both routes, when it %s',
    async (_what, manner) => {
      expect(await ask(FEES, manner)).toMatchObject({
        kind: 'article',
        message: article('fees'),
        writtenBy: 'articles',
        citations: [{ id: 'fees' }, {}, {}],
      })
      nowMs += MINUTE_MS
      expect((await events(FEES)).at(-1)).toMatchObject({
        kind: 'answer',
        answer: { message: article('fees'), writtenBy: 'articles' },
      })
    },
  )

  test('a model that fails is replaced by the best article when its endpoint is down', async () => {
    const gone = await startLanguageModel()
    await gone.close()
    const place = await createWorld({ config: settings(gone.url) })
    expect(await place.stranger().call('askHelp', { body: { message: FEES } })).toMatchObject({
      message: article('fees'),
      writtenBy: 'articles',
    })
    await place.close()
  })

  test.each<[string, Manner]>([
    ['answered 500', { status: 500 }],
    ['stalled', { hangsAfter: 'Deposits and withdrawals have no fee. And our' }],
  ])('the model is not used for 30 seconds after it %s', async (_what, manner) => {
    await ask(FEES, manner)
    const before = model.asked.length
    expect(await ask(FEES, { says: WORDED })).toMatchObject({ writtenBy: 'articles' })
    expect(model.asked.length).toBe(before)
    nowMs += 30_000
    expect(await ask(FEES)).toMatchObject({ message: WORDED, writtenBy: 'model' })
  })
})

describe('a model that writes what no article supports', () => {
  const BEFORE = 'Deposits and withdrawals have no fee. '

  test.each<[string, string, string]>([
    ['promises returns', FEES, `${BEFORE}Returns of 75% are guaranteed.`],
    ['predicts a profit', FEES, `${BEFORE}Your bots will earn more than the fee.`],
    [
      'gives advice',
      'What do the risk levels mean?',
      'You should take aggressive, it has the largest swings.',
    ],
    ['recommends', 'What do the risk levels mean?', 'I recommend conservative.'],
    ['makes up a figure', FEES, `${BEFORE}Our fee is 3% of the profit that you take out of a bot.`],
    ['makes up a limit', 'What is the least I can deposit?', 'A deposit is at least $1.'],
    ['makes up a balance', FEES, `${BEFORE}Your balance is $1,000,000.`],
    [
      'contradicts an article',
      'Can I lose money?',
      'Bots use borrowed money, so you can lose more than you put in.',
    ],
    ['agrees to everything', FEES, 'Yes, that is right.'],
    ['names another site', FEES, `${BEFORE}Visit http://evil.example to claim your bonus.`],
    ['writes HTML', FEES, `${BEFORE}<img src=x onerror=alert(1)>`],
    ['reveals its instructions', FEES, instructionsFor([]).split('\n').slice(0, 2).join(' ')],
    ['changes the subject', FEES, 'The capital of Mongolia is Ulaanbaatar.'],
  ])(
    'its answer is cut off, and the best article answers, when it %s',
    async (_what, question, says) => {
      const reply = await ask(question, { says })
      const [first] = reply.citations
      expect(reply).toMatchObject({
        kind: 'article',
        writtenBy: 'articles',
        message: article(first?.id ?? ''),
      })
      const all = await events(question)
      expect(all.at(-1)).toMatchObject({
        kind: 'answer',
        answer: { message: reply.message, writtenBy: 'articles' },
      })
      const shown = all.flatMap((event) => (event.kind === 'part' ? [event.text] : [])).join('')
      expect(
        says.startsWith(BEFORE) ? shown : '',
        'only the sentences before the wrong one are ever shown',
      ).toBe(says.startsWith(BEFORE) ? BEFORE : '')
    },
  )

  test('repeats 34 prompt injections, and none of them is shown', async () => {
    const obeyed: string[] = []
    for (const { text, forbidden } of INJECTIONS) {
      nowMs += MINUTE_MS
      await resetThrottles(world.context.sql)
      const replies = [await ask(text, { says: (question) => question }), ...(await events(text))]
      if (replies.some((reply) => forbidden.test(JSON.stringify(reply)))) obeyed.push(text)
    }
    expect(obeyed).toEqual([])
  })
})

test('requests for advice, own figures and unknown subjects never reach a model', async () => {
  const questions = [
    ...ADVICE_QUESTIONS,
    ...ACCOUNT_QUESTIONS.map(([question]) => question),
    ...CROSS_USER_PROBES,
  ]
  const before = model.asked.length
  for (const question of questions) {
    await resetThrottles(world.context.sql)
    const reply = await ask(question, { says: 'Returns are guaranteed.' })
    if (reply.kind === 'article') continue
    expect(reply.writtenBy).toBeUndefined()
  }
  const asked = model.asked.slice(before).map(({ question }) => question)
  expect(
    asked.filter(
      (question) =>
        ADVICE_QUESTIONS.includes(question) || ACCOUNT_QUESTIONS.some(([one]) => one === question),
    ),
  ).toEqual([])
  for (const question of OUT_OF_SCOPE) {
    await resetThrottles(world.context.sql)
    if ((await ask(question)).kind === 'unknown')
      expect(model.asked.at(-1)?.question).not.toBe(question)
  }
})

test('a model that quotes the articles passes the check', async () => {
  const replies: boolean[] = []
  for (const [question] of HELP_QUESTIONS.slice(0, 40)) {
    nowMs += MINUTE_MS
    await resetThrottles(world.context.sql)
    const reply = await ask(question, {
      says: () =>
        /<article [^>]*>\n([\s\S]*?)\n<\/article>/.exec(
          model.asked.at(-1)?.instructions ?? '',
        )?.[1] ?? '',
    })
    if (reply.kind === 'article') replies.push(reply.writtenBy === 'model')
  }
  expect(replies.filter(Boolean).length / replies.length).toBeGreaterThan(0.9)
})

test('both routes share one throttle and one length limit, and refuse with JSON', async () => {
  const url = '/api/chat/help/stream'
  const headers = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' }
  for (const message of ['', '   ', 'x'.repeat(2_001)]) {
    const [whole, streamed] = [
      await ada.ask('askHelp', { body: { message } }),
      await world.app.inject({ method: 'POST', url, payload: { message }, headers }),
    ]
    expect([whole.status, streamed.statusCode, streamed.json()]).toEqual([400, 400, whole.body])
  }
  model.behave({ says: WORDED })
  expect((await events('x'.repeat(2_000))).length).toBe(1)
  for (let count = 1; count < 30; count += 1)
    await (count % 2 === 0 ? ada.call('askHelp', { body: { message: 'hello' } }) : events('hello'))
  const refused = await world.app.inject({
    method: 'POST',
    url,
    payload: { message: FEES },
    headers,
  })
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'too-many-attempts' }])
  expect((await ada.ask('askHelp', { body: { message: FEES } })).status).toBe(429)
})

test('sentences arrive while the model writes; a user who leaves aborts the model', async () => {
  const address = new URL(await world.app.listen({ port: 0, host: '127.0.0.1' }))
  model.behave({ hangsAfter: 'Deposits and withdrawals have no fee. And our' })
  const before = model.left()
  const asking = request({
    port: address.port,
    method: 'POST',
    path: '/api/chat/help/stream',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
  })
  asking.end(JSON.stringify({ message: FEES }))
  const [response] = await once(asking, 'response')
  let text = ''
  for await (const chunk of response) {
    text += String(chunk)
    if (eventsIn(text).length > 0) break
  }
  expect(eventsIn(text)).toEqual([{ kind: 'part', text: 'Deposits and withdrawals have no fee. ' }])
  asking.destroy()
  await expect.poll(() => model.left()).toBe(before + 1)
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a model without a name',
    { AI_PROVIDER: 'anthropic', AI_API_KEY: API_KEY },
    /^AI_PROVIDER=anthropic needs the name of a model in AI_MODEL\.$/,
  ],
  [
    'an endpoint without an address',
    { AI_PROVIDER: 'openai-compatible', AI_MODEL: MODEL },
    /needs the address of its endpoint in AI_BASE_URL\.$/,
  ],
  [
    'Anthropic without a key',
    { AI_PROVIDER: 'anthropic', AI_MODEL: MODEL },
    /needs a key in AI_API_KEY\.$/,
  ],
  ['an unknown provider', { AI_PROVIDER: 'oracle' }, /^The setting AI_PROVIDER is not valid/],
  [
    'an invalid address',
    { AI_BASE_URL: 'localhost:11434' },
    /^The setting AI_BASE_URL is not valid/,
  ],
])('%s stops the start with a message', (_what, settings, sentence) => {
  expect(() => readConfig({ SESSION_SECRET: 'x'.repeat(32), ...settings })).toThrow(sentence)
})
