import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFilter, passwordKey } from '#server/settings/password-filter.ts'

/**
 * Writes the lists of passwords that nobody may choose, from a text with one password in each line,
 * the most common first: `npx node scripts/write-password-lists.ts <list>`. With a second argument
 * it writes only a filter there, for the setting PASSWORD_FILTER.
 */
const [source, target] = process.argv.slice(2)
if (source === undefined) throw new Error('Name a text with one password in each line.')

const FOLDER = join(import.meta.dirname, '../src/server/auth')
/** Shorter passwords are refused by their length. */
const SHORTEST = 6
const MOST_COMMON = 3_000

const lines = readFileSync(source, 'utf8').split(/\r?\n/)
const passwords = new Set(lines.map(passwordKey).filter((password) => password.length >= SHORTEST))
writeFileSync(target ?? join(FOLDER, 'breached-passwords.filter'), makeFilter(passwords))
if (target === undefined) {
  // Further words to refuse, of this trade and of other languages: the list has them too far down.
  const own = readFileSync(join(FOLDER, 'common-passwords.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(MOST_COMMON)
  const common = [...passwords].slice(0, MOST_COMMON)
  const rest = own.filter((password) => !common.includes(password))
  writeFileSync(join(FOLDER, 'common-passwords.txt'), `${[...common, ...rest].join('\n')}\n`)
}
console.info(`${passwords.size} passwords`)
