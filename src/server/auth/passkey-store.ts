import type { Queries } from '#server/db/statement.ts'

export type StoredPasskey = {
  id: string
  credentialId: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** The oldest first. */
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

/** False if there is none with this id. */
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

/** False if it was spent before. Of several at once, one gets true. */
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
