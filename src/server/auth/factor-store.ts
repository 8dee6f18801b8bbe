import type { Queries } from '#server/db/statement.ts'

export type FactorCounts = { passkeys: number; authenticators: number; codes: number }

export async function countFactors(sql: Queries, userId: string): Promise<FactorCounts> {
  const [row] = await sql<FactorCounts[]>`
    select (select count(*)::integer from passkeys where user_id = ${userId}) as passkeys,
           (select count(*)::integer from authenticators where user_id = ${userId}
           and confirmed_at is not null) as authenticators,
           (select count(*)::integer from recovery_codes where user_id = ${userId}
           and used_at is null and replaced_at is null) as codes`
  return row ?? { passkeys: 0, authenticators: 0, codes: 0 }
}

export async function lockFactors(tx: Queries, userId: string): Promise<void> {
  await tx`select id from users where id = ${userId} for no key update`
}

export type StoredAuthenticator = {
  secretSealed: string
  confirmedAt: Date | null
  isStartedLongAgo: boolean
}

/** `isStartedLongAgo`: the ten minutes for the first code have passed. */
export async function findAuthenticator(
  sql: Queries,
  userId: string,
): Promise<StoredAuthenticator | undefined> {
  const [row] = await sql<StoredAuthenticator[]>`
    select secret_sealed, confirmed_at, started_at < now() - interval '10 minutes' as
           is_started_long_ago from authenticators where user_id = ${userId}`
  return row
}

/** Starts a new setup, which replaces an unconfirmed one. */
export async function startAuthenticator(
  tx: Queries,
  { userId, secretSealed }: { userId: string; secretSealed: string },
): Promise<void> {
  await tx`delete from authenticators where user_id = ${userId} and confirmed_at is null`
  await tx`insert into authenticators (user_id, secret_sealed) values (${userId}, ${secretSealed})`
}

/**
 * False if a code of this or a later period was accepted before. Of several concurrent calls, only
 * one returns true.
 */
export async function acceptStep(
  tx: Queries,
  { userId, step }: { userId: string; step: number },
): Promise<boolean> {
  const { count } = await tx`update authenticators set last_step = ${step} where user_id = ${userId}
      and last_step < ${step}`
  return count === 1
}

export async function confirmAuthenticator(tx: Queries, userId: string): Promise<void> {
  await tx`update authenticators set confirmed_at = now() where user_id = ${userId}`
}

export async function deleteAuthenticator(tx: Queries, userId: string): Promise<boolean> {
  const { count } =
    await tx`delete from authenticators where user_id = ${userId} and confirmed_at is not null`
  return count === 1
}

export async function replaceRecoveryCodes(
  tx: Queries,
  { userId, hashes }: { userId: string; hashes: readonly Uint8Array[] },
): Promise<void> {
  await tx`update recovery_codes set replaced_at = now() where user_id = ${userId}
    and replaced_at is null`
  await tx`insert into recovery_codes (user_id, code_hash) select ${userId}::uuid, made.hash
    from unnest(${hashes}::bytea[]) as made (hash)`
}

/**
 * False if there is no such code, or if it was used. Of several concurrent calls, only one returns
 * true.
 */
export async function takeRecoveryCode(
  tx: Queries,
  { userId, hash }: { userId: string; hash: Uint8Array },
): Promise<boolean> {
  const { count } = await tx`update recovery_codes set used_at = now() where user_id = ${userId}
      and code_hash = ${hash} and used_at is null and replaced_at is null`
  return count === 1
}

export type FactorChanges = { passkeys: string[]; authenticator: boolean; recoveryCodes: boolean }

