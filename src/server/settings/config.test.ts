import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeHoldHours, readConfig, readSettings, secretFileOf } from './config.ts'
import { SECRET_SETTINGS } from './settings.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'config-'))))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

test.each(SECRET_SETTINGS)('the secret %s may be read from a file', (name) => {
  const scheme =
    {
      SMTP_URL: 'smtp',
      DATABASE_URL: 'postgres',
      DATABASE_OWNER_URL: 'postgres',
      DATABASE_SESSION_URL: 'postgres',
    }[name as string] ?? 'https'
  const secret = /URL/.test(name)
    ? `${scheme}://user:of-the-file@mail.example`
    : 'of-the-file-'.repeat(4)
  const isList = name === 'RPC_URLS'
  const file = fileWith(`${isList ? '1=' : ''}${secret}\n`)
  const read = readSettings({ [`${name}_FILE`]: file })
  expect(read).toMatchObject({ settings: { [name]: isList ? { 1: secret } : secret } })
})

test('an unreadable secret file, or two secrets, stop the start without showing a secret', () => {
  expect(() => readConfig({ SESSION_SECRET_FILE: join(folder, 'nowhere') })).toThrow(
    /^The file .*nowhere in SESSION_SECRET_FILE cannot be read \(ENOENT\)\.$/,
  )
  const file = fileWith('hushhush'.repeat(5))
  expect(() =>
    readConfig({ SESSION_SECRET_FILE: file, SESSION_SECRET: 'another'.repeat(6) }),
  ).toThrow('SESSION_SECRET and SESSION_SECRET_FILE are both set: leave one out.')
})

test('only its owner can read the secret that the first start makes; later starts keep it', () => {
  const secret = readConfig({ DATA_DIR: folder }).SESSION_SECRET
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(statSync(secretFileOf(folder)).mode & 0o777).toBe(0o600)
  expect(readConfig({ DATA_DIR: folder }).SESSION_SECRET).toBe(secret)
})

test('after a change, withdrawals wait for 24 hours; on paper only if that is set', () => {
  expect(changeHoldHours({ BOOK: 'live', WITHDRAWAL_HOLD_HOURS: undefined })).toBe(24)
  expect(changeHoldHours({ BOOK: 'paper', WITHDRAWAL_HOLD_HOURS: undefined })).toBe(0)
  for (const BOOK of ['live', 'paper'] as const)
    for (const hours of [0, 36])
      expect(changeHoldHours({ BOOK, WITHDRAWAL_HOLD_HOURS: hours })).toBe(hours)
  expect(readConfig({ SESSION_SECRET: 'x'.repeat(32) }).WITHDRAWAL_HOLD_HOURS).toBe(0)
})
