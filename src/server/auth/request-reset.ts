import { hash } from 'node:crypto'
import { usernameKey } from '#core/auth/credentials.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/throttle.ts'
import { insertResetRequest } from './email-store.ts'

const HOUR_SECONDS = 3_600

/**
 * Asks for a link to a new password, by username or by address. Threat: enumeration. The answer and
 * the work are the same for every text: a job looks it up afterwards.
 */
export const requestReset: Handler<'requestReset'> = async (
  { sql, newId },
  { body: { account }, client },
) => {
  const asked = usernameKey(account.trim())
  await throttle(
    sql,
    { key: `reset:account:${hash('sha256', asked)}`, limit: 5, windowSeconds: HOUR_SECONDS },
    { key: `reset:address:${client.address}`, limit: 30, windowSeconds: HOUR_SECONDS },
  )
  await insertResetRequest(sql, { id: newId(), asked })
  return {}
}
