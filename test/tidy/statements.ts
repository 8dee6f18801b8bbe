import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { findNodes, isTest, ROOT, type Rule } from './source.ts'

const MIGRATIONS = join(ROOT, 'src/server/db/migrations')

/**
 * Tables with rows of users: those whose first column is `user_id`, as a test of the schema
 * requires, and `users` itself.
 */
const USERS_TABLES = readdirSync(MIGRATIONS)
  .flatMap((name) => [
    ...readFileSync(join(MIGRATIONS, name), 'utf8').matchAll(
      /^create table (\w+) \(\s+user_id\b/gm,
    ),
  ])
  .flatMap(([, table]) => table ?? [])
  .concat('users')

const WORDS: readonly [word: RegExp, why: string][] = [
  [/\bctid\b/i, 'ctid: a row address, valid in one database only'],
  [/\boffset\s+0\b/i, 'offset 0: an optimization fence, which gathers all rows in one database'],
  [/\bskip\s+locked\b/i, 'skip locked: row locks across many users'],
]

/**
 * Updates and upserts of users' rows. A volatile function in one may differ from row to row, and
 * from database to database.
 */
const TABLE = `(?:${USERS_TABLES.join('|')})\\b`
const UPDATE = new RegExp(
  `\\bupdate\\s+${TABLE}(?:\\s+(?:as\\s+)?\\w+)?\\s+set\\b|` +
    `\\binsert\\s+into\\s+${TABLE}[^]*\\bdo\\s+update\\b`,
  'i',
)
const DELETE = new RegExp(`\\bdelete\\s+from\\s+${TABLE}`, 'i')
const VOLATILE =
  /\b(clock_timestamp|statement_timestamp|timeofday|random|gen_random_uuid|nextval)\s*\(/i

/** Forms that a distributed database refuses in a statement that changes users' rows. */
const REFUSED: readonly [form: RegExp, why: string][] = [
  [/\bcoalesce\((?:[^()]|\([^()]*\))*\bnow\(\)/i, 'now() in coalesce'],
  [/\bcase\b(?:(?!\bend\b)[^])*\bnow\(\)/i, 'now() in case'],
  [/\bor\s+(?:not\s+)?exists\b/i, 'exists as one side of or'],
  [/\breturning\b[^()]*\(/i, 'a computed column in returning'],
  [/\bas\s*\(\s*update\b[^]*\binsert\s+into\b/i, 'an insert of what an update returns'],
]

export const statementRules: Rule[] = [
  {
    name: 'every statement has one form, for one database and for one that is distributed',
    check: (source) =>
      isServer(source.path) && !KNOWS_NODES.test(source.path)
        ? findNodes(source, (node) =>
            ts.isIdentifier(node) && node.text === 'isDistributed' ? node.text : undefined,
          )
        : [],
    offender: {
      path: 'src/server/ledger/post.ts',
      text: 'const write = tx.isDistributed ? writeByUser : writeAtOnce',
    },
  },
  {
    name: 'no statement needs all rows of users in one database',
    check: (source) =>
      isServer(source.path)
        ? findNodes(
            source,
            (node) => WORDS.find(([word]) => word.test(statementOf(node) ?? ''))?.[1],
          )
        : [],
    offender: {
      path: 'src/server/bots/store.ts',
      text: 'const query = sql`select from trading_bots limit 5 for update skip\n  locked`',
    },
  },
  {
    name: 'an update of users’ rows gets times and random values as parameters',
    check: (source) => (isServer(source.path) ? findNodes(source, asksInUpdate) : []),
    offender: {
      path: 'src/server/bots/store.ts',
      text:
        'const query = sql`update trading_bots b\n  set name = ${name}, updated_at = ' +
        'clock_timestamp() where id = ${id}`',
    },
  },
  {
    name: 'an update of users’ rows has a form that a distributed database plans',
    check: (source) => (isServer(source.path) ? findNodes(source, refusedInUpdate) : []),
    offender: {
      path: 'src/server/bots/store.ts',
      text: 'const query = sql`update users set frozen_at = coalesce(frozen_at, now())`',
    },
  },
  {
    name: 'a statement on users’ rows names their user, or is one of those that go to all of them',
    check: (source) => (isServer(source.path) ? findNodes(source, ofNobody) : []),
    offender: {
      path: 'src/server/bots/store.ts',
      text: 'const query = sql`select name from trading_bots where id = ${id}`',
    },
  },
]

/** Folders that maintain a whole database must know whether it is distributed. */
const KNOWS_NODES = /^src\/server\/(db|ops)\/|^src\/server\/ledger\/reconcile\.ts$/

/**
 * Functions whose statements run in every shard of a distributed database: of the engine, of jobs,
 * of operators, and of checks. `findStays`, `findReach` and `findRows` name their user in a part.
 */
const FOR_ALL_USERS = new Set([
  'countDeliveries',
  'findRefusals',
  'countRows',
  'countSeals',
  'deleteEndedSessions',
  'deleteExpiredKeys',
  'deleteOldChallenges',
  'deleteOldProofs',
  'deleteOldRows',
  'encryptAgain',
  'endStays',
  'findIntent',
  'findLatelyClosed',
  'findReach',
  'findRows',
  'findStays',
  'findWritten',
  'isUsed',
  'join',
  'readBook',
  'refuseUsed',
  'sumLots',
  'findWaitingSales',
  'syncBots',
])

const NAMED = new RegExp(`\\b(from|join|update|into|using)\\s+${TABLE}`, 'i')

function ofNobody(node: ts.Node): string | undefined {
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() === 'part') return undefined
  const statement = (statementOf(node.template) ?? '').replaceAll(/\s+/g, ' ')
  const table = NAMED.exec(statement)?.[0]
  if (table === undefined || FOR_ALL_USERS.has(nameOf(node))) return undefined
  // Columns of `rows()` are named in an expression.
  if (/\buser_id\b/.test(node.template.getText())) return undefined
  return table.endsWith(' users') && /\bid = (\?|any\()|\busers \(id\b/.test(statement)
    ? undefined
    : `no user of: ${table}, in ${nameOf(node)}`
}

/** The function in which a statement is sent. */
function nameOf(node: ts.Node): string {
  for (let parent = node.parent; parent; parent = parent.parent)
    if (ts.isFunctionDeclaration(parent) && parent.name) return parent.name.text
  return ''
}

const isServer = (path: string): boolean => path.startsWith('src/server/') && !isTest(path)

function asksInUpdate(node: ts.Node): string | undefined {
  const statement = statementOf(node) ?? ''
  return UPDATE.test(statement) && VOLATILE.test(statement)
    ? `${VOLATILE.exec(statement)?.[1] ?? ''} in an update`
    : undefined
}

function refusedInUpdate(node: ts.Node): string | undefined {
  const statement = statementOf(node) ?? ''
  return UPDATE.test(statement) || DELETE.test(statement)
    ? REFUSED.find(([form]) => form.test(statement))?.[1]
    : undefined
}

/** The text of a template, with `?` for each expression. */
function statementOf(node: ts.Node): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? ')
}
