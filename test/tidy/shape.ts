import ts from 'typescript'
import { commentsOf, findNodes, isTest, type Finding, type Rule, type Source } from './source.ts'
import { pattern } from '../world/pattern.ts'

// In characters without indents: a formatter decides how many lines these are.
const LONGEST_FILE = 24_000
const LONGEST_FUNCTION = 1_500
const MOST_LINES = 60
const LONGEST_TEST_FUNCTION = 3_000
const DEEPEST_NESTING = 3
const LONGEST_LINE = 100

/** A message with values is one literal: the compiler reads their names in it. */
const MESSAGE = /^\s*(message=)?(['"`]).*\2,?$/

const SUPPRESSIONS = pattern(
  /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint|biome|prettier)-(disable|ignore)/,
  /|\b(TODO|FIXME|XXX)\b/,
)

const DEVICE = pattern(
  /\b(localStorage|sessionStorage|document\.cookie|navigator\.languages?|resolvedOptions)\b/,
  /(?!')/g,
)
const OFF_DEVICE = /^src\/app\/(?!ui\/device\/)/

export const shapeRules: Rule[] = [
  {
    name: `no file has more than ${LONGEST_FILE} characters`,
    check: ({ path, text }) => (lengthOf(text) > LONGEST_FILE ? [`${path} is too long`] : []),
    offender: { path: 'src/core/long.ts', text: 'const line = 1\n'.repeat(LONGEST_FILE / 14) },
  },
  {
    name: `no line but a message is longer than ${LONGEST_LINE} characters`,
    check: ({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          line.length > LONGEST_LINE && !MESSAGE.test(line) ? [`${path}:${index + 1}`] : [],
        ),
    offender: { path: 'src/core/long.ts', text: `const sum = ${'1 + '.repeat(LONGEST_LINE / 4)}1` },
  },
  {
    name:
      `no function has over ${LONGEST_FUNCTION} characters and ${MOST_LINES} lines, ` +
      `${LONGEST_TEST_FUNCTION} characters in tests`,
    check: (source) => findNodes(source, (node) => tooLong(source, node)),
    offender: {
      path: 'src/core/long.ts',
      text: `function long() {\n${'  work()\n'.repeat(LONGEST_FUNCTION / 6)}}`,
    },
  },
  {
    name: `nothing is nested deeper than ${DEEPEST_NESTING}`,
    check: (source) => findNodes(source, tooDeep),
    offender: {
      path: 'src/core/deep.ts',
      text: `${'if (more) { '.repeat(DEEPEST_NESTING + 1)}${'}'.repeat(DEEPEST_NESTING + 1)}`,
    },
  },
  {
    name: 'nothing is of type any',
    check: (source) =>
      findNodes(source, ({ kind }) => (kind === ts.SyntaxKind.AnyKeyword ? 'any' : undefined)),
    offender: { path: 'src/core/loose.ts', text: 'const loose = value as any' },
  },
  {
    name: 'no value is asserted to be present with !',
    check: (source) => findNodes(source, assertsPresence),
    offender: { path: 'src/core/loose.ts', text: 'const first = list[0]!' },
  },
  {
    name: 'no type is asserted that the value cannot have: as unknown as, as never',
    check: (source) =>
      source.path.startsWith('src/') && !isTest(source.path)
        ? findNodes(source, assertsAnyType)
        : [],
    offender: { path: 'src/core/loose.ts', text: 'const row = text as unknown as Row' },
  },
  {
    name: 'no check is suppressed and no comment leaves work to do',
    check: suppressions,
    offender: { path: 'src/core/late.ts', text: 'const rate = 1 // TODO: ask' },
  },
  {
    name: 'only what is disabled is dimmed: dimmed text is too faint to read',
    check: ({ path, text }) =>
      path.startsWith('src/app/') ? (text.match(/(?<!disabled:)\bopacity-[1-9]\d*\b/g) ?? []) : [],
    offender: { path: 'src/app/bots/old.tsx', text: '<p className={isOld ? "opacity-60" : ""} />' },
  },
  {
    name: 'no field cuts what is typed or pasted: a check refuses what is too long',
    check: ({ path, text }) =>
      /^src\/(app|server)\//.test(path) && !/\.test\.tsx?$/.test(path)
        ? (text.match(/\bmaxlength\s*[=:]/gi) ?? [])
        : [],
    offender: { path: 'src/app/bots/name.tsx', text: '<input maxLength={17} />' },
  },
  {
    name: 'only the folder device reads zone, languages, cookies and storage',
    check: ({ path, text }) =>
      OFF_DEVICE.test(path) && !/\.test\.tsx?$/.test(path) ? (text.match(DEVICE) ?? []) : [],
    offender: { path: 'src/app/profile/theme.ts', text: "localStorage.setItem('theme', theme)" },
  },
  {
    name: 'only typing.ts decides whether a key press is Enter: one that ends a word is not',
    check: ({ path, text }) =>
      path.startsWith('src/app/') && !path.endsWith('ui/device/typing.ts')
        ? (text.match(/'Enter'|\.?isComposing\b/g) ?? [])
        : [],
    offender: {
      path: 'src/app/help/form.tsx',
      text: "if (event.key === 'Enter' && !event.isComposing) send()",
    },
  },
  {
    name: 'no test is skipped, run alone or left to be written',
    check: (source) => findNodes(source, leftOutTest),
    offender: { path: 'src/core/money.test.ts', text: "test.skip('later', () => {})" },
  },
]

function tooLong(source: Source, node: ts.Node): string | undefined {
  const length = functionLength(source, node)
  if (length === undefined) return undefined
  const isProduct = /^(src|scripts)\//.test(source.path) && !/\.test\.tsx?$/.test(source.path)
  const lines = node.getText(source.tree).split('\n').length
  const isLong = isProduct
    ? length > LONGEST_FUNCTION || lines > MOST_LINES
    : length > LONGEST_TEST_FUNCTION
  return isLong ? `a function of ${length} characters and ${lines} lines` : undefined
}

/** Characters of a function without indents; undefined for any other node and for a suite. */
export function functionLength(source: Source, node: ts.Node): number | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || isSuite(node))
    return undefined
  return lengthOf(node.getText(source.tree))
}

/** Characters of a text without indents and line breaks. */
export function lengthOf(text: string): number {
  return text.replaceAll(/\s+/g, ' ').length
}

/** The function given to `describe` only groups tests. */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression.getText().startsWith('describe')
}

