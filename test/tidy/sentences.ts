import ts from 'typescript'
import { findNodes, isTest, lineOf, type Finding, type Rule, type Source } from './source.ts'

const SENTENCE = /^(?:\S+ ){3,}\S*[.?!]$/

/**
 * Sentences of at least four words that occur more than once in the product. Each belongs in one
 * place; all others import it.
 */
export function repeatedSentences(sources: Source[]): Finding[] {
  const places = new Map<string, string[]>()
  for (const source of sources.filter(({ path }) => path.startsWith('src/') && !isTest(path))) {
    for (const { sentence, line } of sentencesOf(source))
      places.set(sentence, [...(places.get(sentence) ?? []), `${source.path}:${line}`])
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([sentence, found]) => `"${sentence}" stands in ${found.join(' and ')}`)
}

/** Strings and texts of markup that are sentences, with line breaks as spaces. */
function sentencesOf(source: Source): { sentence: string; line: number }[] {
  const found: { sentence: string; line: number }[] = []
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isJsxText(node)
    const sentence = isText ? node.text.replaceAll(/\s+/g, ' ').trim() : ''
    if (SENTENCE.test(sentence))
      found.push({ sentence, line: lineOf(source, node.getStart(source.tree)) })
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return found
}

const REFUSALS = 'src/core/refusal.ts'

/**
 * Refusal codes that no file of the product names, except their list and the table of their
 * sentences.
 */
export function unusedRefusals(sources: Source[]): Finding[] {
  const codes = sources.filter(({ path }) => path === REFUSALS).flatMap(literalsOf)
  const users = sources.filter(
    ({ path }) =>
      path.startsWith('src/') &&
      path !== REFUSALS &&
      !/^src\/contract\/[a-z-]*problems?\.ts$/.test(path) &&
      !isTest(path),
  )
  const used = new Set(users.flatMap(literalsOf))
  return [...new Set(codes)]
    .filter((code) => /^[a-z]+(-[a-z]+)*$/.test(code) && !used.has(code))
    .map((code) => `${REFUSALS} lists ${code}`)
}

function literalsOf({ tree }: Source): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

export const sentenceRules: Rule[] = [
  {
    name: 'amounts in sentences are printed by moneyText or englishMoneyText',
    check: (source) =>
      source.path.startsWith('src/') && !isTest(source.path) ? findNodes(source, printsAmount) : [],
    offender: {
      path: 'src/core/bots/bot.ts',
      text: 'const sentence = `Up to $${unitsToDecimal(available, 2)} can be withdrawn.`',
    },
  },
  {
    name: 'moneyText prints currencies, and no formatter of the platform does',
    check: (source) =>
      source.path.startsWith('src/') && !isTest(source.path)
        ? findNodes(source, (node) =>
            ts.isStringLiteral(node) &&
            node.text === 'currency' &&
            ts.isPropertyAssignment(node.parent)
              ? 'formats a currency'
              : undefined,
          )
        : [],
    offender: {
      path: 'src/server/help/library.ts',
      text: "const dollars = new Intl.NumberFormat('de', { style: 'currency', currency: 'USD' })",
    },
  },
  {
    name: "screens print figures and dates in the reader's spelling",
    check: (source) => (ofReaders(source.path) ? findNodes(source, printsEnglish) : []),
    offender: {
      path: 'src/app/bots/bot-list.tsx',
      text:
        "import { englishMoneyText, signOf } from '#core/money/text.ts'\nconst figure = " +
        'worth.toFixed(2)',
    },
  },
]

const ofReaders = (path: string): boolean => /^src\/(app|contract)\//.test(path) && !isTest(path)

/** Printers that ignore the reader's language: core's English ones, and those of JavaScript. */
function printsEnglish(node: ts.Node): string | undefined {
  if (ts.isImportSpecifier(node) && /^english(MoneyText|MoneyParts|Digits)$/.test(node.name.text))
    return `imports ${node.name.text}`
  if (
    ts.isPropertyAccessExpression(node) &&
    /^to(Fixed|Precision|Locale(Date|Time)?String)$/.test(node.name.text)
  )
    return `calls ${node.name.text}`
  return undefined
}

/** A dollar sign before a figure that `unitsToDecimal` wrote without separators. */
function printsAmount(node: ts.Node): string | undefined {
  if (!ts.isTemplateExpression(node)) return undefined
  const before = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
  const wrong = node.templateSpans.find(
    ({ expression }, place) =>
      before[place]?.text.endsWith('$') && expression.getText().includes('unitsToDecimal'),
  )
  return wrong && `prints $${wrong.expression.getText()}`
}
