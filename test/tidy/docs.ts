import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type Finding } from './source.ts'

/** Paths that a text names in backticks but that do not exist. A path with a placeholder (`*`, `<name>`, `{a,b}`, `NNN`) names no file. */
export function missingPaths({ path, text }: { path: string; text: string }): Finding[] {
  const named = [...text.matchAll(/`((?:src|test|bench|scripts)\/[^`\s]*)`/g)].map(([, name = '']) => name.replace(/[:#].*$/, ''))
  const concrete = named.filter((name) => !/[*<{…]|NNN/.test(name))
  return concrete.filter((name) => !existsSync(join(ROOT, name))).map((name) => `${path} names ${name}`)
}

export function readDocs(): { path: string; text: string }[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name))
  const paths = [...readdirSync(ROOT), ...inDocs].filter((name) => name.endsWith('.md'))
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}
