import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { Refusal } from '#core/refusal.ts'
import { readConfig } from '#server/settings/config.ts'
import { makeFilter, passwordKey } from '#server/settings/password-filter.ts'
import { checkNewPassword } from './password-lists.ts'

const folder = mkdtempSync(join(tmpdir(), 'passwords-'))
afterAll(() => rmSync(folder, { recursive: true }))

const config = readConfig({ SESSION_SECRET: 'x'.repeat(32) })

/** Refusal code of the password; undefined if it passes. */
function codeOf(password: string, settings: Record<string, string> = {}): string | undefined {
  try {
    checkNewPassword({ ...config, ...settings }, password, { username: 'ada', field: 'password' })
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test('the 3,000 most common passwords are refused in any letter case', () => {
  const common = readFileSync('src/server/auth/common-passwords.txt', 'utf8').trimEnd().split('\n')
  expect([
    common.length >= 3_000,
    new Set(common).size,
    common.filter((password) => password.length < 6),
  ]).toEqual([true, common.length, []])
  const passed = common
    .flatMap((password) => [password, password.toUpperCase()])
    .filter(
      (password) =>
        codeOf(password) !== 'common-password' && passwordKey(password.toUpperCase()) === password,
    )
  expect(passed).toEqual([])
})

test.each(['starwars77', 'STARWARS77', 'summer2010', 'coffee42'])(
  '%s is known from breaches',
  (password) => {
    expect(codeOf(password)).toBe('breached-password')
  },
)

test('at most 40 of 20,000 random passwords are taken for known ones', () => {
  const passwords = Array.from({ length: 20_000 }, () => randomBytes(9).toString('base64'))
  expect(passwords.filter((password) => codeOf(password) !== undefined).length).toBeLessThanOrEqual(
    40,
  )
})

test("a filter contains every password put into it; operators' own filters are checked too", () => {
  const own = new Set(Array.from({ length: 2_000 }, (_, number) => `our town ${number}`))
  const path = join(folder, 'own.filter')
  writeFileSync(path, makeFilter(own))
  const settings = { PASSWORD_FILTER: path }
  expect([...own].filter((password) => codeOf(password, settings) !== 'breached-password')).toEqual(
    [],
  )
  expect([
    codeOf('Our Town 7', settings),
    codeOf('our town 7'),
    codeOf('dragon', settings),
    codeOf('another town', settings),
  ]).toEqual(['breached-password', undefined, 'common-password', undefined])
})

test.each([
  ['a file that is none', 'x'.repeat(40)],
  ['an empty file', ''],
])('%s as PASSWORD_FILTER stops the start with a message', (_kind, content) => {
  const path = join(folder, 'broken.filter')
  writeFileSync(path, content)
  expect(() => readConfig({ SESSION_SECRET: 'x'.repeat(32), PASSWORD_FILTER: path })).toThrow(
    'is no filter of passwords',
  )
})

test('a PASSWORD_FILTER that is missing stops the start', () => {
  expect(() =>
    readConfig({ SESSION_SECRET: 'x'.repeat(32), PASSWORD_FILTER: join(folder, 'none') }),
  ).toThrow('is no filter of passwords')
})
