import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** A file of the repository and its syntax tree. `path` is relative to the root. */
export type Source = { path: string; text: string; tree: ts.SourceFile }

/** `path:line what is wrong`. */
export type Finding = string

/**
 * A rule about one file at a time, and the smallest file that breaks it: the proof that the rule
 * can fail.
 */
export type Rule = {
  name: string
  check: (source: Source) => Finding[]
  offender: { path: string; text: string }
}

export const ROOT = join(import.meta.dirname, '..', '..')

/** Parsed when its tree is asked for: most readers of all files look at their text alone. */
export function parse({ path, text }: { path: string; text: string }): Source {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  let tree: ts.SourceFile | undefined
  return {
    path,
    text,
    get tree() {
      return (tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, kind))
    },
  }
}

/** Every source file of the product, its tests, benches and scripts. */
export function readSources(): Source[] {
  return ['src', 'test', 'bench', 'scripts', '.'].flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
    return (
      names
        .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
        .map((name) => posix.join(folder, name))
        // Folders of pictures of failed tests have the names of files.
        .filter((path) => !path.startsWith('test/output/'))
        .map(read)
    )
  })
}

function read(path: string): Source {
  return parse({ path, text: readFileSync(join(ROOT, path), 'utf8') })
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith('test/')
}

/** Forty rules ask the same of each file: its nodes, imports and comments are searched once. */
function once<Result>(search: (source: Source) => Result): (source: Source) => Result {
  const found = new WeakMap<Source, Result>()
  return (source) => {
    const known = found.get(source)
    if (known !== undefined) return known
    const result = search(source)
    found.set(source, result)
    return result
  }
}

const nodesOf = once(({ tree }) => {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return nodes
})

/** A finding for each node of the tree for which `describe` returns a text. */
export function findNodes(
  source: Source,
  describe: (node: ts.Node) => string | undefined,
): Finding[] {
  const findings: Finding[] = []
  for (const node of nodesOf(source)) {
    const word = describe(node)
    if (word !== undefined)
      findings.push(`${source.path}:${lineOf(source, node.getStart(source.tree))} ${word}`)
  }
  return findings
}

export function lineOf(source: Source, position: number): number {
  return source.tree.getLineAndCharacterOfPosition(position).line + 1
}

export type Import = { specifier: string; line: number }

export const importsOf = once((source): readonly Import[] =>
  nodesOf(source).flatMap((node) => {
    const specifier = specifierOf(node)
    return specifier === undefined
      ? []
      : [{ specifier: specifier.text, line: lineOf(source, node.getStart(source.tree)) }]
  }),
)

function specifierOf(node: ts.Node): ts.StringLiteral | undefined {
  const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  const specifier = isStatic ? node.moduleSpecifier : isDynamic ? node.arguments[0] : undefined
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier : undefined
}

/** The repository's file that `specifier` names, or undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return posix.join(dirname(from), specifier)
  return undefined
}

/**
 * The comments of a file. They are searched between tokens, so that text in strings does not count.
 */
export const commentsOf = once((source): readonly { text: string; line: number }[] => {
  const found = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    const ranges = [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
    ]
    for (const range of ranges) found.set(range.pos, range)
    for (const child of node.getChildren(source.tree)) visit(child)
  }
  visit(source.tree)
  return [...found.values()].map(({ pos, end }) => ({
    text: source.text.slice(pos, end),
    line: lineOf(source, pos),
  }))
})
