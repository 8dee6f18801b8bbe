import ts from 'typescript'
import { findNodes, isTest, type Rule } from './source.ts'
import { pattern } from '../world/pattern.ts'

const PURE = /^src\/(core|contract)\//

/** Paths that work with amounts of money; in the app, that is everywhere. */
const NEAR_MONEY = new RegExp(
  [
    '^src/core/(money|trading|ledger|deposits|withdrawals|wallets)/',
    '^src/server/(ledger|deposits|withdrawals|wallets|bots|trading)/',
    '^src/app/',
  ].join('|'),
)

const MONEY_WORDS = pattern(
  /amount|balance|price|units|fee|cash|equity|profit/,
  /|cost|total|quantity|deposit|withdrawal|budget|invest/i,
)

/**
 * Drawing and statistics work with floats: their results are pictures and ratios, never amounts.
 */
const NOT_MONEY = pattern(
  /^src\/(core\/money\/signal|app\/ui\/(chart|curve))/,
  /|^src\/server\/bots\/(get-bot-performance|show-backtest)/,
)

const CLOCKS_AND_DICE =
  /^(Date\.now|Math\.random|performance\.now|crypto\.(randomUUID|getRandomValues))$/

export const effectRules: Rule[] = [
  {
    name: 'core and contract read neither clocks nor random numbers',
    check: (source) =>
      PURE.test(source.path) && !isTest(source.path) ? findNodes(source, timeOrChance) : [],
    offender: { path: 'src/core/trading/fill.ts', text: 'const at = new Date()' },
  },
  {
    name: 'in the app, only clock.ts reads clocks, as a device clock can be set back',
    check: (source) => {
      const isAllowed =
        !source.path.startsWith('src/app/') ||
        source.path === 'src/app/ui/device/clock.ts' ||
        isTest(source.path)
      return isAllowed ? [] : findNodes(source, deviceClock)
    },
    offender: { path: 'src/app/api/events.ts', text: 'const due = Date.now() + 50' },
  },
  {
    name: 'in the app, no duration is the difference of two times of the device',
    check: (source) =>
      source.path.startsWith('src/app/') &&
      !isTest(source.path) &&
      source.path !== 'src/app/ui/device/clock.ts'
        ? findNodes(source, deviceDuration)
        : [],
    offender: {
      path: 'src/app/api/events.ts',
      text: 'const passedMs = deviceTime().getTime() - startedAt',
    },
  },
  {
    name: 'in the app, only send-once.ts uses mutations, so that two presses send once',
    check: (source) => {
      const isAllowed =
        !source.path.startsWith('src/app/') || source.path === 'src/app/api/send-once.ts'
      return isAllowed
        ? []
        : findNodes(source, (node) =>
            ts.isIdentifier(node) && node.text === 'useMutation' ? node.text : undefined,
          )
    },
    offender: {
      path: 'src/app/auth/login.ts',
      text: "import { useMutation } from '@tanstack/react-query'",
    },
  },
  {
    name: 'no float touches money',
    check: (source) => {
      const isNear =
        NEAR_MONEY.test(source.path) && !NOT_MONEY.test(source.path) && !isTest(source.path)
      return isNear ? findNodes(source, floatOnMoney) : []
    },
    offender: { path: 'src/app/home/balance.tsx', text: 'const text = Number(account.balance)' },
  },
  {
    name: 'only signal.ts turns computed figures into units',
    check: (source) =>
      source.path.startsWith('src/') &&
      !isTest(source.path) &&
      source.path !== 'src/core/money/signal.ts'
        ? findNodes(source, unitsOfFigure)
        : [],
    offender: {
      path: 'src/server/record/show-record.ts',
      text: 'const units = BigInt(Math.floor(ratio * 100_000_000))',
    },
  },
  {
    name: 'no test has a time limit of its own: those of the configuration suit slow machines',
    check: (source) =>
      isTest(source.path) && !OWN_PATIENCE.includes(source.path)
        ? findNodes(source, timeLimit)
        : [],
    offender: {
      path: 'test/bots.test.ts',
      text: "test('a bot trades', { timeout: 60_000 }, async () => undefined)",
    },
  },
  {
    name: 'no `waitForFunction` is async: Playwright takes a promise for true at once',
    check: (source) => findNodes(source, asyncWait),
    offender: {
      path: 'test/browser/home.test.ts',
      text: 'await page.waitForFunction(async () => (await caches.keys()).length === 2)',
    },
  },
  {
    name: 'no `expect.poll` awaits its expected value: it is read once, perhaps too early',
    check: (source) => findNodes(source, awaitedByPoll),
    offender: {
      path: 'test/browser/charts.test.ts',
      text: 'await expect\n  .poll(() => spoken(page))\n  .toBe(await shown(page))',
    },
  },
  {
    name: 'only config.ts reads the environment',
    check: (source) => {
      const isOutside =
        !source.path.startsWith('src/') ||
        source.path === 'src/server/settings/config.ts' ||
        isTest(source.path)
      return isOutside
        ? []
        : findNodes(source, (node) => (textOf(node) === 'process.env' ? 'process.env' : undefined))
    },
    offender: { path: 'src/server/main.ts', text: "const port = process.env['PORT']" },
  },
  {
    name: 'only ledger/write-bookings.ts writes ledger entries',
    check: (source) =>
      source.path === 'src/server/ledger/write-bookings.ts' || isTest(source.path)
        ? []
        : findNodes(source, writesEntries),
    offender: {
      path: 'src/server/bots/store.ts',
      text: 'const query = sql`insert into\n  ledger_entries values (1)`',
    },
  },
  {
    name: 'only atomically.ts and migrate.ts begin transactions: others would not be retried',
    check: (source) => {
      // An ops command is a process of its own and may end with its database connection.
      const isAllowed =
        !source.path.startsWith('src/') ||
        isTest(source.path) ||
        /^src\/server\/(db\/(atomically|migrate)\.ts$|ops\/)/.test(source.path)
      return isAllowed ? [] : findNodes(source, driverTransaction)
    },
    offender: {
      path: 'src/server/bots/store.ts',
      text: 'await sql.begin(async (transaction) => {})',
    },
  },
]

