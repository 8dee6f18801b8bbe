import { Refusal } from '#core/refusal.ts'
import { findBrokenAccounts, sealAllAccounts } from '#server/account-seal.ts'
import { part, type Queries } from '#server/db/statement.ts'
import {
  contentOfBook,
  contentOfEvent,
  contentOfTransfer,
  openSeals,
  type BookIdentity,
} from '#server/seal.ts'
import { sealedEvents, sealedTransfers } from '#server/ledger/sealed-rows.ts'
import { seal, unseal } from '#server/sealed.ts'

type Change = { book: BookIdentity; from: string; to: string }

/**
 * Seals every row of a book that is being restored with a new secret, and encrypts with it what the
 * old one had encrypted. A row whose old seal is broken ends the restore.
 */
export async function changeSecret(tx: Queries, { book, from, to }: Change): Promise<void> {
  const [before, after] = [openSeals({ secret: from, book }), openSeals({ secret: to, book })]
  await tx`update book set seal = ${after.sealOf('book', contentOfBook(book))}`
  for await (const rows of sealedTransfers(tx, part`true`)) {
    const broken = rows.find((row) => !before.fits(row.seal, 'transfer', contentOfTransfer(row)))
    if (broken) throw brokenSeal(`transfer ${broken.dedupKey}`)
    const seals = rows.map((row) => after.sealOf('transfer', contentOfTransfer(row)))
    await tx`
      update ledger_transfers t set seal = made.seal
        from unnest(${rows.map(({ userId }) => userId)}::uuid[],
             ${rows.map(({ id }) => id)}::uuid[], ${seals}::text[]) as made (user_id, id, seal)
       where t.user_id = made.user_id and t.id = made.id`
  }
  for await (const rows of sealedEvents(tx, part`true`)) {
    const broken = rows.find((row) => !before.fits(row.seal, 'audit event', contentOfEvent(row)))
    if (broken) throw brokenSeal(`audit event ${broken.id}`)
    const seals = rows.map((row) => after.sealOf('audit event', contentOfEvent(row)))
    await tx`update audit_events e set seal = made.seal
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${seals}::text[]) as made (id, seal)
      where e.id = made.id`
  }
  // They stay locked: no seal of the new secret fits them.
  const broken = await findBrokenAccounts(tx, before)
  await encryptAgain(tx, { from, to })
  await sealAllAccounts(tx, after, { except: new Set(broken) })
}

/**
 * Bank account numbers and the secrets of authenticator apps. Recovery codes have hashes under the
 * old secret and browsers know the old push key, so both end: their owners make new ones.
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
  await tx`delete from recovery_codes`
  await tx`delete from push_subscriptions`
}

function brokenSeal(what: string): Refusal {
  return new Refusal('invalid-input', {
    sentence: `The seal of the ${what} is broken. Nothing was restored.`,
  })
}