/** The factors and recovery codes that `restoreFactors` removes. */
export async function findFactorsSince(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<FactorChanges> {
  const [row] = await sql<FactorChanges[]>`
    select coalesce((select jsonb_agg(name order by id) from passkeys where user_id = ${userId}
           and created_at >= ${since}::timestamptz), '[]') as passkeys,
           exists (select 1 from authenticators where user_id = ${userId}
           and confirmed_at >= ${since}::timestamptz) as authenticator,
           exists (select 1 from recovery_codes where user_id = ${userId}
           and created_at >= ${since}::timestamptz and replaced_at is null) as recovery_codes`
  return row ?? { passkeys: [], authenticator: false, recoveryCodes: false }
}

/**
 * Deletes factors added after `since`, and restores the recovery codes of that time, because they
 * may be the owner's only way in. Threat: a thief's own factor would keep the owner out.
 */
export async function restoreFactors(
  tx: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<void> {
  await tx`delete from passkeys where user_id = ${userId} and created_at >= ${since}::timestamptz`
  await tx`delete from authenticators where user_id = ${userId}
    and (confirmed_at is null or confirmed_at >= ${since}::timestamptz)`
  await tx`delete from recovery_codes where user_id = ${userId}
    and created_at >= ${since}::timestamptz`
  await tx`update recovery_codes set replaced_at = null where user_id = ${userId}
    and replaced_at >= ${since}::timestamptz`
  const { passkeys, authenticators } = await countFactors(tx, userId)
  if (passkeys + authenticators === 0) await replaceRecoveryCodes(tx, { userId, hashes: [] })
}

export type NewProof = { id: string; userId: string; sessionId: string; digest: Uint8Array }

/** False if the session has ended. */
export async function insertProof(
  tx: Queries,
  { id, userId, sessionId, digest }: NewProof,
): Promise<boolean> {
  const { count } = await tx`
    insert into proofs (user_id, id, session_id, digest)
    select s.user_id, ${id}::uuid, s.id, ${digest}::bytea
      from sessions s where s.user_id = ${userId} and s.id = ${sessionId} and s.expires_at > now()
       for key share`
  return count === 1
}

/**
 * Deletes the proof if it is for this request and session and younger than `seconds`. Of several
 * simultaneous calls, only one returns true.
 */
export async function takeProof(
  tx: Queries,
  { id, userId, sessionId, digest, seconds }: NewProof & { seconds: number },
): Promise<boolean> {
  const { count } = await tx`
    delete from proofs where user_id = ${userId} and id = ${id} and session_id = ${sessionId}
       and digest = ${digest}
       and made_at > now() - ${seconds} * interval '1 second'`
  return count === 1
}

export async function deleteProofsOf(tx: Queries, userId: string): Promise<void> {
  await tx`delete from proofs where user_id = ${userId}`
}

export async function deleteOldProofs(
  sql: Queries,
  { seconds }: { seconds: number },
): Promise<void> {
  await sql`delete from proofs where made_at < now() - ${seconds} * interval '1 second'`
}

export type StoredPasskey = {
  id: string
  credentialId: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export async function findPasskeys(sql: Queries, userId: string): Promise<StoredPasskey[]> {
  return sql<StoredPasskey[]>`
    select id, credential_id, name, created_at, last_used_at from passkeys where user_id = ${userId}
     order by id`
}

export type PasskeyUse = { id: string; counter: bigint }

export async function findPasskeyUse(
  sql: Queries,
  { userId, credentialId }: { userId: string; credentialId: string },
): Promise<PasskeyUse | undefined> {
  const [row] = await sql<
    PasskeyUse[]
  >`select id, counter from passkeys where user_id = ${userId} and credential_id = ${credentialId}`
  return row
}

export type NewPasskey = {
  userId: string
  id: string
  credentialId: string
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  name: string
}

/** False if the user has this passkey already. */
export async function insertPasskey(
  tx: Queries,
  { userId, id, credentialId, publicKey, counter, transports, name }: NewPasskey,
): Promise<boolean> {
  const { count } = await tx`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, name)
    values (${userId}, ${id}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[],
           ${name})
    on conflict on constraint passkeys_credential do nothing`
  return count === 1
}

export async function notePasskeyUse(
  tx: Queries,
  { userId, id, counter }: { userId: string; id: string; counter: number },
): Promise<void> {
  await tx`update passkeys set counter = ${counter}, last_used_at = now() where user_id = ${userId}
    and id = ${id}`
}

export async function renamePasskeyTo(
  tx: Queries,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<boolean> {
  const { count } =
    await tx`update passkeys set name = ${name} where user_id = ${userId} and id = ${id}`
  return count === 1
}

export async function deletePasskey(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await tx`delete from passkeys where user_id = ${userId} and id = ${id}`
}

/**
 * Spends a challenge. False if it was spent before. Of several concurrent calls, only one returns
 * true.
 */
export async function spendChallenge(
  tx: Queries,
  { userId, hash }: { userId: string; hash: Uint8Array },
): Promise<boolean> {
  const { count } = await tx`
    insert into spent_challenges (user_id, challenge_hash) values (${userId}, ${hash}) on conflict
           on constraint spent_challenges_pkey do nothing`
  return count === 1
}

export async function deleteOldChallenges(
  sql: Queries,
  { seconds }: { seconds: number },
): Promise<void> {
  await sql`delete from spent_challenges where spent_at < now() - ${seconds} * interval '1 second'`
}
