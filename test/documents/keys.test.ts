import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SECRET_SETTINGS, Settings } from '#server/settings/settings.ts'
import { isTest, readSources, ROOT } from '../tidy/source.ts'

const text = readFileSync(join(ROOT, 'docs/keys.md'), 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('| `') || line.includes('`src/'))

/** Public settings that sound like a secret, or whose address has room for a password. */
const PUBLIC = [
  'PUBLIC_URL',
  'STRIPE_API_URL',
  'EXCHANGE_REST_URL',
  'EXCHANGE_WS_URL',
  'AI_BASE_URL',
]

test('each secret setting has a row with its purpose and how to replace it', () => {
  const named = rows
    .map((row) => row.split(' | '))
    .filter(([, purpose = '', , remedy = '']) => purpose.length > 10 && remedy.length > 10)
  const missing = SECRET_SETTINGS.filter(
    (name) => !named.some(([settings = '']) => settings.includes(`\`${name}\``)),
  )
  expect(missing).toEqual([])
})

test('each setting that may contain a secret is treated as one', () => {
  const suspects = Object.keys(Settings.shape).filter((name) =>
    /(SECRET|KEY|TOKEN|PASSWORD|URLS?)$/.test(name),
  )
  expect(suspects.length).toBeGreaterThan(SECRET_SETTINGS.length)
  expect(
    suspects.filter(
      (name) => !PUBLIC.includes(name) && !(SECRET_SETTINGS as readonly string[]).includes(name),
    ),
  ).toEqual([])
})

/** Node's functions that make, derive or use a key. */
const USES_KEY = new RegExp(
  '\\b(createHmac|createCipheriv|createDecipheriv|createECDH|createSign|' +
    '(hkdf|generateKey(Pair)?|scrypt|pbkdf2)(Sync)?|randomFill)\\(|@node-rs/argon2',
)

test('each file of the server that makes or uses a key has a row', () => {
  const users = readSources()
    .filter(
      ({ path, text: source }) =>
        path.startsWith('src/server/') && !isTest(path) && USES_KEY.test(source),
    )
    .map(({ path }) => path)
  expect(users.length).toBeGreaterThan(10)
  expect(users.filter((path) => !rows.some((row) => row.includes(`\`${path}\``)))).toEqual([])
})
