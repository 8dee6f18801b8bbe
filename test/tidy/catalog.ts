import ts from 'typescript'
import { findNodes, isTest, type Rule, type Source } from './source.ts'

/**
 * Functions whose texts are messages of the catalog, and the element that shows a message with
 * elements in it.
 */
const SPEAKERS = new Set(['t', 'say', 'msg', 'tCount', 'english'])
const ELEMENT = 'Trans'

/**
 * The messages in a file, as the catalogs list them. A message about a number of things has the
 * form for several.
 */
export function messagesOf(source: Source): string[] {
  if (isTest(source.path) || !source.path.startsWith('src/')) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text === undefined) return ts.forEachChild(node, visit)
    if (isMessage(node) && !isForOne(node)) found.push(text)
  }
  visit(source.tree)
  return found
}

/** The names in braces and the tags of a message, sorted. A translation has the same. */
export function slotsOf(message: string): string[] {
  return [...message.matchAll(/\{\w+\}|<\/\w+>/g)].map(([slot]) => slot).toSorted()
}

/** A literal, or several joined by `+`, which break a long message over lines. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === undefined || right === undefined ? undefined : left + right
}

function isMessage(node: ts.Node): boolean {
  return Boolean(textOf(node)) && (isSpoken(node) || isMessageOfElement(node))
}

/**
 * True within the arguments of one of the functions, also inside a condition or the pair of
 * `tCount`.
 */
function isSpoken(node: ts.Node): boolean {
  let inner = node
  for (let outer = node.parent; outer; inner = outer, outer = outer.parent) {
    if (ts.isCallExpression(outer))
      return (
        ts.isIdentifier(outer.expression) &&
        SPEAKERS.has(outer.expression.text) &&
        isMessageArgument(outer, inner)
      )
    if (ts.isJsxExpression(outer) || ts.isBlock(outer)) return false
    // Users do not see the key of a table or the text that a condition compares.
    if (ts.isElementAccessExpression(outer) && inner === outer.argumentExpression) return false
    if (ts.isConditionalExpression(outer) && inner === outer.condition) return false
  }
  return false
}

function isMessageArgument(
  { expression, arguments: given }: ts.CallExpression,
  argument: ts.Node,
): boolean {
  return argument === given[ts.isIdentifier(expression) && expression.text === 'tCount' ? 1 : 0]
}

function isMessageOfElement({ parent }: ts.Node): boolean {
  return (
    ts.isJsxAttribute(parent) &&
    parent.name.getText() === 'message' &&
    ts.isJsxOpeningLikeElement(parent.parent.parent) &&
    parent.parent.parent.tagName.getText() === ELEMENT
  )
}

function isForOne({ parent }: ts.Node): boolean {
  return ts.isPropertyAssignment(parent) && parent.name.getText() === 'one'
}

/** Attributes that hold no words. */
const CODE = new RegExp(
  '^(className|style|d|viewBox|type|name|id|href|to|key|role|look|tone|rel|as|media|src|fill|' +
    'stroke|transform|autoComplete|inputMode|pattern|htmlFor|size|sign|precision|data-\\S+|' +
    'aria-(controls|labelledby|describedby|live|current|haspopup|hidden|expanded|busy|invalid|' +
    'pressed|orientation|selected|modal))$',
)

/** Names of keys, units, coins and the like, which no language translates. */
const NAMES = new RegExp(
  '^(Arrow(Up|Down|Left|Right)|Home|End|Enter|Escape|Tab|Page(Up|Down)|Space|Delete|Backspace|' +
    'GET|POST|PATCH|PUT|DELETE|UTC|USD|USDT|BTC|ETH|Polygon|[A-Z]{2,5}/USDT|Error)$',
)

/** A word that begins with a capital letter, or several words. */
const WORDS = /^\s*[A-Z][a-z]+[\s.,:?!…]|^\s*[A-Z][a-z]+$|[a-z]{2,} [a-z]{2,}/

/** An arrow of one character or of two. The end of a comment in HTML is none. */
export const ARROW = /[\u2190-\u21FF\u27F0-\u27FF\u2900-\u297F\u2B00-\u2B11]|(?<!-)[-=]>/

/** Classes of the style sheet. */
const CLASSES = new RegExp(
  '(^|\\s)(\\S+:)*-?(p[xytblr]?|m[xytblr]?|text|border|grid|flex|[wh]|size|rounded|bg|min|max|' +
    'gap|items|font|shrink|outline|fill|stroke|inset|top|sr|cursor|opacity)-\\S',
)

