import { expect, test } from 'vitest'
import { isOneLine } from './one-line.ts'

test.each(['Ada', 'Zoë Ångström', '王小明', 'נועה', 'مريم', '👩‍👩‍👧 savings', "O'Brien-Smith", 'a\u00a0b'])('%j is displayed as it was typed', (name) => {
  expect(isOneLine(name)).toBe(true)
})

test.each(['a\nb', 'a\tb', '\u001b[2J', 'a\u0000', 'a\u007f', 'a\u009bm', 'a\u2028b', 'a\u2029b', '\u202etxt', '\u2066a', '\u200fa', '\u061ca'])('%j is not', (name) => {
  expect(isOneLine(name)).toBe(false)
})
