import { expect, test } from 'vitest'
import german from '#words/de.json' with { type: 'json' }
import { messagesOf, slotsOf } from './tidy/catalog.ts'
import { parse, readSources } from './tidy/source.ts'

const messages = [...new Set(readSources().flatMap(messagesOf))].toSorted()
const translations = Object.entries(german as Record<string, string | Record<string, string>>)

test('messages are found wherever they stand', () => {
  const text = `const a = t('One {name}', { name: say('Two') }); const b = <Trans message="Three <b>four</b>" b={(c) => <b>{c}</b>} />
    const c = tCount(n, { one: 'a trade', other: '{count} trades' }); const d = { title: msg('Five') }; const e = t(isLive ? 'Six' : 'Seven'); pay('Eight')`
  expect(messagesOf(parse({ path: 'src/app/a.tsx', text }))).toEqual(['One {name}', 'Two', 'Three <b>four</b>', '{count} trades', 'Five', 'Six', 'Seven'])
})

test('the German catalog has exactly the messages of the product; after a change, run npm run words', () => {
  expect(translations.map(([message]) => message)).toEqual(messages)
  expect(translations.filter(([, text]) => text === '').map(([message]) => message)).toEqual([])
})

test('each translation has the names and tags of its message', () => {
  const wrong = translations.filter(([message, translation]) =>
    textsOf(translation).some((text) => !same(slotsOf(text), slotsOf(message), typeof translation !== 'string')))
  expect(wrong).toEqual([])
})

const textsOf = (translation: string | Record<string, string>): string[] => (typeof translation === 'string' ? [translation] : Object.values(translation))

/** A text for one thing may do without the number. */
function same(found: string[], wanted: string[], isPlural: boolean): boolean {
  const withoutCount = (slots: string[]) => slots.filter((slot) => !isPlural || slot !== '{count}').join()
  return withoutCount(found) === withoutCount(wanted)
}
