import { expect, test } from 'vitest'
import { PAIRS } from '#core/market/pair.ts'
import { readConfig } from '#server/settings/config.ts'
import { openLibrary } from '#server/help/library.ts'
import { config, costs, FACTS, WAITING, wordOf } from './facts.ts'
import { NO_EVIDENCE } from './no-evidence.ts'

const library = openLibrary(config, { costs, evidence: NO_EVIDENCE })()

test('the articles contain at least a hundred checked facts', () => {
  expect(FACTS.length).toBeGreaterThanOrEqual(100)
})

test('every fact in an article is filled in', () => {
  const articles = library.ids.flatMap((id) => library.article(id) ?? [])
  expect(articles.length).toBeGreaterThan(70)
  expect(
    [...articles, ...library.outside.values()]
      .filter(({ body }) => /[{}]/.test(body))
      .map(({ id }) => id),
  ).toEqual([])
})

test.each(FACTS)('%s states "%s", as in the code', (id, statement) => {
  expect(library.article(id)?.body).toContain(statement)
})

test('pages about missing features state the right number of pairs', () => {
  expect(library.outside.get('other-products')?.body).toContain(`${wordOf(PAIRS.length)} pairs`)
})

test('with other settings the articles state those', () => {
  const settings = {
    WITHDRAWAL_HOLD_HOURS: '36',
    DEPOSIT_HOLD_HOURS: '96',
    SESSION_DAYS: '9',
    SESSION_IDLE_DAYS: '4',
    DEPOSIT_MINIMUM: '25',
    PASSWORD_MINIMUM: '11',
  }
  const other = openLibrary(readConfig({ SESSION_SECRET: 'x'.repeat(32), ...settings }), {
    costs,
    evidence: NO_EVIDENCE,
  })()
  const waiting = Object.fromEntries(
    WAITING.map((id) => [id, ['no withdrawal is sent for 36 hours']]),
  )
  const stated = {
    ...waiting,
    'withdraw-limits': ['no withdrawal is sent for 36 hours', '96 hours'],
    sessions: ['9 days', '4 days'],
    'deposit-limits': ['$25'],
    'create-account': ['at least 11'],
  }
  for (const [id, statements] of Object.entries(stated))
    for (const statement of statements) expect(other.article(id)?.body).toContain(statement)
})
