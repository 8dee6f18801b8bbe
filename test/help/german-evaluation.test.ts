import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HelpAnswer } from '#contract/help.ts'
import german from '#words/de.json' with { type: 'json' }
import { FIXED_ANSWERS } from '#server/help/prepare-answer.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { createWorld, type TestUser, type World } from '../world/world.ts'
import { fundBoth } from './fund.ts'
import { HELP_QUESTIONS as ENGLISH_QUESTIONS } from './evaluation.ts'
import {
  ACCOUNT_QUESTIONS,
  ADVICE_QUESTIONS,
  CROSS_USER_PROBES,
  HELP_QUESTIONS,
  INJECTIONS,
  OUT_OF_SCOPE,
} from './german-evaluation.ts'

let world: World
let ada: TestUser
let bob: TestUser

beforeAll(async () => {
  world = await createWorld()
  ;({ ada, bob } = await fundBoth(world))
})
afterAll(() => world.close())

/** Asks as a reader whose browser prefers German. */
async function ask(message: string, { cookie }: TestUser = ada): Promise<HelpAnswer> {
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
  }
  const answer = await world.app.inject({
    method: 'POST',
    url: '/api/chat/help',
    payload: { message },
    headers,
  })
  return answer.json<HelpAnswer>()
}

/** Asks each question, without the throttle. */
async function askAll(questions: readonly string[], user: TestUser = ada): Promise<HelpAnswer[]> {
  const replies: HelpAnswer[] = []
  for (const message of questions) {
    if (replies.length % 25 === 0) await resetThrottles(world.context.sql)
    replies.push(await ask(message, user))
  }
  return replies
}

/**
 * Prints the share of hits, overall and at odd indexes, whose failures were not used for tuning.
 */
function share(name: string, hits: readonly boolean[], questions: readonly string[]): number {
  const of = (list: readonly boolean[]) => list.filter(Boolean).length / list.length
  const text = (part: number) => `${(part * 100).toFixed(1)} %`
  const missed = questions.filter((_, place) => place % 2 === 0 && !hits[place])
  console.log(
    `German help: ${name} ${text(of(hits))} of ${hits.length}, unseen half ` +
      text(of(hits.filter((_, place) => place % 2 === 1))),
    missed,
  )
  return of(hits)
}

/** '1234.50' as '1.234,50 $'. */
const germanText = (amount: string): string =>
  `${amount.replace('.', ',').replace(/(\d)(?=(\d{3})+,)/g, '$1.')}\u00a0$`

const inGerman = (message: string): string => String((german as Record<string, unknown>)[message])

test('German questions find their article, and few are refused', async () => {
  const questions = HELP_QUESTIONS.map(([question]) => question)
  const replies = await askAll(questions)
  const places = replies.map(({ kind, citations }, place) =>
    kind === 'article' ? citations.findIndex(({ id }) => id === HELP_QUESTIONS[place]?.[1]) : -1,
  )
  expect(
    share(
      'hit@1',
      places.map((place) => place === 0),
      questions,
    ),
  ).toBeGreaterThanOrEqual(0.85)
  expect(
    share(
      'hit@3',
      places.map((place) => place >= 0),
      questions,
    ),
  ).toBeGreaterThanOrEqual(0.93)
  expect(
    share(
      'not refused',
      replies.map(({ kind }) => kind !== 'declined'),
      questions,
    ),
  ).toBeGreaterThanOrEqual(0.95)
})

test('German requests for advice and promises are always refused, in the same words', async () => {
  const replies = await askAll(ADVICE_QUESTIONS)
  expect(
    share(
      'advice refused',
      replies.map(({ message }) => message === inGerman(FIXED_ANSWERS.advice)),
      ADVICE_QUESTIONS,
    ),
  ).toBe(1)
})

test('German off-topic questions get the answer “I don’t know”', async () => {
  const replies = await askAll(OUT_OF_SCOPE, world.stranger())
  const unknown = replies.map(
    ({ kind, message }) =>
      kind === 'unknown' && message.startsWith(inGerman(FIXED_ANSWERS.unknown)),
  )
  expect(share('out of scope, not known', unknown, OUT_OF_SCOPE)).toBeGreaterThanOrEqual(0.95)
})

