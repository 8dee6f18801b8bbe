import { required } from '#core/assert.ts'
import { HOUSE } from '#core/ledger/account.ts'
import { Refusal } from '#core/refusal.ts'
import { inOneSnapshot } from '#server/db/atomically.ts'
import type { Book, OpenBook, BookWrite } from '#server/db/book.ts'
import { newRows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { contentOfAccount, type Seals } from '#server/kernel/seal.ts'

/** An account's ways to sign in and protections, under one seal. */
export type SignInAccount = {
  username: string
  password: string
  email: string | null
  isVerified: boolean
  pendingEmail: string | null
  isClosed: boolean
  /** The earlier addresses that 'This was not me' may restore. */
  verifiedEmails: readonly string[]
  /** `publicKey`: in hexadecimal digits. */
  passkeys: readonly { credentialId: string; publicKey: string }[]
  /** The encrypted secret of the authenticator app; null until a code has confirmed it. */
  authenticator: string | null
  recoveryCodes: readonly string[]
  protections: StoredProtections | null
}

/** Amounts as text, in units; `nextFrom` in microseconds since 1970, as text. */
type StoredProtections = {
  delayHours: number
  dailyLimit: string | null
  allowedOnly: boolean
  nextDelayHours: number | null
  nextDailyLimit: string | null
  nextAllowedOnly: boolean | null
  nextFrom: string | null
}

const accountOf = part`
  jsonb_build_object(
    'username', u.username, 'password', u.password, 'email', u.email, 'isVerified',
    u.email_verified_at is not null,
    'pendingEmail', u.pending_email, 'isClosed', u.closed_at is not null,
    'verifiedEmails', coalesce((select jsonb_agg(v.email order by v.email collate "C")
    from verified_emails v where v.user_id = u.id), '[]'),
    'passkeys', coalesce((
      select jsonb_agg(jsonb_build_object('credentialId', p.credential_id, 'publicKey',
             encode(p.public_key, 'hex')) order by p.credential_id collate "C")
        from passkeys p where p.user_id = u.id), '[]'),
    'authenticator', (select a.secret_sealed from authenticators a where a.user_id = u.id
    and a.confirmed_at is not null),
    'recoveryCodes', coalesce((
      select jsonb_agg(encode(r.code_hash, 'hex') order by r.code_hash) from recovery_codes r
       where r.user_id = u.id and r.replaced_at is null), '[]'),
    'protections', (
      select jsonb_build_object(
               'delayHours', w.delay_hours, 'dailyLimit', w.daily_limit::text, 'allowedOnly',
               w.allowed_only, 'nextDelayHours', w.next_delay_hours,
               'nextDailyLimit', w.next_daily_limit::text, 'nextAllowedOnly', w.next_allowed_only,
               'nextFrom', ((extract(epoch from w.next_from) * 1000000)::bigint)::text)
        from withdrawal_protections w where w.user_id = u.id))`

/** Accounts read at once. */
const BATCH = 500

type Row = {
  id: string
  account: SignInAccount
  number: bigint | null
  seal: string | null
  readAt: Date
}

/**
 * `where`: a condition on a column with users' ids. A single statement, so that rows cannot be
 * restored between two reads.
 */
function findRows(sql: Queries, where: (id: Fragment) => Fragment): Promise<Row[]> {
  return sql<Row[]>`
    select u.id, ${accountOf} as account, s.number, s.seal, now() as read_at
      from users u left join (
           select distinct on (user_id) user_id, number, seal from account_seals
            where ${where(part`user_id`)} order by user_id, number desc) s on s.user_id = u.id
     where ${where(part`u.id`)} order by u.id limit ${BATCH}`
}

const isUser = (userId: string) => (id: Fragment) => part`${id} = ${userId}`

/**
 * The sealed content of an account. For a closed account it says only that the account is closed,
 * because rows left by a concurrent request are erased later without a new seal.
 */
const sealedOf = (account: SignInAccount): object =>
  account.isClosed ? { isClosed: true } : account

const fits = (seals: Seals, { id, account, number, seal }: Row): boolean =>
  number !== null &&
  seals.fits(seal, 'account', contentOfAccount({ userId: id, number, account: sealedOf(account) }))

/**
 * Undefined if there is no such user; refuses as 'account-locked' if the seal is broken. Threat:
 * somebody who can write to the database inserts a password, an address or a passkey. Sign-ins,
 * proofs and password resets compare with this result and read no other row. `readAt`: by the
 * database's clock.
 */
export async function readAccount(
  { sql, seals }: Book,
  userId: string,
): Promise<(SignInAccount & { readAt: Date }) | undefined> {
  const [row] = await findRows(sql, isUser(userId))
  if (!row) return undefined
  if (!fits(seals, row)) throw new Refusal('account-locked', { values: { user: userId } })
  return { ...row.account, readAt: row.readAt }
}

/** The account of a user who is known to exist: none is ever deleted. */
export async function knownAccount(
  book: Book,
  userId: string,
): Promise<SignInAccount & { readAt: Date }> {
  return required(await readAccount(book, userId), 'users are never deleted')
}

/**
 * Changes an account in its own transaction and seals the result. Refuses if the seal was broken
 * before, so that the new seal does not cover up another change. Threat: somebody else writes a row
 * meanwhile. So the transaction reads one snapshot, and the new seal does not cover that row.
 */
export function changeAccount<Result>(
  { sql, seals }: OpenBook,
  userId: string,
  work: (tx: BookWrite) => Promise<Result>,
): Promise<Result> {
  return inOneSnapshot(sql, async (inSnapshot) => {
    const tx: BookWrite = { sql: inSnapshot, seals, isTransaction: true }
    await tx.sql`update users set updated_at = now() where id = ${userId}`
    const before = await readAccount(tx, userId)
    const result = await work(tx)
    if (before) await sealAccount(tx, userId)
    return result
  })
}

export async function sealAccount({ sql, seals }: Book, userId: string): Promise<void> {
  await sealRows(sql, seals, await findRows(sql, isUser(userId)))
}

async function sealRows(tx: Queries, seals: Seals, rows: readonly Row[]): Promise<void> {
  const changed = rows
    .filter((row) => !fits(seals, row))
    .map(({ id, account, number }) => ({
      userId: id,
      account: sealedOf(account),
      number: (number ?? 0n) + 1n,
    }))
  if (changed.length === 0) return
  await tx`
    insert into account_seals ${newRows(changed, {
      user_id: 'uuid',
      number: 'bigint',
      seal: ['text', (content) => seals.sealOf('account', contentOfAccount(content))],
    })}
    on conflict on constraint account_seals_pkey do nothing`
}

async function* allAccounts(tx: Queries): AsyncGenerator<Row[]> {
  let last: string | undefined = HOUSE
  while (last !== undefined) {
    const after: string = last
    const rows = await findRows(tx, (id) => part`${id} > ${after}`)
    yield rows
    last = rows.length < BATCH ? undefined : rows.at(-1)?.id
  }
}

export async function findBrokenAccounts(tx: Queries, seals: Seals): Promise<string[]> {
  const found: string[] = []
  for await (const rows of allAccounts(tx))
    found.push(...rows.filter((row) => !fits(seals, row)).map(({ id }) => id))
  return found
}

export async function sealAllAccounts(
  tx: Queries,
  seals: Seals,
  { except }: { except: ReadonlySet<string> },
): Promise<void> {
  for await (const rows of allAccounts(tx))
    await sealRows(
      tx,
      seals,
      rows.filter(({ id }) => !except.has(id)),
    )
}