const NESTING = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.TryStatement,
])

function tooDeep(node: ts.Node): string | undefined {
  const depth = depthOf(node)
  return depth > DEEPEST_NESTING ? `nested ${depth} deep` : undefined
}

/** Counts from the innermost statement up to the function around it; `else if` goes no deeper. */
export function depthOf(node: ts.Node): number {
  if (!NESTING.has(node.kind)) return 0
  let depth = 0
  for (let at = node; !ts.isSourceFile(at) && !ts.isFunctionLike(at); at = at.parent) {
    const isElseIf =
      ts.isIfStatement(at) && ts.isIfStatement(at.parent) && at.parent.elseStatement === at
    if (NESTING.has(at.kind) && !isElseIf) depth += 1
  }
  return depth
}

function assertsPresence(node: ts.Node): string | undefined {
  const isDefinite =
    (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
    node.exclamationToken !== undefined
  return ts.isNonNullExpression(node) || isDefinite ? 'asserts with !' : undefined
}

function assertsAnyType(node: ts.Node): string | undefined {
  if (!ts.isAsExpression(node)) return undefined
  const isTwice =
    ts.isAsExpression(node.expression) && node.expression.type.kind === ts.SyntaxKind.UnknownKeyword
  return isTwice || node.type.kind === ts.SyntaxKind.NeverKeyword ? node.getText() : undefined
}

function suppressions(source: Source): Finding[] {
  const wrong = commentsOf(source).filter(({ text }) => SUPPRESSIONS.test(text))
  return wrong.map(({ text, line }) => `${source.path}:${line} ${text}`)
}

function leftOutTest(node: ts.Node): string | undefined {
  if (
    !ts.isPropertyAccessExpression(node) ||
    !/^(skip|only|todo|skipIf|runIf|fails)$/.test(node.name.text)
  )
    return undefined
  return /^(test|it|describe|suite|bench)\b/.test(node.expression.getText())
    ? `.${node.name.text}`
    : undefined
}
