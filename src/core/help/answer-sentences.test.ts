import { expect, test } from 'vitest'
import { takeSentences, withoutMarkup } from './answer-sentences.ts'

test.each<[text: string, sentences: string[], rest: string]>([
  ['No fee. It is', ['No fee. '], 'It is'],
  ['It costs 0.1 % of the amount', [], 'It costs 0.1 % of the amount'],
  ['He said "no." Then', ['He said "no." '], 'Then'],
  ['1. Open Withdraw\n2. Press Max\n', ['1. Open Withdraw\n'], '2. Press Max\n'],
  ['A:\n\n- one\n- two', ['A:\n\n', '- one\n'], '- two'],
  ['Still going', [], 'Still going'],
  ['', [], ''],
])('%j is split at the end of each sentence', (text, sentences, rest) => {
  expect(takeSentences(text)).toEqual({ sentences, rest })
})

test('joined sentences equal the text, whatever the size of its chunks', () => {
  const text = 'Open Withdraw. Press "Max"!\n\n1. One.\n2) Two?\n\n- Three, 0.1 %.\nThe end'
  for (let size = 1; size < text.length; size += 1) {
    let rest = ''
    const sentences: string[] = []
    for (let at = 0; at < text.length; at += size) {
      const taken = takeSentences(rest + text.slice(at, at + size))
      sentences.push(...taken.sentences)
      rest = taken.rest
    }
    expect(sentences.join('') + rest).toBe(text)
    expect(sentences.length).toBeGreaterThanOrEqual(4)
  }
})

test('other markup is reduced to paragraphs and lists', () => {
  expect(withoutMarkup('**Bold** and `code`')).toBe('Bold and code')
  expect(withoutMarkup('## Fees\n')).toBe('Fees\n')
  expect(['* a', '• b', '1. c', ' 2) d', '- e'].map(withoutMarkup)).toEqual([
    '- a',
    '- b',
    '- c',
    '- d',
    '- e',
  ])
})
