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
