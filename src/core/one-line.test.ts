import { expect, test } from 'vitest'
import { isOneLine, tidyName } from './one-line.ts'

test.each([
  'Ada',
  'Zoë Ångström',
  '王小明',
  'נועה',
  'مريم',
  '👍🏽 savings',
  "O'Brien-Smith",
  'a\u00a0b',
  'ศักดิ์สิทธิ์',
  'क्षि',
  '7',
  '→',
  'q\u0323\u0307\u0304\u0301',
])('%j is displayed as it was typed', (name) => expect(isOneLine(name)).toBe(true))

test.each([
  'a\nb',
  'a\tb',
  '\u001b[2J',
  'a\u0000',
  'a\u007f',
  'a\u009bm',
  'a\u2028b',
  'a\u2029b',
  '\u202etxt',
  '\u2066a',
  '\u200fa',
  '\u061ca',
  'a\ud800',
])('%j is not one line', (name) => {
  expect(isOneLine(name)).toBe(false)
})

const JOINED = [
  ['👨‍👩‍👧', '👩🏽‍💻 savings', '🏳️‍🌈', '🏴‍☠️', '❤️', 'I ❤️ BTC'],
  ['🕵🏽‍♀️', '🇩🇪', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️‍🔥', '🧑🏿‍❤️‍🧑🏻'],
].flat()

test.each(JOINED)('the joined emoji in %j are displayed as they were typed', (name) => {
  expect(isOneLine(tidyName(name))).toBe(true)
})

test.each([
  ['a joiner after an emoji', '👩\u200d'],
  ['two joiners', '👩\u200d\u200d💻'],
  ['a joiner between letters', 'a\u200db👩'],
  ['a joiner before an emoji', 'a\u200d👩'],
  ['a selector after a letter', 'a\ufe0f👩'],
  ['two selectors', '❤\ufe0f\ufe0f'],
  ['hidden letters after a flag', '\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}'],
  ['a keycap of a letter', 'a\ufe0f\u20e3'],
  ['a right-to-left mark in an emoji', '👩\u200f💻'],
  ['marks on both sides of an emoji', 'q\u0323\u0307\u0304\u0301\u0300👩'],
])('a name with %s is refused', (_what, name) => expect(isOneLine(name)).toBe(false))

test.each([
  ['zero width space', '\u200b\u2060'],
  ['zero width space in a name', 'Ada\u200b'],
  ['joiner', 'a\u200db'],
  ['soft hyphen', 'a\u00adb'],
  ['byte order mark', '\ufeffa'],
  ['Hangul filler', '\u3164'],
  ['variation selector', 'a\ufe0f'],
  ['tag', 'a\u{e0061}'],
  ['empty Braille', '\u2800\u2800'],
  ['combining marks alone', '\u0301\u0302'],
  ['five combining marks', 'q\u0323\u0307\u0304\u0301\u0300'],
  ['blanks', ' \u00a0 '],
  ['nothing', ''],
])('a name with %s is refused', (_what, name) => {
  expect(isOneLine(name)).toBe(false)
})

test('names that look equal are stored as equal text', () => {
  expect(tidyName(' Zoe\u0308 ')).toBe('Zo\u00eb')
})