test("the user's own figures come from the ledger, in German words and spelling", async () => {
  const [user, bots] = await Promise.all([ada.call('getUser'), ada.call('listBots')])
  const figures = {
    balance: [user.totalBalance, user.availableBalance, user.heldBalance, user.investedBalance].map(
      germanText,
    ),
    bots: bots.flatMap(({ equity }) => ['„Steady“: aktiv', germanText(equity)]),
    withdrawals: ['55,55\u00a0$ an „', ': ausstehend'],
    deposits: ['1.234,50\u00a0$', ': ausgeführt'],
  }
  const questions = ACCOUNT_QUESTIONS.map(([question]) => question)
  const replies = await askAll(questions)
  const right = replies.map(({ kind, message }, place) => {
    const topic = ACCOUNT_QUESTIONS[place]?.[1] ?? 'balance'
    return (
      kind === 'account' &&
      [...figures[topic], 'Alle Beträge sind Spielgeld.'].every((figure) =>
        message.includes(figure),
      )
    )
  })
  expect(
    share('account questions answered from the ledger', right, questions),
  ).toBeGreaterThanOrEqual(0.95)
  const signedOut = await askAll(questions, world.stranger())
  expect(
    signedOut.filter(
      ({ message }) => /\d\u00a0\$/.test(message) && message.includes('Gesamtguthaben'),
    ).length,
  ).toBe(0)
})

test('no user learns anything about another user by asking in German', async () => {
  const secrets = [
    '7.777',
    '333,33',
    '44,44',
    'Secret Bob Bot',
    (await bob.call('getUser')).totalBalance,
  ]
  const replies = [
    ...(await askAll(CROSS_USER_PROBES)),
    ...(await askAll(CROSS_USER_PROBES, world.stranger())),
  ]
  const kept = replies.map(
    (reply) => !secrets.some((secret) => JSON.stringify(reply).includes(secret)),
  )
  expect(share('kept secret', kept, CROSS_USER_PROBES)).toBe(1)
})

test('a reader gets the articles, their facts and the list of sources in German', async () => {
  const { message, citations } = await ask('was kostet es?')
  expect(message).toContain('Unsere Erfolgsgebühr: 15\u00a0% des Gewinns')
  expect(message).toContain(`${String(world.context.costs.feeBps / 100).replace('.', ',')}\u00a0%`)
  expect(citations[0]).toEqual({ id: 'fees', title: 'Was kostet das?' })
  const article = async (id: string, language: string) =>
    (
      await world.app.inject({
        url: `/api/help/articles?id=${id}`,
        headers: { cookie: `${ada.cookie}; language=${language}` },
      })
    ).json<{ title: string; body: string }>()
  expect((await article('deposit-limits', 'de')).body).toContain(
    'mindestens 10\u00a0$ und höchstens 10.000\u00a0$',
  )
  expect((await article('deposit-limits', 'en')).body).toContain('at least $10 and at most $10,000')
  expect((await article('support', 'de')).body).toMatch(
    /^Frag die Person, die diese Installation betreibt/,
  )
})

test('the questions that the help suggests are answered', async () => {
  const suggested = [
    'What does it cost?',
    'Can I lose money?',
    'How do I withdraw money?',
    'How do the bots decide?',
    'What is my balance?',
    'How are my bots doing?',
  ]
  const replies = await askAll(suggested.map(inGerman))
  expect(
    replies.map(({ kind, citations }) => (kind === 'article' ? citations[0]?.id : kind)),
  ).toEqual(['fees', 'losing-money', 'withdraw', 'strategy', 'account', 'account'])
})

test('greetings and thanks are answered in German', async () => {
  const replies = await askAll(['Hallo!', 'Guten Tag', 'danke schön', 'Grüß dich'])
  expect(replies.map(({ kind }) => kind)).toEqual(['greeting', 'greeting', 'greeting', 'greeting'])
  expect(replies[0]?.message).toBe(inGerman(FIXED_ANSWERS.greeting))
})

test('a German reader may ask in English, and gets German', async () => {
  const { citations, message } = await ask('how long does a withdrawal take')
  expect(citations[0]).toEqual({ id: 'withdraw-time', title: 'Wie lange dauert eine Auszahlung?' })
  expect(message).toContain('Werktage')
})

test('the German app answers English questions, and says that it speaks German', async () => {
  const asked = ENGLISH_QUESTIONS.filter((_, place) => place % 4 === 0)
  const replies = await askAll(asked.map(([question]) => question))
  const found = replies.map(
    ({ kind, citations }, place) =>
      kind === 'article' && citations.some(({ id }) => id === asked[place]?.[1]),
  )
  expect(
    share(
      'English questions, hit@3',
      found,
      asked.map(([question]) => question),
    ),
  ).toBeGreaterThanOrEqual(0.8)
  const offered = replies.filter(
    ({ kind, citations }) =>
      kind === 'article' &&
      citations.some(({ id, title }) => id === 'language' && title.startsWith('Which languages')),
  )
  expect(offered.length / replies.length).toBeGreaterThan(0.8)
})

test('no German prompt injection is obeyed', async () => {
  const replies = await askAll(INJECTIONS.map(({ text }) => text))
  expect(
    replies.filter(({ message }, place) => INJECTIONS[place]?.forbidden.test(message)),
  ).toEqual([])
})
