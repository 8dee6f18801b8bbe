import { emailKey } from '#core/auth/credentials.ts'
import { Refusal } from '#core/refusal.ts'
import type { Queries } from '#server/db/statement.ts'
import { writeMail } from '#server/notices/write-mail.ts'
import { throttle } from '#server/throttle.ts'

/** Messages to one address that anybody may type, in an hour. */
const MOST_AN_HOUR = 3

type Asked = { userId: string; email: string }

/**
 * Writes the message with which an address is verified. The same work whether the address is free, another account's or nobody's: who reads it
 * is decided when it is sent. Threat: mail to strangers. Beyond a few an hour nothing is written, and the answer stays the same.
 */
export async function askToVerify(tx: Queries, { userId, email }: Asked): Promise<void> {
  if (await mayWriteTo(tx, email)) await writeMail(tx, { userId, kind: 'verify-email', address: email })
}

async function mayWriteTo(tx: Queries, email: string): Promise<boolean> {
  try {
    await throttle(tx, { key: `mail:${emailKey(email)}`, limit: MOST_AN_HOUR, windowSeconds: 3_600 })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
