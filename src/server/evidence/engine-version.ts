import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** Folders with the rules of the evidence. */
const RULES = [
  'core/evidence',
  'core/luck',
  'core/market',
  'core/money',
  'core/strategy',
  'core/trading',
]

/**
 * The version with a prefix of the rules' hash, which reveals changed rules even if the version was
 * not raised.
 */
export function engineVersion(): string {
  return engine().version
}

/** `sha256`: of every file of the rules but tests, by folder and name. */
export function engine(): { version: string; sha256: string; folders: string[] } {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const hash = createHash('sha256')
  for (const folder of RULES) {
    const names = readdirSync(join(ROOT, 'src', folder)).toSorted()
    for (const name of names.filter((each) => !each.endsWith('.test.ts')))
      hash.update(readFileSync(join(ROOT, 'src', folder, name)))
  }
  const sha256 = hash.digest('hex')
  return {
    version: `${version}+${sha256.slice(0, 12)}`,
    sha256,
    folders: RULES.map((folder) => `src/${folder}`),
  }
}
