import { access, constants, stat } from 'node:fs/promises'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/security/audit.ts'
import { codeOf } from '#server/kernel/errors.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { checkBook, isUsed } from '#server/db/check-book.ts'
import type { Sql } from '#server/db/open.ts'
import { rows } from '#server/db/rows.ts'
import { type Queries, part } from '#server/db/statement.ts'
import { forgetHead } from '#server/kernel/kept-head.ts'
import { sealNow } from '#server/ledger/guard-seals.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { haltPayouts } from '#server/withdrawals/halt-payouts.ts'
import { refusal, type UnattendedCommand } from '../command.ts'
import {
  findDifference,
  HEADER,
  Header,
  Manifest,
  MANIFEST,
  manifestMaker,
  keptColumnsOf,
  refusalOfFile,
  schemaOf,
  tablesOf,
} from './manifest.ts'
import { readRecords, type BackupRecord } from './sealed-file.ts'
import { findBrokenAccounts, sealAllAccounts } from '#server/security/account-seal.ts'
import {
  contentOfBook,
  contentOfEvent,
  contentOfTransfer,
  openSeals,
  type BookIdentity,
} from '#server/kernel/seal.ts'
import { sealedEvents, sealedTransfers } from '#server/ledger/sealed-rows.ts'
import { seal, unseal } from '#server/kernel/sealed.ts'

