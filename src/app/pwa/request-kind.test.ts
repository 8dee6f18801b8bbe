import { expect, test } from 'vitest'
import { requestKind } from './request-kind.ts'

const origin = 'https://bots.example'
const shell = ['/index.html', '/theme.js', '/assets/index-1.js']

test.each([
  ['GET', 'navigate', '/', 'screen'],
  ['GET', 'navigate', '/bot-config/42?from=home', 'screen'],
  ['GET', 'cors', '/assets/index-1.js', 'asset'],
  ['GET', 'cors', '/assets/wallets-panel-7.js', 'asset'],
  ['GET', 'no-cors', '/theme.js', 'shell-file'],
  ['GET', 'no-cors', '/icon.svg', 'network'],
  ['GET', 'cors', '/api/auth/user', 'network'],
  ['GET', 'navigate', '/api/statement.csv', 'network'],
  ['GET', 'navigate', '/api/login', 'network'],
  ['GET', 'navigate', '/health', 'network'],
  ['POST', 'cors', '/api/auth/logout', 'network'],
  ['POST', 'navigate', '/', 'network'],
  ['GET', 'cors', 'https://elsewhere.example/assets/index-1.js', 'network'],
])('%s of mode %s for %s is %s', (method, mode, path, kind) => {
  expect(requestKind({ method, mode, url: new URL(path, origin).href, origin }, shell)).toBe(kind)
})
