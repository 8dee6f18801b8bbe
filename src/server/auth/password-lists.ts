import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseWeakPassword } from '#core/auth/credentials.ts'
import type { Config } from '#server/settings/config.ts'
import { passwordKey, readFilter, type PasswordFilter } from '#server/settings/password-filter.ts'

const COMMON = join(import.meta.dirname, 'common-passwords.txt')
const BREACHED = join(import.meta.dirname, 'breached-passwords.filter')

type New = { username: string; field: string }

export function checkNewPassword(
  { PASSWORD_MINIMUM: minimum, PASSWORD_FILTER }: Config,
  password: string,
  { username, field }: New,
): void {
  const filters = [BREACHED, ...(PASSWORD_FILTER === undefined ? [] : [PASSWORD_FILTER])].map(
    filterAt,
  )
  refuseWeakPassword(password, {
    username,
    minimum,
    field,
    isCommon: common().has(passwordKey(password)),
    isBreached: filters.some((filter) => filter.has(password)),
  })
}

function common(): ReadonlySet<string> {
  known ??= new Set(readFileSync(COMMON, 'utf8').trimEnd().split('\n'))
  return known
}

let known: ReadonlySet<string> | undefined

/** Read with the first new password, then cached. */
function filterAt(path: string): PasswordFilter {
  const filter = filters.get(path) ?? readFilter(path)
  filters.set(path, filter)
  return filter
}

const filters = new Map<string, PasswordFilter>()