/** Must be called before anything is connected or created. */
export async function refuseUnreadable([file = '']: readonly string[]): Promise<void> {
  if (file === '') throw refusal('Give the file to read: npm run ops -- restore FILE')
  try {
    await access(file, constants.R_OK)
    if ((await stat(file)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  } catch (error) {
    throw refusalOfFile(error, file) ?? error
  }
}

/** Restores a backup in one transaction, only into an empty database, then reconciles. */
export const restore: UnattendedCommand = async (context, [file = '']) => {
  const { sql, config } = context
  await refuseUsed(sql)
  const { id } = await atomically(sql, async (tx) => {
    await switchTriggersOff(tx)
    const header = await readBook(tx, { file, config })
    if (config.PREVIOUS_SESSION_SECRET !== undefined) {
      await changeSecret(tx, {
        book: header.book,
        from: config.PREVIOUS_SESSION_SECRET,
        to: config.SESSION_SECRET,
      })
    }
    await continueNumbering(tx)
    return header.book
  })
  const restored = { ...context, ...(await checkBook(sql, config)) }
  await forgetHead(config.DATA_DIR, id)
  const differences = await reconcile(restored)
  await auditCommand(restored, { action: 'restore', subject: file })
  // Threat: a payout that was sent after the backup is sent again.
  await haltPayouts(restored, {
    actor: 'system',
    reason: 'the book was restored from a backup, and payouts may have been sent since',
  })
  await sealNow(restored)
  const lines =
    differences.length === 0
      ? ['Restored, and the book is in order.']
      : differences.map(({ check, subject }) => `DIFFERS  ${check}: ${subject}`)
  return { lines: [...lines, HALTED], ok: differences.length === 0 }
}

const HALTED =
  'Payouts are halted: mark those that were sent after the backup, then run npm run ops -- ' +
  'payouts resume.'

/**
 * Disables triggers, which would refuse rows of a backup, such as entries before their balances.
 */
async function switchTriggersOff(tx: Queries): Promise<void> {
  const [who] = await tx<
    { role: string; may: boolean }[]
  >`select current_user as role, has_parameter_privilege('session_replication_role', 'set') as may`
  if (who?.may === false) {
    const sentence =
      `The role ${who.role} may not switch triggers off, as a restore must: a superuser runs ` +
      `GRANT SET ON PARAMETER session_replication_role TO ${who.role}. Nothing was restored.`
    throw refusal(sentence)
  }
  await tx`set local session_replication_role = replica`
}

type Source = { file: string; config: Context['config'] }

/** Any fault in the file undoes everything. */
async function readBook(tx: Queries, { file, config }: Source): Promise<Header> {
  const records = readRecords(file, config.PREVIOUS_SESSION_SECRET ?? config.SESSION_SECRET)
  try {
    const header = await readHeader(tx, {
      first: (await records.next()).value as BackupRecord | undefined,
      file,
      kind: config.BOOK,
    })
    for (const table of await tablesOf(tx)) await tx`delete from ${tx(table)}`
    await readTables(tx, { records, file })
    return header
  } catch (error) {
    const isDamaged = error instanceof SyntaxError || DAMAGE.test(codeOf(error))
    if (isDamaged) throw refusal(`${file} is not a complete backup: nothing was restored.`)
    throw refusalOfFile(error, file) ?? error
  } finally {
    // Closes the file, however far it was read.
    await records.return(undefined)
  }
}

/**
 * Error codes of PostgreSQL (bad values, violated constraints, unknown names) for a damaged file.
 */
const DAMAGE = /^(22|23|42)/

async function readHeader(
  tx: Queries,
  { first, file, kind }: { first: BackupRecord | undefined; file: string; kind: string },
): Promise<Header> {
  if (first?.name !== HEADER) throw cutOff(file)
  const header = Header.parse(JSON.parse(first.text))
  if (header.book.kind !== kind) {
    throw refusal(
      `${file} is of a ${header.book.kind} book and BOOK=${kind}: a book never changes its ` +
        'kind. Nothing was restored.',
    )
  }
  if (header.schema === (await schemaOf(tx))) return header
  throw refusal(
    'This backup was made by another version: restore it with that version, then upgrade.',
  )
}

const cutOff = (file: string): Refusal =>
  refusal(`${file} is cut off before its manifest. Nothing was restored.`)

/** Ends with the manifest, which must agree with what was read. */
async function readTables(
  tx: Queries,
  { records, file }: { records: AsyncGenerator<BackupRecord>; file: string },
): Promise<void> {
  const { add, manifest } = manifestMaker()
  for await (const { name, text } of records) {
    if (name !== MANIFEST) {
      add(name, { rows: await insertRows(tx, name, text), text })
      continue
    }
    const difference = findDifference(Manifest.parse(JSON.parse(text)), manifest())
    if (difference !== undefined)
      throw refusal(`${file} was altered in ${difference}. Nothing was restored.`)
    const { done } = await records.next()
    if (done === true) return
    throw refusal(`${file} was altered after its manifest. Nothing was restored.`)
  }
  throw cutOff(file)
}

async function insertRows(tx: Queries, table: string, rows: string): Promise<number> {
  if (!(await tablesOf(tx)).includes(table)) throw new SyntaxError('no such table')
  const columns = tx(await keptColumnsOf(tx, table))
  const { count } = await tx`
    insert into ${tx(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${tx(table)}, ${rows}::text::jsonb)`
  return count
}

/** Lets each identity column continue after its highest value. */
async function continueNumbering(tx: Queries): Promise<void> {
  const counted = await tx<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`
  for (const { table, column } of counted) {
    await tx`select setval(pg_get_serial_sequence(${table}, ${column}),
      coalesce(max(${tx(column)}), 0) + 1, false) from ${tx(table)}`
  }
}

async function refuseUsed(sql: Sql): Promise<void> {
  if (await isUsed(sql))
    throw refusal('This database already has users: restore into an empty one.')
}

type Change = { book: BookIdentity; from: string; to: string }

/**
 * Seals every row with the new secret and re-encrypts. A row whose old seal is broken ends the
 * restore.
 */
async function changeSecret(tx: Queries, { book, from, to }: Change): Promise<void> {
  const [before, after] = [openSeals({ secret: from, book }), openSeals({ secret: to, book })]
  await tx`update book set seal = ${after.sealOf('book', contentOfBook(book))}`
  for await (const found of sealedTransfers(tx, part`true`)) {
    const broken = found.find((row) => !before.fits(row.seal, 'transfer', contentOfTransfer(row)))
    if (broken) throw brokenSeal(`transfer ${broken.dedupKey}`)
    await tx`
      update ledger_transfers t set seal = given.seal
        from ${rows(found, {
          user_id: 'uuid',
          id: 'uuid',
          seal: ['text', (row) => after.sealOf('transfer', contentOfTransfer(row))],
        })}
       where t.user_id = given.user_id and t.id = given.id`
  }
  for await (const found of sealedEvents(tx, part`true`)) {
    const broken = found.find((row) => !before.fits(row.seal, 'audit event', contentOfEvent(row)))
    if (broken) throw brokenSeal(`audit event ${broken.id}`)
    await tx`update audit_events e set seal = given.seal
      from ${rows(found, {
        id: 'uuid',
        seal: ['text', (row) => after.sealOf('audit event', contentOfEvent(row))],
      })}
      where e.id = given.id`
  }
  // Accounts that were broken stay locked, because they get no valid seal of the new secret.
  const broken = await findBrokenAccounts(tx, before)
  await encryptAgain(tx, { from, to })
  await sealAllAccounts(tx, after, { except: new Set(broken) })
}

/**
 * Re-encrypts account numbers, and secrets of authenticators and webhooks. Recovery codes and push
 * subscriptions end, because they depend on the old secret.
 */
async function encryptAgain(tx: Queries, { from, to }: Pick<Change, 'from' | 'to'>): Promise<void> {
  const accounts = await tx<
    { userId: string; id: string; sealed: string }[]
  >`select user_id, id, account_number_sealed as sealed from bank_accounts`
  for (const { userId, id, sealed } of accounts) {
    const again = seal({ text: unseal({ sealed, userId, secret: from }), userId, secret: to })
    await tx`update bank_accounts set account_number_sealed = ${again} where user_id = ${userId}
      and id = ${id}`
  }
  const authenticators = await tx<
    { userId: string; sealed: string }[]
  >`select user_id, secret_sealed as sealed from authenticators`
  for (const { userId, sealed } of authenticators) {
    const again = seal({
      text: unseal({ sealed, userId, secret: from, purpose: 'authenticators' }),
      userId,
      secret: to,
      purpose: 'authenticators',
    })
    await tx`update authenticators set secret_sealed = ${again} where user_id = ${userId}`
  }
  const webhooks = await tx<
    { userId: string; id: string; sealed: string }[]
  >`select user_id, id, secret_sealed as sealed from webhooks`
  for (const { userId, id, sealed } of webhooks) {
    const purpose = 'webhooks'
    const text = unseal({ sealed, userId, secret: from, purpose })
    const again = seal({ text, userId, secret: to, purpose })
    await tx`update webhooks set secret_sealed = ${again}, earlier_sealed = null,
       earlier_until = null where user_id = ${userId} and id = ${id}`
  }
  await tx`delete from recovery_codes`
  await tx`delete from push_subscriptions`
}

function brokenSeal(what: string): Refusal {
  return refusal(`The seal of the ${what} is broken. Nothing was restored.`)
}
