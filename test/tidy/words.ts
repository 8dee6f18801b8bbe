import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import {
  commentsOf,
  findNodes,
  isTest,
  lineOf,
  ROOT,
  type Finding,
  type Rule,
  type Source,
} from './source.ts'

export const GLOSSARY = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8')

/** The glossary's entries, each as a list of words: 'pool units' is ['pool', 'unit']. */
const ENTRIES = entriesOf(GLOSSARY).map((entry) => entry.split(/[ /]/).map(stemOf))

/** Phrases that readers stumble over, each with its replacement. */
const BANNED: readonly [phrase: RegExp, better: string][] = [
  [/^who\b/i, 'name the subject, such as a user or a member'],
  [/^what\b/i, 'name the thing, such as an amount or a result'],
  [/\bso often\b/i, 'give the number or the interval'],
  [/\banew\b/i, 'again'],
  [/\btold\b/i, 'sent, received, reported, shown'],
  [/\b(is|are|was|were|be|been|being|stays?|as|while) away\b/i, 'down, unavailable'],
]

/** Words that begin a title without a subject, which only the title of its group would give. */
const HEADLESS =
  /^(is|are|was|were|has|have|had|does|do|can|cannot|keeps|gives|and|but|that|which|whose|who|by)\b/

export const wordRules: Rule[] = [
  {
    name: 'each exported type of core, contract and words has a word of the glossary in its name',
    check: (source) =>
      /^src\/(core|contract|words)\//.test(source.path) && !isTest(source.path)
        ? findNodes(source, offGlossary)
        : [],
    offender: {
      path: 'src/core/trading/thing.ts',
      text: 'export type Thingamajig = { quantity: bigint }',
    },
  },
  {
    name: 'each type that folders of the server share has a word of the glossary in its name',
    check: sharedOffGlossary,
    offender: {
      path: 'src/server/trading/thing.ts',
      text: "import type { Thingamajig } from '#server/bots/thingamajig.ts'",
    },
  },
  {
    name: 'comments and titles avoid phrases that readers stumble over',
    check: bannedPhrases,
    offender: {
      path: 'src/core/trading/fill.ts',
      text: '/** What the venue did. */\nexport type Fill = { quantity: bigint }',
    },
  },
  {
    name: 'titles of tests begin with their subject',
    check: headlessTitles,
    offender: { path: 'src/core/a.test.ts', text: "test('is refused', () => {})" },
  },
]

/** Entries that two rows explain. */
export function explainedTwice(glossary: string): Finding[] {
  return entriesOf(glossary).filter((entry, index, all) => all.indexOf(entry) < index)
}

/** The first cells of all rows but those of the headings. */
function entriesOf(glossary: string): string[] {
  return glossary
    .split('\n')
    .flatMap((line) => /^\| (?!word \|)([^|]+) \|/.exec(line)?.[1]?.split(', ') ?? [])
}

function offGlossary(node: ts.Node): string | undefined {
  const declaresType =
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassDeclaration(node)
  if (
    !declaresType ||
    node.name === undefined ||
    !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
    return undefined
  return missesGlossary(node.name.text) ? `${node.name.text} is not in the glossary` : undefined
}

/** Types that a file of the server imports from another folder of the server. */
function sharedOffGlossary(source: Source): Finding[] {
  const own = /^src\/server\/([\w-]+)\//.exec(source.path)?.[1]
  if (!source.path.startsWith('src/server/') || isTest(source.path)) return []
  return findNodes(source, (node) => {
    if (!ts.isImportSpecifier(node)) return undefined
    const { text: from } = node.parent.parent.parent.moduleSpecifier as ts.StringLiteral
    const folder = /^#server\/([\w-]+)/.exec(from)?.[1]
    const name = (node.propertyName ?? node.name).text
    const isShared = folder !== undefined && folder !== own && /^[A-Z][a-z]/.test(name)
    return isShared && missesGlossary(name) ? `${name} is not in the glossary` : undefined
  })
}

function missesGlossary(name: string): boolean {
  const words = name.split(/(?=[A-Z])/).map(stemOf)
  return !ENTRIES.some((entry) =>
    words.some((_word, at) => entry.every((word, index) => words[at + index] === word)),
  )
}

/** Lower case, singular. */
function stemOf(word: string): string {
  return word.toLowerCase().replace(/s$/, '')
}

function bannedPhrases(source: Source): Finding[] {
  return [...commentsOf(source), ...titlesOf(source)].flatMap(({ text, line }) => {
    const found = BANNED.filter(([phrase]) => phrase.test(text.replace(/^[/*\s]+/, '')))
    return found.map(([phrase, better]) => `${source.path}:${line} ${phrase.source} (${better})`)
  })
}

function headlessTitles(source: Source): Finding[] {
  return titlesOf(source)
    .filter(({ text }) => HEADLESS.test(text))
    .map(({ text, line }) => `${source.path}:${line} ${text}`)
}

/** The titles of tests and of their groups. */
function titlesOf(source: Source): { text: string; line: number }[] {
  const titles: { text: string; line: number }[] = []
  const visit = (node: ts.Node): void => {
    const title =
      ts.isCallExpression(node) && /^(test|it|describe)\b/.test(node.expression.getText())
        ? node.arguments[0]
        : undefined
    if (title && ts.isStringLiteralLike(title))
      titles.push({ text: title.text, line: lineOf(source, title.getStart(source.tree)) })
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return titles
}
