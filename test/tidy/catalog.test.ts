import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AHEAD } from '#core/forecast/rows.ts'
import { groupBy } from '#core/group-by.ts'
import { englishText } from '#words/words.ts'
import german from '#words/de.json' with { type: 'json' }
import { LINK_HOURS } from '#server/notices/link.ts'
import { ARROW, messagesOf, slotsOf } from './catalog.ts'
import { parse, readSources } from './source.ts'
import { pattern } from '../world/pattern.ts'

const messages = [...new Set(readSources().flatMap(messagesOf))].toSorted()
const translations = Object.entries(german as Record<string, string | Record<string, string>>)

test('messages are found wherever they are in the code', () => {
  const text = `const a = t('One {name}', { name: say('Two') })
    const b = <Trans message="Three <b>four</b>" b={(c) => <b>{c}</b>} />
    const c = tCount(n, { one: 'a trade', other: '{count} trades' })
    const d = { title: msg('Five') }; const e = t(isLive ? 'Six' : 'Seven'); pay('Eight')
    const f = t('Nine ' + 'and ' + 'ten')`
  expect(messagesOf(parse({ path: 'src/app/a.tsx', text }))).toEqual([
    'One {name}',
    'Two',
    'Three <b>four</b>',
    '{count} trades',
    'Five',
    'Six',
    'Seven',
    'Nine and ten',
  ])
})

test('the German catalog has exactly the messages of the product: npm run words', () => {
  expect(translations.map(([message]) => message)).toEqual(messages)
  expect(translations.filter(([, text]) => text === '').map(([message]) => message)).toEqual([])
})

test('each translation has the names and tags of its message', () => {
  const wrong = translations.filter(([message, translation]) =>
    textsOf(translation).some(
      (text) => !same(slotsOf(text), slotsOf(message), typeof translation !== 'string'),
    ),
  )
  expect(wrong).toEqual([])
})

test('a meaning is given only if one English text has several translations', () => {
  const meanings = groupBy(translations, ([message]) => englishText(message))
  const named = [...meanings.values()].filter((list) =>
    list.some(([message]) => message !== englishText(message)),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(
    named.filter(
      (list) => new Set(list.map(([, text]) => text)).size !== list.length || list.length === 1,
    ),
  ).toEqual([])
})

test('German texts have German formats of amounts, percents and thousands', () => {
  const misspelled = /[$€]\s?\d|[\d}] ?[%$](?<!\u00A0[%$])|\d,\d{3}(?!\d)|\d\.\d{1,2}(?!\d)/
  expect(['10 %', '{percent}%', '$5', '1,000', '12.5'].every((text) => misspelled.test(text))).toBe(
    true,
  )
  expect(
    translations
      .flatMap(([, translation]) => textsOf(translation))
      .filter((text) => misspelled.test(text)),
  ).toEqual([])
})

test('German texts name our fee on profit an Erfolgsgebühr; questions may differ', () => {
  const texts = [
    ...translations.flatMap(([, translation]) => textsOf(translation)),
    ...articlesIn('docs/help/de'),
  ]
  expect(texts.some((text) => text.includes('Erfolgsgebühr'))).toBe(true)
  expect(
    texts.flatMap(
      (text) => text.match(/\S*beteiligung\S*|\S*Gewinngebühr\S*|Performance.Fee/gi) ?? [],
    ),
  ).toEqual([])
})

test('an ellipsis is one character, except in texts of the specification', () => {
  expect(messages.filter((message) => message.includes('...'))).toEqual([
    'AI is thinking...',
    'Creating Account...',
    'Creating...',
    'Getting verification...',
    'Installing App...',
    'Signing in...',
    'Signing out...',
    'Verifying ownership...',
    'You are logged out. Logging in again...',
  ])
})

test('no sentence of a message has 20 words or more', () => {
  const isLong = (sentence: string) => sentence.split(/\s+/).length >= 20
  expect([isLong('a '.repeat(20).trim()), isLong('a '.repeat(19).trim())]).toEqual([true, false])
  expect(messages.flatMap((message) => message.split(/(?<=[.!?])\s+/)).filter(isLong)).toEqual([])
})

