import type { OperatorRole } from '#core/operators/role.ts'
import type { Queries } from '#server/db/statement.ts'

export type StoredOperator = { id: string; name: string; roles: OperatorRole[] }

export type Credentials = StoredOperator & { password: string; secretSealed: string }

export async function findOperatorByName(
  sql: Queries,
  nameKey: string,
): Promise<Credentials | undefined> {
  const [row] = await sql<Credentials[]>`
    select id, name, roles, password, secret_sealed from operators where name_key = ${nameKey}
       and disabled_at is null`
  return row
}

/** An advisory lock used only here: the app's role may not lock tables. */
const OPERATORS_LOCK = 7_205_331_144n

export async function lockOperators(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock(${OPERATORS_LOCK})`
}

export type NewOperator = Credentials & { nameKey: string; lastStep: number }

export async function insertOperator(
  tx: Queries,
  { id, name, nameKey, password, secretSealed, lastStep, roles }: NewOperator,
): Promise<void> {
  await tx`
    insert into operators (id, name, name_key, password, secret_sealed, last_step, roles)
    values (${id}, ${name}, ${nameKey}, ${password}, ${secretSealed}, ${lastStep}, ${roles})`
}

export type ListedOperator = StoredOperator & { createdAt: Date; disabledAt: Date | null }

export async function findOperators(sql: Queries): Promise<ListedOperator[]> {
  return sql<
    ListedOperator[]
  >`select id, name, roles, created_at, disabled_at from operators order by created_at, id`
}

/** Ends the operator's sessions too. */
export async function disable(tx: Queries, id: string): Promise<void> {
  await tx`update operators set disabled_at = now() where id = ${id}`
  await tx`delete from operator_sessions where operator_id = ${id}`
}

/**
 * False if a code of this or a later period was accepted before. Of several concurrent calls, only
 * one returns true.
 */
export async function acceptStep(
  tx: Queries,
  { id, step }: { id: string; step: number },
): Promise<boolean> {
  const { count } =
    await tx`update operators set last_step = ${step} where id = ${id} and last_step < ${step}
      and disabled_at is null`
  return count === 1
}

export async function insertSession(
  tx: Queries,
  { id, tokenHash, hours }: { id: string; tokenHash: Uint8Array; hours: number },
): Promise<void> {
  await tx`delete from operator_sessions where expires_at < now()`
  await tx`insert into operator_sessions (token_hash, operator_id, expires_at)
    values (${tokenHash}, ${id}, now() + ${hours} * interval '1 hour')`
}

export async function findBySession(
  sql: Queries,
  tokenHash: Uint8Array,
): Promise<StoredOperator | undefined> {
  const [row] = await sql<StoredOperator[]>`
    select o.id, o.name, o.roles from operator_sessions s join operators o on o.id = s.operator_id
     where s.token_hash = ${tokenHash} and s.expires_at > now() and o.disabled_at is null`
  return row
}

export async function deleteSession(sql: Queries, tokenHash: Uint8Array): Promise<void> {
  await sql`delete from operator_sessions where token_hash = ${tokenHash}`
}
