import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { codeOf, StartupError } from '#server/kernel/errors.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { OpenBook } from '#server/db/book.ts'
import { checkBook, type BookOptions } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { keepHead, readHead } from '#server/kernel/kept-head.ts'
import {
  changedAccount,
  findBrokenSeals,
  findChangedAccounts,
  SEAL_CHECKS,
  type Difference,
} from './check-seals.ts'
import { sealBook } from './seal-book.ts'

/**
 * Opens the book of a migrated database for a server. Throws `StartupError` if the kind, the secret
 * or a seal is wrong.
 */
export async function openBook(
  sql: Sql,
  config: BookOptions & { DATA_DIR: string },
): Promise<OpenBook> {
  const book = await checkBook(sql, config)
  await refuseBrokenSeals({ ...book, config })
  return book
}

type Opened = Pick<OpenBook, 'sql' | 'seals'> & { config: Pick<Context['config'], 'DATA_DIR'> }
type Rows = 'all' | 'quick'

/**
 * Checks all seals, compares the chain with the kept head, and notes a broken seal for `GET
 * /health`.
 */
export async function checkSeals(
  { sql, seals, config }: Opened,
  rows: Rows,
): Promise<Difference[]> {
  const seen = await readHead(config.DATA_DIR, seals.book.id)
  const broken = await atOneMoment(sql, (tx) => findBrokenSeals(tx, seals, { seen, rows }))
  if (broken[0]) await noteBroken(sql, sentenceOf(broken[0]))
  return broken
}

/** Throws `StartupError` for a book with a broken seal. */
export async function refuseBrokenSeals(opened: Opened, rows: Rows = 'quick'): Promise<void> {
  const [first] = await checkSeals(opened, rows)
  if (first) throw new StartupError(sentenceOf(first))
}

export function sentenceOf({ check, subject, finding }: Difference): string {
  if (check === SEAL_CHECKS.account)
    return (
      `The account ${subject} is locked: ${finding}. See "A broken seal" in ` +
      'docs/going-live.md.'
    )
  return (
    `A seal of this book is broken (${check}; ${subject}: ${finding}): nothing may leave it. ` +
    'Run npm run ops -- reconcile, and see "A broken seal" in docs/going-live.md.'
  )
}

/** Stores a broken seal, which `GET /health` shows until a check finds no broken one. */
export async function noteBroken(sql: Sql, sentence: string): Promise<void> {
  await sql`insert into broken_seal (sentence) values (${sentence}) on conflict
    on constraint broken_seal_pkey do update set sentence = excluded.sentence`
}

/** Notifies operators if an account's seal caused the error; ignores other errors. */
export async function noteLockedAccount(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal && error.code === 'account-locked')) return
  const sentence = sentenceOf(changedAccount(error.values['user'] ?? ''))
  log.error(sentence)
  await noteBroken(sql, sentence)
}

/**
 * Lets a job over many accounts skip one with a broken seal, and notifies operators. Throws any
 * other error.
 */
export async function leaveLocked(
  context: Pick<Context, 'sql' | 'log'>,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Refusal && error.code === 'account-locked')) throw error
  await noteLockedAccount(context, error)
}

/**
 * Seals what was written since the last seal, and keeps the chain's new head outside the database.
 */
export async function sealNow(
  context: OpenBook & Pick<Context, 'config' | 'log' | 'now'>,
): Promise<void> {
  const { sql, config, log, now } = context
  const bookId = context.seals.book.id
  const kept = await readHead(config.DATA_DIR, bookId)
  const {
    head,
    broken: [first],
  } = await sealBook(context, { now: now(), seen: kept })
  if (first) {
    await noteBroken(sql, sentenceOf(first))
    log.error(sentenceOf(first))
  }
  if (head === undefined || (kept && kept.number >= head.number)) return
  await keepHead(config.DATA_DIR, bookId, head).catch((error: unknown) =>
    log.error({ code: codeOf(error) }, 'the head of the seals cannot be kept in DATA_DIR'),
  )
}

export async function noteWhole(sql: Sql): Promise<void> {
  await sql`delete from broken_seal`
}

/** Checks seals while the server runs. An account's broken seal locks only that account. */
export async function checkBookSeals(context: Context): Promise<void> {
  const { sql, seals, log } = context
  const [first] = [
    ...(await checkSeals(context, 'all')),
    ...(await atOneMoment(sql, (tx) => findChangedAccounts(tx, seals))),
  ]
  if (!first) return noteWhole(sql)
  await noteBroken(sql, sentenceOf(first))
  log.error(sentenceOf(first))
}

/**
 * Logs the head once a day, because a log stored elsewhere reveals a chain that was replaced
 * together with the kept head.
 */
export async function printHead({
  seals,
  config,
  log,
}: Pick<Context, 'seals' | 'config' | 'log'>): Promise<void> {
  const bookId = seals.book.id
  const head = await readHead(config.DATA_DIR, bookId)
  if (head)
    log.info(
      { book: bookId, number: String(head.number), seal: head.seal },
      'the newest seal of the book',
    )
}

export async function countSeals(sql: Sql): Promise<bigint> {
  const [row] = await sql<{ count: bigint }[]>`
    select (select count(*) from ledger_transfers) + (select count(*)
           from audit_events) + (select count(*) from book_seals) + 1 as count`
  return required(row, 'counts have a row').count
}