function timeOrChance(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return 'new Date()'
  const text = textOf(node)
  return text !== undefined && CLOCKS_AND_DICE.test(text) ? text : undefined
}

function deviceClock(node: ts.Node): string | undefined {
  const isCall =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === 'Date' &&
    !node.arguments?.length
  if (isCall) return 'new Date()'
  const text = textOf(node)
  return text !== undefined &&
    /^(Date\.now|performance\.(now|timeOrigin)|window\.Date|globalThis\.Date)$|\.timeStamp$/.test(
      text,
    )
    ? text
    : undefined
}

function deviceDuration(node: ts.Node): string | undefined {
  if (!ts.isBinaryExpression(node)) return undefined
  const isComparing = [
    ts.SyntaxKind.MinusToken,
    ts.SyntaxKind.LessThanToken,
    ts.SyntaxKind.GreaterThanToken,
  ].includes(node.operatorToken.kind)
  return isComparing &&
    [node.left, node.right].some((side) => side.getText().includes('deviceTime()'))
    ? node.getText()
    : undefined
}

function floatOnMoney(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && (node.text === 'parseFloat' || node.text === 'toFixed'))
    return node.text
  if (ts.isBinaryExpression(node) && isTimesHundred(node)) return node.getText()
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'Number') return undefined
  const operand = node.arguments[0]?.getText() ?? ''
  return MONEY_WORDS.test(operand) ? `Number(${operand})` : undefined
}

function unitsOfFigure(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) &&
    node.expression.getText() === 'BigInt' &&
    /\bMath\.(round|floor|ceil|trunc)\(|\bNumber\(/.test(node.arguments[0]?.getText() ?? '')
    ? node.getText()
    : undefined
}

function isTimesHundred({ left, operatorToken, right }: ts.BinaryExpression): boolean {
  const isProduct =
    operatorToken.kind === ts.SyntaxKind.AsteriskToken ||
    operatorToken.kind === ts.SyntaxKind.SlashToken
  return isProduct && [left, right].some((side) => ts.isNumericLiteral(side) && side.text === '100')
}

function writesEntries(node: ts.Node): string | undefined {
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  return isText && /insert\s+into\s+ledger_entries/i.test(node.text)
    ? 'writes ledger entries'
    : undefined
}

function driverTransaction(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined
  const { name, expression } = node.expression
  return /^(begin|reserve)$/.test(name.text) && /sql|database|pool/i.test(expression.getText())
    ? `.${name.text}()`
    : undefined
}

function textOf(node: ts.Node): string | undefined {
  return ts.isPropertyAccessExpression(node) ? node.getText() : undefined
}

/** Rules about limits, and where browsers get theirs. */
const OWN_PATIENCE = ['test/tidy/effects.ts', 'test/browser/chromium.ts']
/**
 * Shorter times are allowed: they end a search for what must not be there, or close a connection.
 */
const SHORT_LIMIT_MS = 10_000

function asyncWait(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const called = node.expression.getText()
  const [predicate] = node.arguments
  const isAsync = predicate !== undefined && predicate.getText().startsWith('async ')
  return isAsync && called.endsWith('.waitForFunction') ? called : undefined
}

function awaitedByPoll(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined
  const polls = /^expect\s*\.poll\(/.test(node.expression.getText())
  return polls && node.arguments.some((value) => value.getText().includes('await '))
    ? node.expression.name.text
    : undefined
}

function timeLimit(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const called = node.expression.getText()
  if (called.endsWith('.setDefaultTimeout')) return called
  const last = node.arguments.at(-1)
  const runs =
    /^(test|describe|(before|after)(All|Each))\b/.test(called) && !called.endsWith('.each')
  if (runs && last !== undefined && node.arguments.length > 1 && isLimit(last))
    return `${called.split('(')[0]} with a limit`
  const options = node.arguments
    .filter(ts.isObjectLiteralExpression)
    .flatMap(({ properties }) => [...properties])
  const limits = options
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => name.getText() === 'timeout')
  return limits.some(({ initializer }) => runs || isLong(initializer))
    ? `${called.split('(')[0]} with a limit`
    : undefined
}

const isLimit = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) || (ts.isIdentifier(node) && node.text.endsWith('_MS'))
const isLong = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) && Number(node.text.replaceAll('_', '')) >= SHORT_LIMIT_MS
