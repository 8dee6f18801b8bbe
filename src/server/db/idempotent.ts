import { createHash } from 'node:crypto'
import { Refusal } from '#core/refusal.ts'
import type { Queries } from './statement.ts'

type Key = { userId: string; key: string | undefined; action: string; body: unknown }

/**
 * Runs `work` once for a key, inside the caller's transaction: a repetition returns the stored
 * answer, one with another body is refused as 'idempotency-key-reused'. A concurrent duplicate
 * waits for the key's row.
 */
export async function idempotent<Answer>(
  tx: Queries,
  { userId, key, action, body }: Key,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return work()
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([action, body ?? null]))
    .digest('hex')
  const claimed = await tx`
    insert into idempotency_keys (user_id, key, action, body_hash, response)
    values (${userId}, ${key}, ${action}, ${bodyHash}, 'null')
    on conflict on constraint idempotency_keys_pkey do nothing`
  if (claimed.count === 1) {
    const answer = await work()
    await tx`update idempotency_keys set response = ${JSON.stringify(answer)}::text::jsonb
      where user_id = ${userId} and key = ${key}`
    return answer
  }
  const [earlier] = await tx<{ bodyHash: string; response: Answer }[]>`
    select body_hash, response from idempotency_keys where user_id = ${userId} and key = ${key}`
  if (earlier?.bodyHash !== bodyHash) throw new Refusal('idempotency-key-reused')
  return earlier.response
}
