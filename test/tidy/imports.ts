import { basename, dirname } from 'node:path'
import ts from 'typescript'
import {
  findNodes,
  importsOf,
  isTest,
  resolveImport,
  type Finding,
  type Import,
  type Rule,
  type Source,
} from './source.ts'

type World = 'core' | 'words' | 'contract' | 'server' | 'app'

/** The imports allowed in each world. All others are forbidden. */
const LAW: Record<World, { worlds: World[]; packages: (name: string) => boolean }> = {
  core: { worlds: ['core'], packages: () => false },
  words: { worlds: ['words', 'core'], packages: (name) => name === 'intl-messageformat' },
  contract: { worlds: ['contract', 'words', 'core'], packages: (name) => /^zod(\/|$)/.test(name) },
  server: { worlds: ['server', 'core', 'words', 'contract'], packages: () => true },
  app: {
    worlds: ['app', 'core', 'words', 'contract'],
    packages: (name) => !name.startsWith('node:'),
  },
}

const PORTS = [
  'feed',
  'venue',
  'payments',
  'payouts',
  'chain',
  'assistant',
  'mail',
  'push',
  'events',
]
/**
 * The server's floors from the ground up. Each imports only from those before it, types included.
 */
const FLOORS = [
  'kernel',
  'settings',
  'db',
  'stripe',
  'ports',
  'context',
  'security',
  'threads',
  'ledger',
  'events',
  'withdrawal-holds',
  'exchange',
  'holdings',
  'action',
  'market',
  'notices',
  'auth',
  'operators',
  'wallets',
  'transactions',
  'deposits',
  'withdrawals',
  'bots',
  'trading',
  'statement',
  'rights',
  'evidence',
  'record',
  'compute',
  'help',
  'http',
  'pages',
  'jobs',
  'open-context',
  'ops',
  'console',
  'server',
  'main',
]
const BANNED_FOLDERS = ['utils', 'helpers', 'common', 'services', 'managers']

/** Files of SQL about one noun. */
const STORE = /[/-]store\.ts$/

/**
 * App folders that every feature may use, from the ground up: the design system calls no API. Then
 * the folders that combine features.
 */
const SHARED_BY_FEATURES = [
  'ui',
  'api',
  'articles',
  'market',
  'shell',
  'passkeys',
  'proofs',
  'evidence',
]
const COMPOSING = ['home', 'profile', 'history']

export const importRules: Rule[] = [
  {
    name: 'each world imports only from worlds and packages allowed for it',
    check: (source) => eachImport(source, breaksLaw),
    offender: {
      path: 'src/app/bots/bot-list.tsx',
      text: "import { post } from '#server/ledger/post.ts'",
    },
  },
  {
    name: 'imports of our own files name the extension',
    check: (source) =>
      eachImport(
        source,
        ({ specifier }) => /^[#.]/.test(specifier) && !/\.(ts|tsx|css|json|mjs)$/.test(specifier),
      ),
    offender: { path: 'src/app/main.tsx', text: "import { Router } from './router'" },
  },
  {
    name: 'the server imports downward only',
    check: (source) => eachImport(source, importsUpward),
    offender: {
      path: 'src/server/ledger/read.ts',
      text: "import type { Handler } from '#server/action.ts'",
    },
  },
  {
    name: 'each folder of the server is on a floor',
    check: ({ path }) => (isOnServer(path) && floorOf(path) < 0 ? [`${path} is on no floor`] : []),
    offender: { path: 'src/server/lottery/draw.ts', text: '' },
  },
  {
    name: "a port's adapter is imported only by open-context.ts",
    check: (source) => eachImport(source, importsAdapter),
    offender: {
      path: 'src/server/deposits/confirm-deposit.ts',
      text: "import { createSandbox } from './payments-sandbox.ts'",
    },
  },
  {
    name: 'a store is imported only from its own folder',
    check: (source) => eachImport(source, importsForeignStore),
    offender: {
      path: 'src/server/bots/create-bot.ts',
      text: "import { findUser } from '../auth/store.ts'",
    },
  },
  {
    name: 'features of the app do not import each other',
    check: (source) => eachImport(source, importsOtherFeature),
    offender: {
      path: 'src/app/bots/bot-list.tsx',
      text: "import { Deposit } from '#app/deposits/deposit.tsx'",
    },
  },
  {
    name: 'folders that features share import downward only',
    check: (source) => eachImport(source, importsUpwardInApp),
    offender: {
      path: 'src/app/ui/money/money.tsx',
      text: "import { usePrices } from '#app/api/queries.ts'",
    },
  },
  {
    name: 'nothing is re-exported',
    check: (source) =>
      findNodes(source, (node) =>
        ts.isExportDeclaration(node) && node.moduleSpecifier ? 're-exports' : undefined,
      ),
    offender: { path: 'src/core/index.ts', text: "export * from './assert.ts'" },
  },
  {
    name: 'there are no default exports, except where a tool or a package requires one',
    check: (source) =>
      /^[a-z]+\.config\.ts$|\.d\.ts$/.test(source.path) ? [] : findNodes(source, defaultExport),
    offender: { path: 'src/core/assert.ts', text: 'export default function assert() {}' },
  },
  {
    name: 'no folder is called utils, helpers, common, services or managers',
    check: ({ path }) =>
      dirname(path)
        .split('/')
        .some((name) => BANNED_FOLDERS.includes(name))
        ? [`${path} in a banned folder`]
        : [],
    offender: { path: 'src/core/utils/money.ts', text: '' },
  },
]

/** Import cycles, each as its path; imports of types count. */
export function importCycles(sources: Source[]): Finding[] {
  const targets = new Map(
    sources.map((source) => [source.path, importsOf(source).flatMap(resolved(source))]),
  )
  const done = new Set<string>()
  const cycles: Finding[] = []
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const { path } of sources) visit(path, [])
  return cycles
}

