import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dirname, '../..')

/** The files in which the computation begins. */
const ENTRIES = [
  'core/evidence/evidence.ts',
  'server/evidence/show-evidence.ts',
  'server/evidence/treasury-bills.ts',
]

/** Imports of types are left out: they cannot change a figure. */
const IMPORT = /^import (?!type )[^']*'(#|\.{1,2}\/)([^']+)'/gm

/**
 * All code that determines the figures: the entries and their direct and indirect imports, ordered
 * by path.
 */
export function evidenceSources(): { path: string; text: string }[] {
  const found = new Map<string, string>()
  const follow = (path: string): void => {
    if (found.has(path)) return
    const text = readFileSync(join(SRC, path), 'utf8')
    found.set(path, text)
    for (const [, from, name = ''] of text.matchAll(IMPORT))
      follow(from === '#' ? name : relative(SRC, join(SRC, dirname(path), `${from}${name}`)))
  }
  ENTRIES.forEach(follow)
  return [...found]
    .map(([path, text]) => ({ path, text }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
