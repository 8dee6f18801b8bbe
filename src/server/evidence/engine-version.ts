import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The folders of rules that the evidence depends on. */
const RULES = ['core/evidence', 'core/luck', 'core/market', 'core/money', 'core/strategy', 'core/trading']

/** The product's version and a prefix of the rules' hash: a changed rule is visible even if the version was not raised. */
export function engineVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
  for (const folder of RULES) {
    const names = readdirSync(join(ROOT, 'src', folder)).toSorted()
    for (const name of names.filter((each) => !each.endsWith('.test.ts'))) hash.update(readFileSync(join(ROOT, 'src', folder, name)))
  }
  return `${version}+${hash.digest('hex').slice(0, 12)}`
}