/**
 * Imports of values from a file of schemas: the schema library would come with them into the
 * browser. Types are left out by the compiler.
 */
export function schemasInApp(sources: Source[]): Finding[] {
  const schemas = new Set(
    sources
      .filter((source) => importsOf(source).some(({ specifier }) => specifier === 'zod'))
      .map(({ path }) => path),
  )
  const app = sources.filter(({ path }) => worldOf(path) === 'app' && !isTest(path))
  return app.flatMap((source) =>
    findNodes(source, (node) =>
      importsValueFrom(node, source.path, schemas) ? 'imports schemas' : undefined,
    ),
  )
}

function importsValueFrom(node: ts.Node, from: string, schemas: ReadonlySet<string>): boolean {
  if (
    !ts.isImportDeclaration(node) ||
    node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
    !ts.isStringLiteral(node.moduleSpecifier)
  )
    return false
  return schemas.has(resolveImport(from, node.moduleSpecifier.text) ?? '')
}

function resolved(source: Source): (one: Import) => string[] {
  return ({ specifier }) =>
    [resolveImport(source.path, specifier)].filter((path) => path !== undefined)
}

function eachImport(source: Source, isWrong: (one: Import, from: string) => boolean): Finding[] {
  const wrong = importsOf(source).filter((one) => isWrong(one, source.path))
  return wrong.map(({ specifier, line }) => `${source.path}:${line} imports ${specifier}`)
}

function breaksLaw({ specifier }: Import, from: string): boolean {
  const world = worldOf(from)
  if (world === undefined || isTest(from)) return false
  const target = resolveImport(from, specifier)
  const { worlds, packages } = LAW[world]
  if (target === undefined) return !packages(specifier)
  const targetWorld = worldOf(target)
  return targetWorld === undefined || !worlds.includes(targetWorld)
}

function worldOf(path: string): World | undefined {
  const name = /^src\/([a-z]+)\//.exec(path)?.[1] ?? ''
  return name in LAW ? (name as World) : undefined
}

const isOnServer = (path: string): boolean =>
  path.startsWith('src/server/') && path.endsWith('.ts') && !isTest(path)

/** Index of the floor of a file's folder, or of a file beside the folders; -1 if there is none. */
const floorOf = (path: string): number =>
  FLOORS.indexOf(path.slice('src/server/'.length).replace(/(\/.*|\.ts)$/, ''))

function importsUpward({ specifier }: Import, from: string): boolean {
  const target = resolveImport(from, specifier)
  return (
    target !== undefined &&
    isOnServer(from) &&
    isOnServer(target) &&
    floorOf(target) > floorOf(from)
  )
}

function importsAdapter({ specifier }: Import, from: string): boolean {
  const adapter = adapterOf(resolveImport(from, specifier) ?? '')
  return (
    adapter !== undefined &&
    !isTest(from) &&
    from !== 'src/server/open-context.ts' &&
    !adapterOf(from)?.startsWith(adapter)
  )
}

/** 'payments-sandbox' for payments-sandbox.ts. */
function adapterOf(path: string): string | undefined {
  if (!path.startsWith('src/server/')) return undefined
  return new RegExp(`^(${PORTS.join('|')})-[a-z-]+(?=\\.ts$)`).exec(basename(path))?.[0]
}

function importsForeignStore({ specifier }: Import, from: string): boolean {
  const target = resolveImport(from, specifier)
  return (
    target !== undefined &&
    from.startsWith('src/') &&
    !isTest(from) &&
    STORE.test(target) &&
    dirname(target) !== dirname(from)
  )
}

function importsOtherFeature({ specifier }: Import, from: string): boolean {
  const own = featureOf(from)
  const other = featureOf(resolveImport(from, specifier) ?? '')
  if (own === undefined || other === undefined || own === other || isTest(from)) return false
  return !SHARED_BY_FEATURES.includes(other) && !COMPOSING.includes(own)
}

function importsUpwardInApp({ specifier }: Import, from: string): boolean {
  const own = SHARED_BY_FEATURES.indexOf(featureOf(from) ?? '')
  const other = featureOf(resolveImport(from, specifier) ?? '')
  if (own < 0 || other === undefined || isTest(from)) return false
  const floor = SHARED_BY_FEATURES.indexOf(other)
  return floor < 0 || floor > own
}

/** The folder directly below src/app; undefined for the files there, which combine everything. */
function featureOf(path: string): string | undefined {
  return /^src\/app\/([a-z-]+)\//.exec(path)?.[1]
}

function defaultExport(node: ts.Node): string | undefined {
  const isDefault =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  return ts.isExportAssignment(node) || isDefault ? 'exports by default' : undefined
}