export const catalogRules: Rule[] = [
  {
    name: 'the app shows no words outside the catalog',
    check: (source) => (isOfApp(source.path) ? findNodes(source, wordsOutside) : []),
    offender: { path: 'src/app/bots/bot-list.tsx', text: 'const list = <p>No bots yet</p>' },
  },
  {
    name: 'answers of the server hold no words outside the catalog',
    check: (source) => (isOfAnswers(source.path) ? findNodes(source, answersOutside) : []),
    offender: {
      path: 'src/server/bots/show-bot.ts',
      text: 'const show = () => ({ description: `Invested in bot ${name}` })',
    },
  },
  {
    name: 'no text for users holds an arrow, which screen readers call "right arrow"',
    check: (source) =>
      isOfApp(source.path) || isOfAnswers(source.path) || isOfWords(source.path)
        ? findNodes(source, (node) =>
            ARROW.test(literalOf(node)) && !isOfStatement(node)
              ? `has "${literalOf(node)}"`
              : undefined,
          )
        : [],
    offender: { path: 'src/core/strategy/reason.ts', text: 'const text = `${from} → ${to}`' },
  },
  {
    name: 'no message is said before the language is known',
    check: (source) =>
      isTest(source.path)
        ? []
        : findNodes(source, (node) =>
            isSpeaking(node) && !isInFunction(node)
              ? 'is said when the file is loaded: mark it with msg'
              : undefined,
          ),
    offender: { path: 'src/app/bots/bot-list.tsx', text: "const TITLE = t('Your bots')" },
  },
]

const isSpeaking = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  /^(t|say|tCount)$/.test(node.expression.text)

function isInFunction({ parent }: ts.Node): boolean {
  return parent !== undefined && (ts.isFunctionLike(parent) || isInFunction(parent))
}

/** The app without the worker, which shows nothing. */
const isOfApp = (path: string): boolean =>
  /^src\/app\/.*\.tsx?$/.test(path) && !path.startsWith('src/app/pwa/worker/') && !isTest(path)

const isOfWords = (path: string): boolean => path.startsWith('src/words/') && !isTest(path)

/** The text of a literal, of a part of a template, or between tags. */
function literalOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
    ? node.text
    : ''
}

/** True for a tagged template: a statement for the database. */
function isOfStatement({ parent }: ts.Node): boolean {
  return ts.isTemplateSpan(parent) || ts.isTemplateExpression(parent)
    ? isOfStatement(parent)
    : ts.isTaggedTemplateExpression(parent)
}

/**
 * Folders and files of the server whose texts only operators and programs read. They stay English.
 */
const FOR_OPERATORS = new RegExp(
  '^src/server/((ops|operators|console|db|exchange|jobs|kernel|ledger|security|settings)/|' +
    '[a-z-]+\\.ts$)|' +
    '/(bundle|open-api|mcp|health|live-health|build-app|venue-exchange|payout-batches|' +
    'bank-names|payout-proof|prove-payout|pay-out|halt-payouts)\\.ts$',
)

function isOfAnswers(path: string): boolean {
  return (
    /^src\/(core|contract|server)\//.test(path) &&
    !path.includes('/help/') &&
    !isTest(path) &&
    !FOR_OPERATORS.test(path) &&
    !path.endsWith('/ownership-message.ts')
  )
}

/** Properties of answers that people read. */
const READ = /^(message|sentence|reason|label|title|description|disclaimer|text|note|licence)$/

/** A whole sentence. Other words are found only where an answer has them. */
const SENTENCE = /^[A-Z][^<>{}]* [^<>{}]*[a-z][.!?]$/

/** Text that a card provider shows on its own pages. */
const OF_PROVIDER = /^(Deposit|Withdrawal)$/

function answersOutside(node: ts.Node): string | undefined {
  const text = literalOf(node)
  const isShown =
    SENTENCE.test(text) || (WORDS.test(text) && isRead(node) && !OF_PROVIDER.test(text))
  return isShown && !isMessage(node) && !isForDevelopers(node) ? `has "${text}"` : undefined
}

/** True within the value of a property that people read, also inside a condition or a template. */
function isRead({ parent }: ts.Node): boolean {
  if (parent === undefined || ts.isTypeNode(parent) || ts.isCallExpression(parent)) return false
  if (ts.isPropertyAssignment(parent)) return READ.test(parent.name.getText())
  return ts.isExpression(parent) || ts.isTemplateSpan(parent) ? isRead(parent) : false
}

/** Errors other than refusals, and the log. */
function isForDevelopers({ parent }: ts.Node): boolean {
  if (parent === undefined) return false
  if (ts.isNewExpression(parent) && parent.expression.getText() !== 'Refusal') return true
  if (
    ts.isCallExpression(parent) &&
    /^(assert|required|(\S+\.)?log(ger)?\.\w+|console\.\w+)$/.test(parent.expression.getText())
  )
    return true
  return isForDevelopers(parent)
}

function wordsOutside(node: ts.Node): string | undefined {
  if (ts.isJsxText(node))
    return /[A-Za-z]{2,}/.test(node.text) ? `shows "${node.text.trim()}"` : undefined
  const text = literalOf(node)
  if (!WORDS.test(text) || NAMES.test(text.trim()) || CLASSES.test(text) || isCode(node))
    return undefined
  return isMessage(node) ? undefined : `has "${text}"`
}

/** Imports, types, errors for developers, and attributes without words. */
function isCode(node: ts.Node): boolean {
  for (let { parent } = node; parent; { parent } = parent) {
    if (ts.isImportDeclaration(parent) || ts.isTypeNode(parent) || ts.isThrowStatement(parent))
      return true
    if (ts.isJsxAttribute(parent)) return CODE.test(parent.name.getText())
    if (
      ts.isCallExpression(parent) &&
      /^(assert|required|console\.\w+|cx|Error)$/.test(parent.expression.getText())
    )
      return true
    if (ts.isNewExpression(parent)) return true
  }
  return false
}
