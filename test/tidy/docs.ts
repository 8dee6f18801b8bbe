import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT, type Finding } from './source.ts'

/**
 * Paths that a text names in backticks but that do not exist. A path with a placeholder (`*`,
 * `<name>`, `{a,b}`, `NNN`) names no file.
 */
export function missingPaths({ path, text }: { path: string; text: string }): Finding[] {
  const named = [...text.matchAll(/`((?:src|test|bench|scripts)\/[^`\s]*)`/g)].map(
    ([, name = '']) => name.replace(/[:#].*$/, ''),
  )
  const concrete = named.filter((name) => !/[*<{…]|NNN/.test(name))
  return concrete.filter((name) => !isThere(name)).map((name) => `${path} names ${name}`)
}

/**
 * Names that a text finds in a file, as in `name` in `path/file.ts` or `name` (`path/file.ts`), but
 * that this file does not contain.
 */
export function misplacedNames({ path, text }: { path: string; text: string }): Finding[] {
  const places = text.matchAll(
    /`([^`\n]+)` (?:in |\()`((?:src|test|bench|scripts)\/[^`\s*<{]*\.\w+)`/g,
  )
  return [...places]
    .filter(([, name = '', file = '']) => !readFileSync(join(ROOT, file), 'utf8').includes(name))
    .map(([, name, file]) => `${path} finds ${name} in ${file}`)
}

/** Links of a document to files or headings that do not exist. */
export function brokenLinks({ path, text }: { path: string; text: string }): Finding[] {
  return linksOf(text)
    .filter((link) => !isTarget(path, link))
    .map((link) => `${path} links to ${link}`)
}

/** Links inside the repository. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^/):\s][^):\s]*)\)/g)].map(([, link = '']) => link)

function isTarget(from: string, link: string): boolean {
  const [name = '', heading] = link.split('#')
  const file = join(ROOT, name === '' ? from : join(dirname(from), name))
  return existsSync(file) && (heading === undefined || headingsOf(file).includes(heading))
}

/** Names of the headings, as GitHub spells them in links. */
const headingsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Files and folders of `docs` that its index does not link in exactly one row. */
export function notIndexedOnce(index: string): Finding[] {
  const rows = index.split('\n').filter((line) => /^[|-]/.test(line))
  const linked = linksOf(rows.join('\n')).map((link) => link.replace(/\/.*/, ''))
  return readdirSync(join(ROOT, 'docs')).filter(
    (name) => name !== 'README.md' && linked.filter((link) => link === name).length !== 1,
  )
}

/** Folders of the app and of the server that the map's drawing of their world does not name. */
export function unmappedFolders(map: string): Finding[] {
  return ['app', 'server'].flatMap((world) => {
    const drawn = map.split(`subgraph ${world}[`)[1]?.split('\n  end')[0] ?? ''
    const named = new Set(drawn.match(/[\w-]+/g))
    return readdirSync(join(ROOT, 'src', world), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !named.has(entry.name))
      .map(({ name }) => `src/${world}/${name}`)
  })
}

/** Tests write into the folder `test/output`, which a fresh clone does not have. */
function isThere(name: string): boolean {
  return name.startsWith('test/output/') || existsSync(join(ROOT, name))
}

export function readDocs(): { path: string; text: string }[] {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => join('docs', name),
  )
  const paths = [...readdirSync(ROOT), ...inDocs].filter((name) => name.endsWith('.md'))
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** Folders that git ignores, and Git's own; tests write pictures into the last. */
const IGNORED = ['.git', 'node_modules', '.data', 'dist', 'output']
const BINARY = /\.(png|webp|woff2|ico|candles|filter|gz|br)$/

/** Every text of the repository: sources, settings, scripts, documents. */
export function readTexts(folder = ''): { path: string; text: string }[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (IGNORED.includes(entry.name) || BINARY.test(entry.name)) return []
    if (entry.isDirectory()) return readTexts(path)
    return entry.isFile() ? [{ path, text: readFileSync(join(ROOT, path), 'utf8') }] : []
  })
}

/** Hostile input. */
const HOSTILE = '../../etc/passwd'
/** An offender of a rule about imports. */
const OFFENDER = '../auth/store.ts'

/**
 * Paths that do not exist in a clone of the repository: relative ones that lead out of it or into
 * no folder of it, and folders of one machine.
 */
export function pathsOutside({ path, text }: { path: string; text: string }): Finding[] {
  const upward = [...text.matchAll(/(?<![\w./])(?:\.\.\/)+[\w./-]*/g)]
    .map(([name]) => name)
    .filter((name) => ![HOSTILE, OFFENDER].includes(name))
  const leaves = (name: string): boolean => {
    const target = relative(ROOT, resolve(ROOT, dirname(path), name))
    return target.startsWith('..') || !isThere(dirname(target) + '/')
  }
  const ofMachine = [...text.matchAll(/(?<![\w.~-])\/(?:work|root|home|Users)\/[\w./-]+/g)].map(
    ([name]) => name,
  )
  return [...upward.filter(leaves), ...ofMachine].map((name) => `${path} names ${name}`)
}
