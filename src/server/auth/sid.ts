import { isId } from '#server/ids.ts'

/**
 * What a session's cookie says: whose it is, so that it is looked up among that user's alone, and the secret that proves it. The user id
 * proves nothing.
 */
export type Sid = { userId: string; secret: string }

export const sidText = ({ userId, secret }: Sid): string => `${userId}.${secret}`

/** Undefined for what no session's cookie can say. */
export function readSid(text: string | undefined): Sid | undefined {
  const [userId = '', secret = '', ...rest] = text?.split('.', 3) ?? []
  return isId(userId) && SECRET.test(secret) && rest.length === 0 ? { userId, secret } : undefined
}

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/
