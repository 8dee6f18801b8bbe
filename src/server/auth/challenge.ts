import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '#server/context.ts'

/**
 * How long a challenge counts: a log-in page may wait for a while before somebody chooses a passkey
 * on it.
 */
export const CHALLENGE_SECONDS = 900

const NONCE_BYTES = 16
const TIME_BYTES = 8
const MAC_BYTES = 32

type Making = Pick<Context, 'config' | 'now'>

/**
 * A challenge for a passkey to sign, for one purpose. It is signed by us and carries its time, so
 * that strangers who request many fill no table, and any process can check it; `spendChallenge`
 * makes it count once.
 */
export function newChallenge(context: Making, purpose: string): string {
  const body = Buffer.alloc(NONCE_BYTES + TIME_BYTES)
  randomBytes(NONCE_BYTES).copy(body)
  body.writeBigInt64BE(BigInt(context.now().getTime()), NONCE_BYTES)
  return Buffer.concat([body, macOf(context, { body, purpose })]).toString('base64url')
}

/** Whether we made this challenge for this purpose, and not too long ago. */
export function isChallenge(
  context: Making,
  { challenge, purpose }: { challenge: string; purpose: string },
): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES) return false
  const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(context, { body, purpose }))) return false
  const ageMs = context.now().getTime() - Number(body.readBigInt64BE(NONCE_BYTES))
  // The clocks of two processes differ a little.
  return ageMs > -60_000 && ageMs < CHALLENGE_SECONDS * 1_000
}

function macOf({ config }: Making, { body, purpose }: { body: Buffer; purpose: string }): Buffer {
  return createHmac('sha256', config.SESSION_SECRET)
    .update(JSON.stringify(['passkey-challenge', purpose]))
    .update(body)
    .digest()
}
