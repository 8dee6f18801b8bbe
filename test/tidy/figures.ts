import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { routes } from '#contract/routes.ts'
import { Settings } from '#server/settings/settings.ts'
import { missingPaths, readDocs } from './docs.ts'
import { importCycles } from './imports.ts'
import { depthOf, functionLength, lengthOf } from './shape.ts'
import {
  commentsOf,
  importsOf,
  isTest,
  resolveImport,
  ROOT,
  type Finding,
  type Rule,
  type Source,
} from './source.ts'

/** A line of the report. */
export type Figure = readonly [name: string, value: string]

const WORLDS = ['core', 'contract', 'server', 'app']

/** Figures of the shape of the product's code. */
export function shapeFigures(sources: readonly Source[]): Figure[] {
  const product = sources.filter(({ path }) => path.startsWith('src/') && !isTest(path))
  const functions = product.flatMap(functionsOf)
  const comments = product.flatMap(commentsOf).flatMap(({ text }) => text.split('\n'))
  const overLimit = (among: readonly Source[]) =>
    among.flatMap(({ text }) => text.split('\n')).filter(({ length }) => length > lineLimit())
      .length
  return [
    ['files per action', spread(filesPerAction(product).map(([, paths]) => paths.length))],
    ['characters per file', spread(product.map(({ text }) => lengthOf(text)))],
    ['characters per function', spread(functions.map(({ length }) => length))],
    ['deepest nesting', String(Math.max(0, ...functions.map(({ depth }) => depth)))],
    ...['server', 'app'].map(
      (world) =>
        [
          `import cycles of ${world}`,
          String(importCycles(inFolder(product, `src/${world}`)).length),
        ] as const,
    ),
    [
      `lines over ${lineLimit()} characters`,
      `${overLimit(product)}, and ${overLimit(sources) - overLimit(product)} outside of src`,
    ],
    ['comment lines', share(comments.length, sum(product.map(linesOf)))],
  ]
}

/**
 * Characters of code by place, without indents and line breaks, and the ratio of tests to product.
 */
export function sizeFigures(sources: readonly Source[]): Figure[] {
  const tests = sources.filter(({ path }) => isTest(path))
  const product = sources.filter(({ path }) => path.startsWith('src/') && !isTest(path))
  return [
    ...WORLDS.map(
      (world) => [`src/${world}`, String(total(inFolder(product, `src/${world}`)))] as const,
    ),
    ['src', String(total(product))],
    ['tests', String(total(tests))],
    ['tests to product', (total(tests) / total(product)).toFixed(2)],
    ['files of src/server', String(inFolder(product, 'src/server').length)],
    ['settings', String(Object.keys(Settings.shape).length)],
    [
      'lines of SQL in migrations',
      String(sum(migrations().map((text) => text.trimEnd().split('\n').length))),
    ],
  ]
}

/**
 * Every rule of this folder with the number of its findings: the exported lists of rules, and
 * functions of all `sources`.
 */
export async function ruleFigures(sources: readonly Source[]): Promise<Figure[]> {
  const names = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !isTest(name) && name !== basename(import.meta.filename),
  )
  const modules = (await Promise.all(
    names.map((name) => import(join(import.meta.dirname, name))),
  )) as Record<string, unknown>[]
  const rules = modules.flatMap((module) => Object.values(module).filter(isRules).flat())
  const found = rules.map(
    ({ name, check }) => [name, String(sources.flatMap(check).length)] as const,
  )
  const overall = modules.flatMap((module) => Object.values(module).filter(isOverallRule))
  const counted = overall.map(
    (rule) => [inWords(rule.name), String(rule([...sources]).length)] as const,
  )
  return [
    ...found,
    ...counted,
    ['every path that the documents name exists', String(readDocs().flatMap(missingPaths).length)],
  ]
}

function isRules(value: unknown): value is Rule[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (one) => typeof one === 'object' && one !== null && 'check' in one && 'offender' in one,
    )
  )
}

/** A rule that compares files: a function whose one parameter is named `sources`. */
function isOverallRule(value: unknown): value is (sources: Source[]) => Finding[] {
  return typeof value === 'function' && /^function \w+\(sources\b[^,)]*\)/.test(value.toString())
}

/** 'import cycles' for 'importCycles'. */
const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Files of each call that changes something: those that name the call and those that import a
 * function of the app that makes it.
 */
export function filesPerAction(product: readonly Source[]): [name: string, paths: string[]][] {
  const actions = Object.entries(routes).filter(([, { method }]) => method !== 'GET')
  return actions.map(([name]) => {
    const naming = product.filter((source) => namesCall(source.tree, name))
    const makers = naming
      .filter(({ path }) => path.startsWith('src/app/'))
      .flatMap((source) => exportsThatName(source, name))
    const importing = product.filter((source) => makers.some((maker) => importsName(source, maker)))
    return [name, [...new Set([...naming, ...importing].map(({ path }) => path))]]
  })
}

function namesCall(node: ts.Node, name: string): boolean {
  if ((ts.isIdentifier(node) || ts.isStringLiteral(node)) && node.text === name) return true
  return ts.forEachChild(node, (child) => namesCall(child, name) || undefined) ?? false
}

type Maker = { path: string; name: string }

function exportsThatName({ path, tree }: Source, name: string): Maker[] {
  const declarations = tree.statements.filter(
    (statement) => ts.isFunctionDeclaration(statement) && namesCall(statement, name),
  )
  return declarations.flatMap((statement) =>
    ts.isFunctionDeclaration(statement) && statement.name
      ? { path, name: statement.name.text }
      : [],
  )
}

function importsName(source: Source, { path, name }: Maker): boolean {
  const isImported = importsOf(source).some(
    ({ specifier }) => resolveImport(source.path, specifier) === path,
  )
  return isImported && namesCall(source.tree, name)
}

type FunctionShape = { length: number; depth: number }

function functionsOf(source: Source): FunctionShape[] {
  const found: FunctionShape[] = []
  const visit = (node: ts.Node): void => {
    const length = functionLength(source, node)
    if (length !== undefined) found.push({ length, depth: 0 })
    const current = found.at(-1)
    if (current !== undefined) current.depth = Math.max(current.depth, depthOf(node))
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return found
}

/** `median 58, p90 190, max 340`. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (quantile: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0
  return `median ${at(0.5)}, p90 ${at(0.9)}, max ${at(1)}`
}

function lineLimit(): number {
  const [, limit] =
    /^max_line_length = (\d+)$/m.exec(readFileSync(join(ROOT, '.editorconfig'), 'utf8')) ?? []
  return Number(limit)
}

function migrations(): string[] {
  const folder = join(ROOT, 'src/server/db/migrations')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`
const linesOf = ({ text }: Source): number => text.trimEnd().split('\n').length
const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
const total = (sources: readonly Source[]): number => sum(sources.map(({ text }) => lengthOf(text)))
const inFolder = (sources: readonly Source[], folder: string): Source[] =>
  sources.filter(({ path }) => path.startsWith(`${folder}/`))
