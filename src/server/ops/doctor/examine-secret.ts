import { readFile } from 'node:fs/promises'
import { atOneMoment } from '#server/db/atomically.ts'
import { findBook } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { headFileOf, readHead } from '#server/kernel/kept-head.ts'
import { contentOfBook, openSeals } from '#server/kernel/seal.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { findBrokenSeals } from '#server/ledger/check-seals.ts'
import { secretFileOf } from '#server/settings/config.ts'
import type { Settings } from '#server/settings/settings.ts'
import { ok, wrong, type Verdict } from './finding.ts'

type Input = { settings: Settings; sql: Sql }

/** Whether the secret decrypts what users stored. */
export async function examineEncryption({ settings, sql }: Input): Promise<Verdict | undefined> {
  const secret = await secretOf(settings)
  if (secret === undefined) return undefined
  return (await secretFits(sql, secret))
    ? ok('the secret decrypts them')
    : wrong(
        'they were encrypted with another secret: set SESSION_SECRET to the one that was in ' +
          'use, or put its file back',
      )
}

/** Whether the book was sealed with this secret, and its newest seals are whole. */
export async function examineSeals({ settings, sql }: Input): Promise<Verdict | undefined> {
  const secret = await secretOf(settings)
  if (secret === undefined) return undefined
  const stored = await findBook(sql)
  if (!stored || stored.seal === null) return ok('the next start seals this book with the secret')
  const { seal, ...book } = stored
  const seals = openSeals({ secret, book })
  if (!seals.fits(seal, 'book', contentOfBook(book)))
    return wrong(
      'this book was sealed with another secret, or its kind was changed: it does not start',
    )
  const { DATA_DIR } = settings
  const seen = await readHead(DATA_DIR, book.id)
  const [broken] = await atOneMoment(sql, (tx) =>
    findBrokenSeals(tx, seals, { seen, rows: 'quick' }),
  )
  if (broken)
    return wrong(
      `${broken.check}; ${broken.subject}: ${broken.finding}. Run npm run ops -- reconcile, and ` +
        'see "A broken seal" in docs/going-live.md',
    )
  return ok(
    seen
      ? `whole; the newest is number ${seen.number}, kept in ${headFileOf(DATA_DIR, book.id)}`
      : 'whole; none has been seen by this installation yet',
  )
}

/** Undefined before the first start, which is a finding of its own. */
async function secretOf({ SESSION_SECRET, DATA_DIR }: Settings): Promise<string | undefined> {
  if (SESSION_SECRET !== undefined) return SESSION_SECRET
  return (await readFile(secretFileOf(DATA_DIR), 'utf8').catch(() => undefined))?.trim()
}

type Sealed = { userId: string; sealed: string }

/** Unseals the newest bank account, authenticator and webhook. True if there is nothing sealed. */
async function secretFits(sql: Queries, secret: string): Promise<boolean> {
  const accounts = await sql<Sealed[]>`
    select user_id, account_number_sealed as sealed from bank_accounts
     where account_number_sealed <> '' order by id desc limit 1`
  const authenticators = await sql<Sealed[]>`
    select user_id, secret_sealed as sealed from authenticators order by started_at desc limit 1`
  const webhooks = await sql<Sealed[]>`
    select user_id, secret_sealed as sealed from webhooks order by created_at desc limit 1`
  try {
    for (const account of accounts) unseal({ ...account, secret })
    for (const one of authenticators) unseal({ ...one, secret, purpose: 'authenticators' })
    for (const one of webhooks) unseal({ ...one, secret, purpose: 'webhooks' })
    return true
  } catch {
    // The seal was made with another secret: the cipher reports only that it does not match.
    return false
  }
}
