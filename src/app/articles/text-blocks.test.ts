import { expect, test } from 'vitest'
import { blocksOf } from './text-blocks.tsx'

test('text splits into paragraphs and lists; other markup stays text', () => {
  expect(blocksOf('One\nline.\n\n- a\n- b\n\n[x](http://evil.example) <b>')).toEqual([
    { kind: 'paragraph', text: 'One line.' },
    { kind: 'list', points: ['a', 'b'] },
    { kind: 'paragraph', text: '[x](http://evil.example) <b>' },
  ])
})
