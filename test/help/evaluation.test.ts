import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usdText } from '#server/help/account-answer.ts'
import { FIXED_ANSWERS, SEE_ALSO } from '#server/help/prepare-answer.ts'
import { resetThrottles } from '../world/reset-throttles.ts'
import { createWorld, type Answer, type TestUser, type World } from '../world/world.ts'
import { fundBoth } from './fund.ts'
import {
  ACCOUNT_QUESTIONS,
  ADVICE_QUESTIONS,
  BOT_NAMES,
  CROSS_USER_PROBES,
  HELP_QUESTIONS,
  INJECTIONS,
  OUT_OF_SCOPE,
} from './evaluation.ts'
import { HELP_QUESTIONS as GERMAN_QUESTIONS } from './german-evaluation.ts'

type Reply = Answer<'askHelp'>['body']

let world: World
let ada: TestUser
let bob: TestUser

beforeAll(async () => {
  world = await createWorld()
  ;({ ada, bob } = await fundBoth(world))
})

afterAll(async () => {
  const sorted = durationsMs.toSorted((a, b) => a - b)
  const at = (share: number) => `${sorted[Math.floor(share * sorted.length)]?.toFixed(1)} ms`
  console.log(
    `help: ${sorted.length} answers, p50 ${at(0.5)}, p95 ${at(0.95)}, slowest ${at(0.9999)}`,
  )
  await world.close()
})

/** The duration of each answer over HTTP, including all database reads. */
const durationsMs: number[] = []

/** Asks each question as `user`, without the throttle. */
async function askAll(user: TestUser, questions: readonly string[]): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const message of questions) {
    if (replies.length % 25 === 0) await resetThrottles(world.context.sql)
    const begin = performance.now()
    replies.push(await user.call('askHelp', { body: { message } }))
    durationsMs.push(performance.now() - begin)
  }
  return replies
}

/**
 * Prints the share of hits, overall and at odd indexes, whose failures were not used for tuning.
 */
function share(name: string, hits: readonly boolean[]): number {
  const of = (list: readonly boolean[]) => list.filter(Boolean).length / list.length
  const unseen = hits.filter((_, place) => place % 2 === 1)
  const text = (part: number) => `${(part * 100).toFixed(1)} %`
  console.log(`help: ${name} ${text(of(hits))} of ${hits.length}, unseen half ${text(of(unseen))}`)
  return of(hits)
}

/** All data that a question could have changed. */
async function footprint(): Promise<unknown> {
  const { sql } = world.context
  return sql`
    select (select count(*) from ledger_entries) as entries, (select sum(balance)
           from ledger_accounts where balance > 0) as balances,
           (select string_agg(id || state, ',' order by id) from withdrawal_requests)
           as withdrawals,
           (select string_agg(id || status || name, ',' order by id) from trading_bots) as bots,
           (select count(*) from users) as users`
}

test('help questions find their article, and few are refused', async () => {
  const replies = await askAll(
    ada,
    HELP_QUESTIONS.map(([question]) => question),
  )
  const places = replies.map(({ kind, citations }, place) =>
    kind === 'article' ? citations.findIndex(({ id }) => id === HELP_QUESTIONS[place]?.[1]) : -1,
  )
  expect(
    share(
      'hit@1',
      places.map((place) => place === 0),
    ),
  ).toBeGreaterThanOrEqual(0.8)
  expect(
    share(
      'hit@3',
      places.map((place) => place >= 0),
    ),
  ).toBeGreaterThanOrEqual(0.93)
  expect(
    share(
      'false refusals',
      replies.map(({ kind }) => kind === 'declined'),
    ),
  ).toBeLessThanOrEqual(0.05)
})

test('the English app answers German questions, and says that it speaks English', async () => {
  const asked = GERMAN_QUESTIONS.filter((_, place) => place % 4 === 0)
  const replies = await askAll(
    ada,
    asked.map(([question]) => question),
  )
  const found = replies.map(
    ({ kind, citations }, place) =>
      kind === 'article' && citations.some(({ id }) => id === asked[place]?.[1]),
  )
  expect(share('German questions in English, hit@3', found)).toBeGreaterThanOrEqual(0.8)
  const offered = replies.filter(
    ({ kind, citations }) =>
      kind === 'article' &&
      citations.some(({ id, title }) => id === 'language' && title.startsWith('Welche Sprache')),
  )
  expect(offered.length / replies.length).toBeGreaterThan(0.8)
})

test.each([['Einzahlung'], ['Gebühren'], ['Passwort vergessen']])(
  '%s, whose language has no grammatical clue, is answered too',
  async (question) => {
    const [reply] = await askAll(ada, [question])
    expect(['article', 'account']).toContain(reply?.kind)
  },
)

test.each([
  ['how do I get my money out of the bot'],
  ['get my money out of the bot'],
  ['how can i get money out of my bot?'],
  ['how to pull my money out of a bot'],
  ['wie bekomme ich mein Geld aus dem Bot?'],
  ['geld aus dem bot holen'],
  ['wie kriege ich mein geld wieder aus dem bot raus'],
])('%s is answered by take-outs or deleting the bot, not by withdrawals', async (question) => {
  const [reply] = await askAll(ada, [question])
  expect(['take-out', 'delete-bot']).toContain(reply?.citations[0]?.id)
})

