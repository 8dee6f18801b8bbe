import { expect, test } from 'vitest'
import { claimsOf } from './settings.ts'
import { readSettings } from './config.ts'

function shownWith(environment: Record<string, string>): string {
  const read = readSettings(environment)
  return 'wrong' in read ? read.wrong.join(' ') : claimsOf(read.settings)
}

test.each([
  [{}, 'targets'],
  [{ BOOK: 'live' }, 'evidence'],
  [{ CLAIMS: 'auto' }, 'targets'],
  [{ BOOK: 'live', CLAIMS: 'auto' }, 'evidence'],
  [{ CLAIMS: 'evidence' }, 'evidence'],
  [{ BOOK: 'live', CLAIMS: 'targets' }, 'targets'],
  [
    { CLAIMS: 'promises' },
    'The setting CLAIMS is not valid: it is one of auto, targets, evidence.',
  ],
])('%j: %s', (environment, shown) => expect(shownWith(environment)).toBe(shown))

test.each([
  ['Trading Bot', true],
  ["O'Neil & Sons, Ltd.", true],
  ['7 Bots', true],
  ['Торговый Бот', false],
  ['交易机器人', false],
  ['Łódź Bot', false],
  ['- & -', false],
  ['A company with a long name', false],
])('a bank prints the company name %s: %j', (name, isRead) => {
  const read = readSettings({ PAYOUT_COMPANY_NAME: name })
  expect('wrong' in read ? read.wrong : []).toEqual(
    isRead
      ? []
      : [
          'The setting PAYOUT_COMPANY_NAME is not valid: it has up to 23 Latin letters, digits ' +
            'and signs, at least one letter or digit.',
        ],
  )
})