test('German texts have one word for each of these terms; questions may differ', () => {
  const other = /Bargeld|Mischung|Preis|Wiederherstellungscode/
  const texts = translations.flatMap(([, translation]) => textsOf(translation))
  expect([...texts, ...articlesIn('docs/help/de')].filter((text) => other.test(text))).toEqual([])
})

test('in German, frozen accounts are "eingefroren" and locked ones "gesperrt"', () => {
  const wrong = (english: string, translation: string) =>
    (/\b(un)?fro(ze|zen)\b|\b(un)?freez/i.test(english) ? /sperr/i : /eingefr|einfrier/i).test(
      translation,
    )
  expect([
    wrong('Account frozen', 'Konto gesperrt'),
    wrong('Account locked', 'Konto eingefroren'),
    wrong('Account frozen', 'Konto eingefroren'),
  ]).toEqual([true, true, false])
  expect(
    translations.filter(([english, translation]) =>
      textsOf(translation).some((text) => wrong(english, text)),
    ),
  ).toEqual([])
})

test('no text for users, in a catalog or an article of the help, has a shell command', () => {
  const command = pattern(
    /\b(npm|npx|node|docker|git|sudo|curl|psql)/,
    / (run|start|exec|ci|install|compose|-\S|\S+\.(ts|js|mjs))/,
    /|\bops --|(^|\s)--? ?[a-z]+=|\.env\b/,
  )
  expect(
    ['npm run ops -- mail', 'docker compose up', 'node src/server/main.ts', 'edit .env'].every(
      (text) => command.test(text),
    ),
  ).toBe(true)
  const texts = [
    ...translations.flatMap(([message, translation]) => [message, ...textsOf(translation)]),
    ...articlesIn('docs/help'),
  ]
  expect(texts.filter((text) => command.test(text)).map((text) => text.slice(0, 200))).toEqual([])
})

test('no text for users, in a catalog or an article of the help, has an arrow', () => {
  expect(['1 → 2', 'up ↑', 'A ⟶ B', 'a => b', 'a -> b'].every((text) => ARROW.test(text))).toBe(
    true,
  )
  const texts = [
    ...translations.flatMap(([message, translation]) => [message, ...textsOf(translation)]),
    ...articlesIn('docs/help'),
  ]
  expect(texts.filter((text) => ARROW.test(text)).map((text) => text.slice(0, 200))).toEqual([])
})

/** Figures of texts and the constants behind them, which no setting changes. */
const FIXED_FIGURES: Record<string, unknown> = {
  'Open this link within 24 hours to verify this address for your account at Trading Bot:':
    LINK_HOURS.verify,
  'Next 24 h': AHEAD,
  'Next 24 h (market time)': AHEAD,
}
/**
 * Texts whose figures no setting changes: names such as 'past 24 h', the description of a picture,
 * a legal term, and limits that core and contract check.
 */
const NAMES = pattern(
  /Maximum within 24 hours|these 24 hours|past 24 h|^24 h|over 19 days/,
  /|30 days|90 days|worth of at least \$1\.|amount of at least \$10\./,
  /|50 characters|2,000 characters/,
)

test('a duration, length or amount in a text is a placeholder, or equals a constant', () => {
  const figure = /(?<![\d{])(\d[\d,]*)[ -]?(?:hours?|h|days?|characters?)\b|\$(\d[\d,]*)/
  const withFigures = translations
    .map(([message]) => message)
    .filter((message) => figure.test(message) && !NAMES.test(message))
  const read = (message: string) =>
    Number((figure.exec(message)?.[1] ?? figure.exec(message)?.[2] ?? '').replace(',', ''))
  expect(Object.fromEntries(withFigures.map((message) => [message, read(message)]))).toEqual(
    FIXED_FIGURES,
  )
})

/** The articles in a folder and below it, without the questions that find them. */
const articlesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) =>
      readFileSync(join(folder, name), 'utf8').replace(/^phrasings:\n(  - .*\n)+/m, ''),
    )

const textsOf = (translation: string | Record<string, string>): string[] =>
  typeof translation === 'string' ? [translation] : Object.values(translation)

/** Whether two texts have the same names. The text for one thing may omit the number. */
function same(found: string[], wanted: string[], isPlural: boolean): boolean {
  const withoutCount = (slots: string[]) =>
    slots.filter((slot) => !isPlural || slot !== '{count}').join()
  return withoutCount(found) === withoutCount(wanted)
}