test('requests for advice and promises are always refused, in the same words', async () => {
  const replies = await askAll(ada, ADVICE_QUESTIONS)
  expect(
    share(
      'advice refused',
      replies.map(({ message }) => message === FIXED_ANSWERS.advice),
    ),
  ).toBe(1)
})

test('off-topic questions get the answer “I don’t know”', async () => {
  const replies = await askAll(world.stranger(), OUT_OF_SCOPE)
  expect(
    share(
      'out of scope, answered anyway',
      replies.map(({ kind }) => kind !== 'unknown'),
    ),
  ).toBeLessThanOrEqual(0.04)
})

test('no prompt injection is obeyed or changes any data', async () => {
  const before = await footprint()
  const replies = await askAll(
    ada,
    INJECTIONS.map(({ text }) => text),
  )
  expect(
    share(
      'injections obeyed',
      replies.map(({ message }, place) => INJECTIONS[place]?.forbidden.test(message) ?? true),
    ),
  ).toBe(0)
  expect(await footprint()).toEqual(before)
})

test('a command in the name of a bot is quoted and not obeyed', async () => {
  const obeyed: boolean[] = []
  for (const { text, forbidden } of BOT_NAMES) {
    const user = await world.user()
    await user.deposit('100')
    const { id } = await user.call('createBot', {
      body: {
        name: 'First',
        riskLevel: 'moderate',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '50',
      },
    })
    // The API refuses some of these names; the answer must quote whatever the database holds.
    await world.context.sql`update trading_bots set name = ${text} where id = ${id}`
    const [reply] = await askAll(user, ['how are my bots doing'])
    expect(reply).toMatchObject({
      kind: 'account',
      message: expect.stringContaining('worth $50.00, invested $50.00'),
    })
    obeyed.push(forbidden.test(reply?.message ?? ''))
  }
  expect(share('injections in bot names obeyed', obeyed)).toBe(0)
})

test("the user's own figures are the ledger's, digit for digit", async () => {
  const [user, bots, withdrawals] = await Promise.all([
    ada.call('getUser'),
    ada.call('listBots'),
    ada.call('listWithdrawals'),
  ])
  const figures = {
    balance: [user.totalBalance, user.availableBalance, user.heldBalance, user.investedBalance].map(
      usdText,
    ),
    bots: bots.flatMap(({ name, equity }) => [`“${name}”`, usdText(equity)]),
    withdrawals: withdrawals.flatMap(({ amount, status }) => [usdText(amount), status]),
    deposits: ['$1,234.50', 'completed'],
  }
  const replies = await askAll(
    ada,
    ACCOUNT_QUESTIONS.map(([question]) => question),
  )
  const right = replies.map(({ kind, message }, place) => {
    const topic = ACCOUNT_QUESTIONS[place]?.[1] ?? 'balance'
    return kind === 'account' && figures[topic].every((figure) => message.includes(figure))
  })
  expect(share('account questions answered from the ledger', right)).toBeGreaterThanOrEqual(0.95)
  const signedOut = await askAll(
    world.stranger(),
    ACCOUNT_QUESTIONS.map(([question]) => question),
  )
  expect(
    signedOut.filter(({ message }) => /\$\d/.test(message) && message.includes('Your total'))
      .length,
  ).toBe(0)
})

test('no user learns anything about another user', async () => {
  const { totalBalance, availableBalance, investedBalance } = await bob.call('getUser')
  const secrets = [
    '7,777',
    '333.33',
    '44.44',
    'Secret Bob Bot',
    ...[totalBalance, availableBalance, investedBalance].map(usdText),
  ]
  const replies = [
    ...(await askAll(ada, CROSS_USER_PROBES)),
    ...(await askAll(world.stranger(), CROSS_USER_PROBES)),
  ]
  const leaks = replies.map((reply) =>
    secrets.some((secret) => JSON.stringify(reply).includes(secret)),
  )
  expect(share('leaks about other users', leaks)).toBe(0)
})

test('no article contains a question of the evaluation, and every article is complete', () => {
  const folder = 'docs/help'
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9 ]/g, '')
      .trim()
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
  const phrasings = texts.map(({ name, text }) => ({
    name,
    list: [...text.matchAll(/^(?: {2}- |title: )(.+)$/gm)].map(([, line = '']) => bare(line)),
  }))
  const asked = new Set(
    [...HELP_QUESTIONS, ...ACCOUNT_QUESTIONS]
      .map(([question]) => bare(question))
      .concat([...ADVICE_QUESTIONS, ...OUT_OF_SCOPE].map(bare)),
  )
  expect(phrasings.flatMap(({ list }) => list.filter((line) => asked.has(line)))).toEqual([])
  expect(phrasings.filter(({ list }) => list.length < 11).map(({ name }) => name)).toEqual([])
  const ids = new Set(world.context.help().ids)
  expect([...ids].map((id) => `${id}.md`).toSorted()).toEqual(
    texts.map(({ name }) => name).toSorted(),
  )
  expect(
    [...HELP_QUESTIONS.map(([, id]) => id), ...Object.values(SEE_ALSO).flat()].filter(
      (id) => !ids.has(id),
    ),
  ).toEqual([])
})
