import ts from 'typescript'
import { findNodes, isTest, type Rule, type Source } from './source.ts'

const isProduct = ({ path }: Source): boolean => path.startsWith('src/') && !isTest(path)

/**
 * Files that send texts of the product's own: migrations, roles and their rights, the plan of a
 * distribution, the checks and columns of the ledger, columns of rows, names of tables to back up,
 * and the steps of a sleeve.
 */
const OWN_STATEMENTS = new RegExp(
  '^src/server/(db/(statement|rows|migrate|prepare|embedded/app-role|distribution/distribute)|' +
    'ledger/(reconcile|write-bookings)|ops/backup/backup|trading/sleeve-status)\\.ts$',
)

/** Threat: user input must never be run: as code, as markup, by a shell, or as a statement. */
export const executionRules: Rule[] = [
  {
    name: 'no text becomes code or markup',
    check: (source) => (isProduct(source) ? findNodes(source, codeOrMarkup) : []),
    offender: { path: 'src/app/help/answer.tsx', text: 'element.innerHTML = answer' },
  },
  {
    name: 'programs start with a list of arguments, and no shell reads them',
    check: (source) => (isProduct(source) ? findNodes(source, shell) : []),
    offender: {
      path: 'src/server/ops/backup.ts',
      text: "import { exec } from 'node:child_process'",
    },
  },
  {
    name: 'statements are templates with values, but for those of the product’s own',
    check: (source) =>
      isProduct(source) && !OWN_STATEMENTS.test(source.path) ? findNodes(source, rawStatement) : [],
    offender: { path: 'src/server/bots/store.ts', text: 'await sql.unsafe(`select ${name}`)' },
  },
  {
    name: 'secrets come from the system’s generator; Math.random only spreads retries',
    check: (source) =>
      isProduct(source) && !SPREADS_RETRIES.test(source.path) ? findNodes(source, guessable) : [],
    offender: {
      path: 'src/server/auth/session.ts',
      text: 'const secret = Math.random().toString(36)',
    },
  },
  {
    name: 'scripts read and write cookies in one place, which makes them Secure over TLS',
    check: (source) =>
      isProduct(source) && source.path !== 'src/app/ui/device/cookie-of.ts'
        ? findNodes(source, cookie)
        : [],
    offender: { path: 'src/app/profile/theme.ts', text: "document.cookie = 'theme=dark'" },
  },
]

const SPREADS_RETRIES = new RegExp(
  '^src/(server/(db/(listen|atomically)|market/feed-live|notices/deliver)|' +
    'app/api/(event-stream|refetcher))\\.ts$',
)

function guessable(node: ts.Node): string | undefined {
  return ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random'
    ? 'Math.random'
    : undefined
}

function cookie(node: ts.Node): string | undefined {
  return ts.isPropertyAccessExpression(node) && node.getText() === 'document.cookie'
    ? 'document.cookie'
    : undefined
}

const MARKUP = /^(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)$/

function codeOrMarkup(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) && MARKUP.test(node.text)) return node.text
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'document.write')
    return 'document.write'
  if (ts.isCallExpression(node) && node.expression.getText() === 'eval') return 'eval'
  if (ts.isNewExpression(node) && node.expression.getText() === 'Function') return 'new Function'
  return undefined
}

function shell(node: ts.Node): string | undefined {
  if (ts.isImportSpecifier(node) && /^exec(Sync)?$/.test((node.propertyName ?? node.name).text))
    return node.getText()
  return ts.isPropertyAssignment(node) && node.name.getText() === 'shell' ? 'shell' : undefined
}

function rawStatement(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Fragment') return 'new Fragment'
  return ts.isPropertyAccessExpression(node) && node.name.text === 'unsafe' ? '.unsafe' : undefined
}
